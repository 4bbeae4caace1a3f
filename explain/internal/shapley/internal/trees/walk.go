package trees

import "github.com/coppice-ml/coppice/tree"

// walked explains pairs of players, row by row, for trees whose leaves have many players or for few
// rows. It costs time in proportion to nodes x players x points of the quadrature.
//
// A walk carries the product of all players' factors down to the leaves, and the leaves' values
// times it back up. At an edge on player j the sum from below, divided by the factor of j, has the
// product over the other players. Where j was tested above, its value was added there with other
// o and z. It is taken back (Yu et al. 2022, Linear TreeShap, has the same sums in another basis).
type walked struct {
	*games
	rule rule
	only []bool // by node: whether it is visited; nil: all are
}

// newWalked returns what explains rows without tables: by the leaves below some nodes, nil = all.
func newWalked(g *games, only []bool) way {
	if g.index == Singles {
		return &credited{games: g, rule: ruleFor(g.most), only: only}
	}
	return &walked{g, ruleFor(g.most), only}
}

// edge is the state of a player at an edge of the path.
type edge struct {
	satisfied, taken float64 // o and z
	factor           []float64
}

// trip is the memory of a walk.
type trip struct {
	*walked
	state  []edge  // by player: the last edge of the path that tests it; no factor: none
	path   []int32 // players that the path tests, each once
	frames []float64
	used   int
	phi    []float64 // of the row: cells of a score one after the other
	cells  int
	row    []float64 // values by column
}

// add adds the contributions of the tree to the rows of a block.
func (w *walked) add(b *Block) {
	t := trip{walked: w, state: make([]edge, w.mostPlayer()+1), cells: b.Cells,
		row: make([]float64, b.Columns), phi: make([]float64, w.width*b.Cells)}
	points := len(w.rule.point)
	product, sum := make([]float64, points), make([]float64, points*w.width)
	for r := range b.Rows {
		for c := range t.row {
			t.row[c] = b.X[c*BlockRows+r]
		}
		for i := range product {
			product[i] = 1
		}
		clear(sum)
		clear(t.phi)
		t.visit(0, product, sum)
		for i, v := range t.phi {
			b.Phi[(int(w.output)*b.Cells+i)*BlockRows+r] += v
		}
	}
}

// take returns n numbers of memory, which the caller gives back by setting used to what it was.
func (t *trip) take(n int) []float64 {
	if t.used+n > len(t.frames) {
		t.frames = make([]float64, 2*(t.used+n)) // the old one stays with those who use it
	}
	t.used += n
	return t.frames[t.used-n : t.used : t.used]
}

// visit adds the values of the leaves below a node, times the product of all factors, to sum, which
// has points x scores numbers.
func (t *trip) visit(n int32, product, sum []float64) {
	d := &t.nodes[n]
	if d.kind == tree.Leaf {
		for k, v := range t.values[d.value:d.end] {
			for i, p := range product {
				sum[k*len(product)+i] += float64(v * p)
			}
		}
		return
	}
	at := t.used
	above, players := t.state[d.player], len(t.path)
	if above.factor == nil {
		above.satisfied, above.taken = 1, 1
		t.path = append(t.path, d.player)
	}
	points := len(product)
	goes := d.next(t.row[d.column])
	memory := t.take(points * (2 + t.width))
	below, factor, ends := memory[:points], memory[points:2*points], memory[2*points:]
	for c := range d.arity {
		if t.only != nil && !t.only[d.child+c] {
			continue
		}
		e := edge{taken: above.taken * t.nodes[d.child+c].fraction, factor: factor}
		if c == goes {
			e.satisfied = above.satisfied
		}
		if e.satisfied == 0 && e.taken == 0 {
			continue // nothing below has a product above 0, nor a contribution
		}
		for i, p := range t.rule.point {
			factor[i] = float64(p*e.satisfied) + float64((1-p)*e.taken)
			below[i] = product[i] * factor[i]
			if above.factor != nil {
				below[i] /= above.factor[i]
			}
		}
		clear(ends)
		saved := t.state[d.player]
		t.state[d.player] = e
		t.visit(d.child+c, below, ends)
		t.state[d.player] = saved
		t.credit(d.player, &e, ends, 1)
		if above.factor != nil {
			t.credit(d.player, &above, ends, -1)
		}
		for i, v := range ends {
			sum[i] += v
		}
	}
	t.used, t.path = at, t.path[:players]
}

// credit adds what a player has by the sums below an edge, times sign. With sign -1 it takes back
// what the edge above on the same player added for the leaves below this one.
func (t *trip) credit(player int32, e *edge, ends []float64, sign float64) {
	effect := sign * (e.satisfied - e.taken)
	for _, other := range t.path {
		s := &t.state[other]
		both := effect * (s.satisfied - s.taken) / 2
		if other == player || both == 0 {
			continue
		}
		for k := range t.width {
			cell := k*t.cells + int(Pair(player, other))
			t.phi[cell] += float64(both * t.withoutBoth(e, s, ends, k))
		}
	}
}

// withoutBoth integrates the sums of a score without the factors of two edges.
func (t *trip) withoutBoth(e, s *edge, ends []float64, score int) float64 {
	total := 0.0
	for i, v := range ends[score*len(e.factor):][:len(e.factor)] {
		total += float64(t.rule.weight[i] * v / float64(e.factor[i]*s.factor[i]))
	}
	return total
}
