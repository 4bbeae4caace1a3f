package exact

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// Directions says which splits on several numeric columns at once are tried in each node beside
// those on one.
type Directions struct {
	Random int // sparse random projections per node (Breiman 2001, Forest-RC; Tomita et al. 2020)
	// one linear combination by greedy search, coefficient after coefficient (Murthy, Kasif &
	// Salzberg 1994)
	Linear bool
	Sphere int // distances to a random row of the node, in random columns
	Terms  int // columns of a random projection or distance; below 2 means 2
}

func (d *Directions) any() bool { return d.Random > 0 || d.Linear || d.Sphere > 0 }

// linearPasses bounds the passes of the greedy search over all coefficients; it mostly ends after a
// few.
const linearPasses = 8

// directions tries splits on several columns. Random choices are drawn before the work is shared
// among workers.
type directions struct {
	Directions
	of      *chooser
	raw     rawValues
	rows    int // of the tree
	draws   rng.Stream
	numeric []int32 // the numeric columns
	// by column: 1 / standard deviation of the known values, 0 if they are constant
	scale []float64
}

// newDirections returns what tries directions on so many rows; nil if none are asked for.
func newDirections(d Directions, of *chooser, raw rawValues, rows int) *directions {
	if !d.any() {
		return nil
	}
	s := &directions{Directions: d, of: of, raw: raw, rows: rows, scale: make([]float64, len(raw.columns))}
	s.Terms = max(s.Terms, 2)
	for i := range raw.columns {
		if raw.columns[i].kind == data.Categorical {
			continue
		}
		if s.measure(i); s.scale[i] > 0 {
			s.numeric = append(s.numeric, int32(i))
		}
	}
	s.Terms = min(s.Terms, len(s.numeric))
	return s
}

// rawValues are the numbers of a prepared table by position.
type rawValues struct {
	columns []column
	rows    []int32
}

// value returns a numeric column's value of a row.
func (r *rawValues) value(column int32, pos uint32) float64 {
	return r.columns[column].num[r.rows[pos]]
}

// measure finds the scale of a column; a column with an infinite value keeps scale 0 and takes no
// part.
func (s *directions) measure(i int) {
	n, mean, squares := 0.0, 0.0, 0.0
	for pos := range s.rows {
		x := s.raw.value(int32(i), uint32(pos))
		if math.IsNaN(x) {
			continue
		}
		n++
		d := x - mean
		mean += d / n
		squares += float64(d * (x - mean))
	}
	if sd := math.Sqrt(squares / max(n, 1)); sd > 0 && !math.IsInf(sd, 0) && !math.IsNaN(sd) {
		s.scale[i] = 1 / sd
	}
}

// attempt is one direction to be tried.
type attempt struct {
	kind  tree.Kind
	terms []tree.Term
}

// draw makes the random attempts of a node.
func (s *directions) draw(nd *node) []attempt {
	s.draws.Reset(nd.key, directionDraws)
	slices.Sort(s.numeric)
	var list []attempt
	for range s.Random {
		a := attempt{kind: tree.Oblique}
		for _, c := range s.columns() {
			a.terms = append(a.terms, tree.Term{Feature: c, Coef: float64((2*s.draws.Float64() - 1) * s.scale[c])})
		}
		list = append(list, a)
	}
	for range s.Sphere {
		a := attempt{kind: tree.Sphere}
		centre := nd.list[s.draws.Intn(len(nd.list))]
		for _, c := range s.columns() {
			if x := s.raw.value(c, centre); !math.IsNaN(x) {
				a.terms = append(a.terms, tree.Term{Feature: c, Coef: x})
			}
		}
		if len(a.terms) > 0 {
			list = append(list, a)
		}
	}
	return list
}

// columns draws the columns of one direction, ascending.
func (s *directions) columns() []int32 {
	for i := range s.Terms {
		j := i + s.draws.Intn(len(s.numeric)-i)
		s.numeric[i], s.numeric[j] = s.numeric[j], s.numeric[i]
	}
	chosen := slices.Clone(s.numeric[:s.Terms])
	slices.Sort(chosen)
	return chosen
}

// best returns the best split of a node on several columns, or axis, the best on one column, if
// none is better.
func (s *directions) best(nd *node, axis split) split {
	if len(s.numeric) < 2 {
		return axis
	}
	attempts := s.draw(nd)
	found := make([]split, len(attempts), len(attempts)+2)
	s.of.each(len(attempts), len(nd.list), func(sc *scanner, i int) { found[i] = s.along(sc, nd, attempts[i]) })
	if s.Linear {
		found = append(found, s.search(nd, axis))
	}
	return s.of.bestOf(nd, append([]split{axis}, found...))
}

// project returns what a split along a direction compares with its cut: the sum that
// tree.Tree.Project makes.
func (r *rawValues) project(a *attempt, pos uint32) float64 {
	sum := 0.0
	for _, t := range a.terms {
		x := r.value(t.Feature, pos)
		if a.kind == tree.Sphere {
			x -= t.Coef
			sum += float64(x * x)
		} else {
			sum += float64(x * t.Coef)
		}
	}
	return sum
}

// along finds the best cut along a direction. A row that lacks a value of the direction counts as
// missing, and so does one whose sum is no number (of infinities).
func (s *directions) along(sc *scanner, nd *node, a attempt) split {
	order, values := sc.rank(nd, func(pos uint32) float64 { return s.raw.project(&a, pos) })
	b := sc.scanOrder(nd, order)
	if b.found() {
		if b.cut = math.Inf(1); b.next != sorting.MissingRank {
			b.cut = cutBetween(values[b.rank], values[b.next])
		}
		b.feature, b.kind, b.terms = -1, a.kind, a.terms
	}
	return b
}

// rank sorts the rows of a node by a number computed for each and returns them as entries, with the
// value of each rank.
func (s *scanner) rank(nd *node, number func(pos uint32) float64) (order []entry, values []float64) {
	keys := make([]sorting.Keyed, len(nd.list))
	for i, pos := range nd.list {
		keys[i] = sorting.Keyed{Bits: sorting.Bits(number(pos)), Pos: uint32(i)}
	}
	slices.SortFunc(keys, func(a, b sorting.Keyed) int { return cmp.Or(cmp.Compare(a.Bits, b.Bits), cmp.Compare(a.Pos, b.Pos)) })
	order = make([]entry, len(keys))
	for i, k := range keys {
		pos := nd.list[k.Pos]
		rank := s.t.missing
		if k.Bits != sorting.MissingBits {
			if i == 0 || keys[i-1].Bits != k.Bits {
				values = append(values, number(pos))
			}
			rank = uint32(len(values) - 1)
		}
		key := rank << s.t.shift
		if s.t.shift > 0 {
			key |= s.t.pop.Class[pos]
		}
		order[i] = entry{Key: key, Pos: pos}
	}
	return order, values
}

// search improves a linear combination of scaled columns one coefficient at a time, starting from
// the best split on one column (Breiman et al. 1984, section 5.2; Murthy et al. 1994). A move adds
// a multiple of one column, first from a coarse grid, then from ever finer steps around the best;
// each is judged by the best cut of the new sums. It ends when no move improves the gain.
func (s *directions) search(nd *node, axis split) split {
	if !axis.found() || axis.kind != tree.Cut || s.scale[axis.feature] == 0 {
		return split{feature: -1}
	}
	l := line{s: s, nd: nd, coef: make([]float64, len(s.raw.columns)), columns: s.sorted(), gain: axis.gain}
	l.coef[axis.feature] = 1
	for range linearPasses {
		improved := false
		for _, m := range l.columns {
			improved = l.move(m) || improved
		}
		if !improved {
			break
		}
	}
	return s.settle(nd, l.coef)
}

// line is a linear combination of scaled columns on its way to a better one.
type line struct {
	s       *directions
	nd      *node
	columns []int32
	coef    []float64 // by column
	gain    float64
}

// The steps of a move, as multiples of the largest coefficient.
var coarse = []float64{0.125, 0.25, 0.5, 1, 2, 4}

const (
	finest = 1.0 / 128
	finer  = 0.5
)

// move changes the coefficient of column m to the best that the steps find, if the gain grows.
func (l *line) move(m int32) bool {
	largest := 0.0
	for _, c := range l.coef {
		largest = max(largest, math.Abs(c))
	}
	start, best, improved := l.coef[m], l.coef[m], false
	try := func(coef float64) {
		l.coef[m] = coef
		if b := l.cut(); b.found() && b.gain > l.gain+float64(relativeTie*l.nd.impurity) {
			best, l.gain, improved = coef, b.gain, true
		}
	}
	for _, step := range coarse {
		try(start - float64(step*largest))
		try(start + float64(step*largest))
	}
	for step := finer * math.Abs(best-start); improved && step > finest*largest; step *= finer {
		centre := best
		try(centre - step)
		try(centre + step)
	}
	l.coef[m] = best
	return improved
}

// cut finds the best cut of the combination.
func (l *line) cut() split {
	sc := l.s.of.team[0]
	order, _ := sc.rank(l.nd, func(pos uint32) float64 {
		sum := 0.0
		for _, c := range l.columns {
			if l.coef[c] != 0 {
				sum += float64(l.coef[c] * float64(l.s.raw.value(c, pos)*l.s.scale[c]))
			}
		}
		return sum
	})
	return sc.scanOrder(l.nd, order)
}

// sorted returns the numeric columns in ascending order, whatever draws have done to theirs.
func (s *directions) sorted() []int32 {
	c := slices.Clone(s.numeric)
	slices.Sort(c)
	return c
}

// settle turns coefficients of scaled columns into a direction of the columns themselves and finds
// its best cut.
func (s *directions) settle(nd *node, coef []float64) split {
	a := attempt{kind: tree.Oblique}
	for _, c := range s.sorted() {
		if coef[c] != 0 {
			a.terms = append(a.terms, tree.Term{Feature: c, Coef: float64(coef[c] * s.scale[c])})
		}
	}
	if len(a.terms) < 2 {
		return split{feature: -1}
	}
	return s.along(s.of.team[0], nd, a)
}

// branch returns the child that a split along a direction sends a row to, -1 if it has no value
// there.
func (r *rawValues) branch(b *split, pos uint32) int {
	x := r.project(&attempt{kind: b.kind, terms: b.terms}, pos)
	switch {
	case math.IsNaN(x):
		return -1
	case x <= b.cut:
		return 0
	}
	return 1
}
