package catboost

// oblivious reads an oblivious tree.
func (j *scan) oblivious(f *file) {
	var t fileTree
	j.Object(func(name string) {
		switch name {
		case "splits":
			if j.Next() == 'n' { // null: none
				j.Skip()
				return
			}
			j.Array(func(int) { keep(j, &t.splits, j.split()) })
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
		j.Fail("%d leaf values for %d leaves", len(t.values), leaves)
		return
	}
	j.addTree(f, t, len(t.values)/leaves)
}

// addTree keeps a tree whose leaves have some number of values.
func (j *scan) addTree(f *file, t fileTree, dims int) {
	if f.dims == 0 {
		f.dims = dims
	}
	if f.dims != dims {
		j.Fail("leaves of %d values, of other trees %d", dims, f.dims)
	}
	keep(j, &f.trees, t)
}

// split reads the number of a split.
func (j *scan) split() int32 {
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
func (j *scan) tree(f *file) {
	t := fileTree{steps: [][2]int32{}}
	dims := 0
	j.node(&t, &dims)
	if j.Err() != nil {
		return
	}
	if len(t.weights) > 0 && len(t.weights)*dims != len(t.values) {
		j.Fail("some leaves have no weight")
		return
	}
	j.addTree(f, t, dims)
}

// node reads a node and those below it.
func (j *scan) node(t *fileTree, dims *int) {
	n := len(t.splits)
	keep(j, &t.splits, -1)
	keep(j, &t.steps, [2]int32{})
	keep(j, &t.leaf, -1)
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
		j.node(t, dims)
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
				keep(j, &t.values, j.Float())
			}
		case "weight":
			keep(j, &weights, j.Float())
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
		j.leaf(t, n, first, weights, dims)
	}
}

// leaf completes a node that is a leaf, whose values begin with the first.
func (j *scan) leaf(t *fileTree, n, first int, weights []float64, dims *int) {
	width := len(t.values) - first
	if *dims == 0 {
		*dims = width
	}
	if width == 0 || width != *dims {
		j.Fail("a leaf of %d values, of others %d", width, *dims)
		return
	}
	t.leaf[n] = int32(first / width)
	for _, w := range weights {
		keep(j, &t.weights, w)
	}
}
