package trees

import "math/bits"

// lacking is what a leaf has, added up over the rows of the background. It is for a leaf of value 1
// and is not divided by their number.
type lacking struct {
	players []int32 // that the row satisfies
	others  []int32 // that it does not
	rows    [][]uint64
	miss    []uint64  // of 64 rows: by player those that lack it
	plane   []uint64  // of 64 rows: the bits of the number of players that they lack
	own     []float64 // by player of players; for Pairs with one of others
	both    []float64 // by pair of players, as Pair
	neither float64   // each of others; for Pairs two of them
}

// leaf adds the cells of a leaf for the rows in alive.
func (d *descent) leaf(at *node, alive []uint64) {
	l := &d.lacks
	l.players, l.others, l.rows = l.players[:0], l.others[:0], l.rows[:0]
	for i := range d.path {
		if p := &d.path[i]; p.satisfied {
			l.players, l.rows = append(l.players, p.player), append(l.rows, p.rows)
		} else {
			l.others = append(l.others, p.player)
		}
	}
	l.reset()
	for i, w := range alive {
		if w != 0 {
			l.word(d.index, i, w)
		}
	}
	for k, v := range d.values[at.value:at.end] {
		phi := d.phi[k*d.cells:][:d.cells]
		if d.index == Singles {
			l.singles(phi, v)
		} else {
			l.pairs(phi, v)
		}
	}
}

// reset makes all sums 0.
func (l *lacking) reset() {
	n := len(l.players)
	for len(l.own) < n {
		l.own, l.miss = append(l.own, 0), append(l.miss, 0)
		l.both = append(l.both, make([]float64, len(l.own)-1)...)
		l.plane = append(l.plane, 0)
	}
	clear(l.own)
	clear(l.both)
	l.neither = 0
}

// word adds what 64 rows have, those of word i of the sets that are in w. The players that a row
// lacks are counted for all rows at once, by an adder of whole words.
func (l *lacking) word(x Index, i int, w uint64) {
	n := len(l.players)
	plane := l.plane[:bits.Len(uint(n))]
	clear(plane)
	for j, rows := range l.rows {
		carry := w &^ rows[i]
		l.miss[j] = carry
		for k := 0; carry != 0; k++ {
			plane[k], carry = plane[k]^carry, plane[k]&carry
		}
	}
	for w != 0 { // the rows that lack as many players as the first one
		first := bits.TrailingZeros64(w)
		a, same := 0, w
		for k, p := range plane {
			if p>>first&1 != 0 {
				a, same = a|1<<k, same&p
			} else {
				same &^= p
			}
		}
		w &^= same
		l.same(x, a, same)
	}
}

// same adds what some of the 64 rows have, which lack a players.
func (l *lacking) same(x Index, a int, rows uint64) {
	w := x.weightsOf(a, len(l.others))
	all := float64(bits.OnesCount64(rows))
	if x == Pairs {
		l.neither += float64(w.bb * all)
		for j := range l.players {
			miss := l.miss[j] & rows
			if miss == 0 {
				continue
			}
			l.own[j] += float64(w.ab * float64(bits.OnesCount64(miss)))
			both := l.both[j*(j-1)/2:][:j]
			for i := range both {
				both[i] += float64(w.aa * float64(bits.OnesCount64(miss&l.miss[i])))
			}
		}
		return
	}
	l.neither += float64(w.b * all)
	for j := range l.players {
		l.own[j] += float64(w.a * float64(bits.OnesCount64(l.miss[j]&rows)))
	}
}

// singles adds the contributions of a leaf of some value.
func (l *lacking) singles(phi []float64, v float64) {
	for j, player := range l.players {
		phi[player] += float64(v * l.own[j])
	}
	for _, player := range l.others {
		phi[player] += float64(v * l.neither)
	}
}

// pairs adds the interactions of a leaf of some value.
func (l *lacking) pairs(phi []float64, v float64) {
	for j, player := range l.players {
		for i, other := range l.players[:j] {
			phi[Pair(player, other)] += float64(v * l.both[j*(j-1)/2+i])
		}
		for _, other := range l.others {
			phi[Pair(player, other)] += float64(v * l.own[j])
		}
	}
	for j, player := range l.others {
		for _, other := range l.others[:j] {
			phi[Pair(player, other)] += float64(v * l.neither)
		}
	}
}
