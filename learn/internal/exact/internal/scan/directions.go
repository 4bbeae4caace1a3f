package scan

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// linearPasses bounds the passes of the greedy search over all coefficients; it mostly ends after a
// few.
const linearPasses = 8

// Directions tries splits on several columns. Random choices are made before the work is divided
// among workers.
type Directions struct {
	exact.Directions
	of      *Chooser
	raw     growth.RawValues
	rows    int // of the tree
	random  rng.Stream
	numeric []int32 // the numeric columns
	// by column: 1 / standard deviation of the known values, 0 if they are constant
	scale []float64
}

// NewDirections returns what tries directions on so many rows; nil if none are requested.
func NewDirections(
	d exact.Directions, of *Chooser, raw growth.RawValues, rows int,
) *Directions {
	if !d.Any() {
		return nil
	}
	s := &Directions{Directions: d, of: of, raw: raw, rows: rows,
		scale: make([]float64, len(raw.Num))}
	s.Terms = max(s.Terms, 2)
	for i := range raw.Num {
		if raw.Num[i].Len() == 0 {
			continue
		}
		if s.setScale(i); s.scale[i] > 0 {
			s.numeric = append(s.numeric, int32(i))
		}
	}
	s.Terms = min(s.Terms, len(s.numeric))
	return s
}

// setScale finds the scale of a column; a column with an infinite value keeps scale 0 and is left
// out.
func (s *Directions) setScale(i int) {
	n, mean, squares := 0.0, 0.0, 0.0
	for pos := range s.rows {
		x := s.raw.Value(int32(i), uint32(pos))
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

// attempt makes the random attempts of a node.
func (s *Directions) attempt(nd *growth.Node) []growth.Split {
	s.random.Reset(nd.Key, growth.DirectionStream)
	slices.Sort(s.numeric)
	var list []growth.Split
	for range s.Random {
		a := growth.Split{Kind: tree.Oblique}
		for _, c := range s.columns() {
			a.Terms = append(a.Terms,
				tree.Term{Feature: c, Coef: float64((2*s.random.Float64() - 1) * s.scale[c])})
		}
		list = append(list, a)
	}
	for range s.Sphere {
		a := growth.Split{Kind: tree.Sphere}
		centre := nd.Rows[s.random.Intn(len(nd.Rows))]
		for _, c := range s.columns() {
			if x := s.raw.Value(c, centre); !math.IsNaN(x) {
				a.Terms = append(a.Terms, tree.Term{Feature: c, Coef: x})
			}
		}
		if len(a.Terms) > 0 {
			list = append(list, a)
		}
	}
	return list
}

// columns samples the columns of one direction, ascending.
func (s *Directions) columns() []int32 {
	for i := range s.Terms {
		j := i + s.random.Intn(len(s.numeric)-i)
		s.numeric[i], s.numeric[j] = s.numeric[j], s.numeric[i]
	}
	chosen := slices.Clone(s.numeric[:s.Terms])
	slices.Sort(chosen)
	return chosen
}

// Best returns the best split of a node on several columns, or axis, the best on one column, if
// none is better.
func (s *Directions) Best(nd *growth.Node, axis growth.Split) growth.Split {
	if len(s.numeric) < 2 {
		return axis
	}
	attempts := s.attempt(nd)
	found := make([]growth.Split, len(attempts), len(attempts)+2)
	s.of.Each(len(attempts), len(nd.Rows),
		func(sc *Scanner, i int) { found[i] = s.along(sc, nd, attempts[i]) })
	if s.Linear {
		found = append(found, s.search(nd, axis))
	}
	return s.of.BestOf(nd, append([]growth.Split{axis}, found...))
}

// along finds the best split point along a direction. A row without a value of the direction counts
// as missing, and so does one whose sum is no number (of infinities).
func (s *Directions) along(sc *Scanner, nd *growth.Node, a growth.Split) growth.Split {
	order, values := rankRows(sc, nd,
		func(pos uint32) float64 { return s.raw.Project(a.Kind, a.Terms, pos) })
	b := sc.ScanOrder(nd, order)
	if b.Found() {
		if b.SplitPoint = math.Inf(1); b.Next != sorting.MissingRank {
			b.SplitPoint = growth.SplitPointBetween(values[b.Rank], values[b.Next])
		}
		b.Feature, b.Kind, b.Terms = -1, a.Kind, a.Terms
	}
	return b
}

// rankRows sorts the rows of a node by a number computed for each and returns them as entries, with
// the value of each rank.
func rankRows(
	s *Scanner, nd *growth.Node, number func(pos uint32) float64,
) (order []sorting.Entry, values []float64) {
	keys := make([]sorting.Keyed, len(nd.Rows))
	for i, pos := range nd.Rows {
		keys[i] = sorting.Keyed{Bits: sorting.Bits(number(pos)), Pos: uint32(i)}
	}
	slices.SortFunc(keys,
		func(a, b sorting.Keyed) int {
			return cmp.Or(cmp.Compare(a.Bits, b.Bits),
				cmp.Compare(a.Pos, b.Pos))
		})
	order = make([]sorting.Entry, len(keys))
	for i, k := range keys {
		pos := nd.Rows[k.Pos]
		rank := s.Task.MissingRank
		if k.Bits != sorting.MissingBits {
			if i == 0 || keys[i-1].Bits != k.Bits {
				values = append(values, number(pos))
			}
			rank = uint32(len(values) - 1)
		}
		key := rank << s.Task.Shift
		if s.Task.Shift > 0 {
			key |= s.Task.Pop.Class[pos]
		}
		order[i] = sorting.Entry{Key: key, Pos: pos}
	}
	return order, values
}

// search improves a linear combination of scaled columns one coefficient at a time, starting from
// the best split on one column (Breiman et al. 1984, section 5.2; Murthy et al. 1994). A move adds
// a multiple of one column, first from a coarse grid, then from ever finer steps around the best.
// Each move is judged by the best split point of the new sums. The search ends when no move
// improves the gain.
func (s *Directions) search(nd *growth.Node, axis growth.Split) growth.Split {
	if !axis.Found() || axis.Kind != tree.Numeric || s.scale[axis.Feature] == 0 {
		return growth.Split{Feature: -1}
	}
	l := line{s: s, nd: nd, coef: make([]float64, len(s.raw.Num)), columns: s.sorted(),
		gain: axis.Gain}
	l.coef[axis.Feature] = 1
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
	s       *Directions
	nd      *growth.Node
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
		if b := l.split(); b.Found() && b.Gain > l.gain+float64(growth.RelativeTie*l.nd.Impurity) {
			best, l.gain, improved = coef, b.Gain, true
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

// split finds the best split point of the combination.
func (l *line) split() growth.Split {
	sc := l.s.of.Team[0]
	order, _ := rankRows(sc, l.nd, func(pos uint32) float64 {
		sum := 0.0
		for _, c := range l.columns {
			if l.coef[c] != 0 {
				sum += float64(l.coef[c] * float64(l.s.raw.Value(c, pos)*l.s.scale[c]))
			}
		}
		return sum
	})
	return sc.ScanOrder(l.nd, order)
}

// sorted returns the numeric columns in ascending order, whatever sampling has done to theirs.
func (s *Directions) sorted() []int32 {
	c := slices.Clone(s.numeric)
	slices.Sort(c)
	return c
}

// settle turns coefficients of scaled columns into a direction of the columns themselves and finds
// its best split point.
func (s *Directions) settle(nd *growth.Node, coef []float64) growth.Split {
	a := growth.Split{Kind: tree.Oblique}
	for _, c := range s.sorted() {
		if coef[c] != 0 {
			a.Terms = append(a.Terms, tree.Term{Feature: c, Coef: float64(coef[c] * s.scale[c])})
		}
	}
	if len(a.Terms) < 2 {
		return growth.Split{Feature: -1}
	}
	return s.along(s.of.Team[0], nd, a)
}
