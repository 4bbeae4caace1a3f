package catboost

// treeScan reads the trees of a file in JSON.
type treeScan struct {
	*scan
	f *file
}

// oblivious reads an oblivious tree.
func (j treeScan) oblivious() {
	var t fileTree
	j.Object(func(name string) {
		switch name {
		case "splits":
			if j.Next() == 'n' { // null: none
				j.Skip()
				return
			}
			j.Array(func(int) { keep(j.scan, &t.splits, j.split()) })
		case "leaf_values":
			j.float64s(&t.values)
		case "leaf_weights":
			j.float64s(&t.weights)
		default:
			j.Skip()
		}
	})
	if j.Err() != nil {
		return
	}
	if len(t.splits) > maxDepth {
		j.Fail("a tree of %d levels", len(t.splits))
		return
	}
	leaves := 1 << len(t.splits)
	if len(t.values)%leaves != 0 || len(t.values) == 0 {
		j.Fail("tree %d: %d leaf values for %d leaves", len(j.f.trees), len(t.values),
			leaves)
		return
	}
	j.add(t, len(t.values)/leaves)
}

// add keeps a tree whose leaves have some number of values.
func (j treeScan) add(t fileTree, dims int) {
	if j.f.dims == 0 {
		j.f.dims = dims
	}
	if j.f.dims != dims {
		j.Fail("leaves of %d values, of other trees %d", dims, j.f.dims)
	}
	keep(j.scan, &j.f.trees, t)
}

// split reads the number of a split.
func (j treeScan) split() int32 {
	number := int32(-1)
	j.Object(func(name string) {
		if name == "split_index" {
			number = j.int32()
		} else {
			j.Skip()
		}
	})
	if number < 0 {
		j.Fail("a split without split_index")
	}
	return number
}

// tree reads a tree that is not oblivious: nodes within each other, a left one before a right one.
func (j treeScan) tree() {
	n := &nodeScan{treeScan: j, t: fileTree{steps: [][2]int32{}}}
	n.node()
	if j.Err() != nil {
		return
	}
	if len(n.t.weights) > 0 && len(n.t.weights)*n.dims != len(n.t.values) {
		j.Fail("some leaves have no weight")
		return
	}
	j.add(n.t, n.dims)
}

// nodeScan reads the nodes of a tree that is not oblivious.
type nodeScan struct {
	treeScan
	t    fileTree
	dims int // values of a leaf; 0: no leaf was read
}

// node reads a node and those below it.
func (j *nodeScan) node() {
	t := &j.t
	n := len(t.splits)
	keep(j.scan, &t.splits, -1)
	keep(j.scan, &t.steps, [2]int32{})
	keep(j.scan, &t.leaf, -1)
	if j.Err() != nil {
		return
	}
	var weights []float64
	first := len(t.values)
	below, leaf := [2]bool{}, false
	child := func(side int) {
		if below[side] || side == 1 && !below[0] {
			j.Fail("the children of a node are not left and right")
			return
		}
		below[side] = true
		t.steps[n][side] = int32(len(t.splits) - n)
		j.node()
	}
	j.Object(func(name string) {
		switch name {
		case "split":
			t.splits[n] = j.split()
		case "left":
			child(0)
		case "right":
			child(1)
		case "value":
			if leaf = true; j.Next() == '[' {
				j.float64s(&t.values)
			} else {
				keep(j.scan, &t.values, j.Finite())
			}
		case "weight":
			keep(j.scan, &weights, j.Finite())
		default:
			j.Skip()
		}
	})
	if j.Err() != nil {
		return
	}
	if leaf == (below[0] || below[1]) || below[0] != below[1] || len(weights) > 1 {
		j.Fail("a node is neither a leaf nor a split")
		return
	}
	if leaf {
		j.leaf(n, first, weights)
	}
}

// leaf completes a node that is a leaf, whose values begin with the first.
func (j *nodeScan) leaf(n, first int, weights []float64) {
	t := &j.t
	width := len(t.values) - first
	if j.dims == 0 {
		j.dims = width
	}
	if width == 0 || width != j.dims {
		j.Fail("a leaf of %d values, of others %d", width, j.dims)
		return
	}
	t.leaf[n] = int32(first / width)
	for _, w := range weights {
		keep(j.scan, &t.weights, w)
	}
}
