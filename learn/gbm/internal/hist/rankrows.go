package hist

// joinRanks completes a tree that several ranks have grown: each has partitioned its own rows only.
// Afterwards leafOf has the leaf of every row of the matrix, and the order of rows is that of all
// ranks:
//
//	rank 0   own rows   leaf a: 0 3 | leaf b: 1 2         rows of all   a: 0 3 5 6 | b: 1 2 4 7
//	rank 1   own rows   leaf a: 5 6 | leaf b: 4 7
func (t *grown) joinRanks() {
	e := t.e
	n := e.tables.whole.Len()
	number := make([]int32, len(t.nodes)) // of leaves, by node
	var nodes []int32                     // the other way round
	t.leaves(func(node int32, _ *open) {
		number[node] = int32(len(nodes))
		nodes = append(nodes, node)
	})
	leaf := resize(e.leafOf, n)
	e.leafOf = leaf
	t.reach(nil, nil, func(node int32, rows []int32) {
		for _, r := range rows {
			leaf[t.base+r] = number[node]
		}
	})
	e.ranks.leavesOfAll(leaf, len(nodes))
	if e.ranks.failed() != nil {
		return
	}
	for i, l := range leaf {
		if int(l) >= len(nodes) {
			leaf[i] = 0 // of a rank that is another program
			continue
		}
		leaf[i] = nodes[l]
	}
	t.leafOf = leaf
	t.orderAll()
}

// orderAll orders the rows of the tree by its leaves, in the order in which their rows stand.
func (t *grown) orderAll() {
	at := make([]int32, len(t.nodes)) // rows of a leaf, then where its next one goes
	each := func(f func(row int32)) {
		if t.rows == nil {
			for r := range int32(len(t.leafOf)) {
				f(r)
			}
			return
		}
		for _, r := range t.rows {
			f(r)
		}
	}
	all := int32(0)
	each(func(row int32) { at[t.leafOf[row]]++; all++ })
	t.place(t.nodes[0], 0, at)
	order := &t.e.rows
	order.rows = resize(order.rows, int(all))
	for node, l := range t.nodes {
		at[node] = l.begin
	}
	each(func(row int32) {
		node := t.leafOf[row]
		order.rows[at[node]] = row
		at[node]++
	})
}

// place gives a node and those below it their places in the order, from begin on, and returns where
// they end.
func (t *grown) place(l *open, begin int32, rows []int32) int32 {
	l.begin = begin
	if t.inner(l) {
		l.end = t.place(l.last, t.place(l.first, begin, rows), rows)
	} else {
		l.end = begin + rows[l.node]
	}
	return l.end
}

// reachAll is reach of a tree that several ranks have grown, for rows of the matrix. The rows of a
// piece are put together by their leaves.
func (t *grown) reachAll(among []int32, f func(leaf int32, rows []int32)) {
	n := lenOr(among, len(t.leafOf))
	pieces := (n + nearRows - 1) / nearRows
	t.e.team.each(pieces, func(i int, w *worker) {
		from, to := i*nearRows, min(n, (i+1)*nearRows)
		next := w.visited.next(len(t.nodes) + 1)
		clear(next)
		row := func(k int) int32 {
			if among == nil {
				return int32(k)
			}
			return among[k]
		}
		for k := from; k < to; k++ {
			next[t.leafOf[row(k)]+1]++
		}
		for k := range t.nodes {
			next[k+1] += next[k]
		}
		w.visited.others = resize(w.visited.others, to-from)
		for k := from; k < to; k++ {
			r := row(k)
			leaf := t.leafOf[r]
			w.visited.others[next[leaf]] = r
			next[leaf]++
		}
		begin := int32(0)
		for node, end := range next[:len(t.nodes)] {
			if begin < end {
				f(int32(node), w.visited.others[begin:end])
			}
			begin = end
		}
	})
}
