package tree

import (
	"math"

	"github.com/coppice-ml/coppice/data"
)

// NextNumeric returns the child of the Numeric node n that the value x goes to, -1 if x is NaN,
// which is missing.
func (t *Tree) NextNumeric(n int32, x float64) int32 {
	if math.IsNaN(x) {
		return -1
	}
	if x <= t.SplitPoint(n) {
		return t.Child(n)
	}
	return t.Child(n) + 1
}

// NextCode returns the child of set or ByCode node n that a category code goes to, -1 if it is
// missing. Codes that a set does not hold, unseen ones included, go opposite to it; at ByCode nodes
// they are missing.
func (t *Tree) NextCode(n int32, code uint32) int32 {
	first := t.Child(n)
	switch {
	case code == data.MissingCode:
		return -1
	case t.Kind(n) == ByCode:
		if code >= uint32(t.Arity(n)) {
			return -1
		}
		return first + int32(code)
	case InSet(t.Set(n), code) == (t.Kind(n) == SetFirst):
		return first
	}
	return first + 1
}

// Majority returns the child of inner node n with the largest fraction, of equal ones the first. In
// a tree without fractions it is the first child.
func (t *Tree) Majority(n int32) int32 {
	best := t.Child(n)
	if t.Fraction != nil {
		for c := best + 1; c < t.Child(n)+t.Arity(n); c++ {
			if t.Fraction[c] > t.Fraction[best] {
				best = c
			}
		}
	}
	return best
}

// NextMissing returns the child of inner node n that a row goes to when its value and those of all
// surrogates are missing. It is -1 where the rule names no child: MissingFractional and
// MissingStop.
func (t *Tree) NextMissing(n int32) int32 {
	switch t.Missing(n) {
	case MissingFirst:
		return t.Child(n)
	case MissingLast:
		return t.Child(n) + t.Arity(n) - 1
	case MissingMajority, MissingSurrogate:
		return t.Majority(n)
	}
	return -1
}

// Walk takes the rows of a table down a tree. It is a small value without memory of its own, for
// any number of rows and goroutines. Make it once for many rows.
type Walk struct {
	t       *Tree
	columns []data.Column
}

// Over returns the walk of the rows of a table, given by its columns: those of the tree's own
// schema, with its dictionaries.
func (t *Tree) Over(columns []data.Column) Walk { return Walk{t, columns} }

// nextMissing is NextMissing for a row of the table. The first surrogate that applies decides.
func (w Walk) nextMissing(n, row int32) int32 {
	if m := w.t.Missing(n); m == MissingSurrogate || m == MissingStop {
		if c := w.nextSurrogate(n, row); c >= 0 {
			return c
		}
	}
	return w.t.NextMissing(n)
}

// nextSurrogate returns the child that the first surrogate that applies names, -1 if there is none.
func (w Walk) nextSurrogate(n, row int32) int32 {
	s := w.t.Surrogates
	if s == nil {
		return -1
	}
	for i := s.At[n]; i < s.At[n+1]; i++ {
		c := &w.columns[s.Feature[i]]
		first := false
		if s.Kind[i] == Numeric {
			x := c.Number(int(row))
			if math.IsNaN(x) {
				continue
			}
			first = (x <= s.SplitPoint[i]) == (s.Flip[i] == 0)
		} else {
			if !InSet(s.Set(i), c.Code(int(row))) {
				continue
			}
			first = s.Kind[i] == SetFirst
		}
		if first {
			return w.t.Child(n)
		}
		return w.t.Child(n) + 1
	}
	return -1
}

// Set returns the bit set of surrogate i, nil where it has none.
func (s *Surrogates) Set(i int32) []uint64 {
	if s.SetAt == nil {
		return nil
	}
	return s.Sets[s.SetAt[i]:s.SetAt[i+1]]
}

// Project returns what Oblique or Sphere node n compares with its split point: NaN if a value of
// its direction is missing. value gives the row's value of a feature.
func (t *Tree) Project(n int32, value func(feature int32) float64) float64 {
	d := t.Dirs
	sum := 0.0
	for i := d.At[n]; i < d.At[n+1]; i++ {
		x := value(d.Feature[i])
		if t.Kind(n) == Sphere {
			x -= d.Coef[i]
			sum += float64(x * x)
		} else {
			sum += float64(x * d.Coef[i])
		}
	}
	return sum
}

// known returns the child that a known value leads to, -1 if it is missing.
func (w Walk) known(n, row int32) int32 {
	t := w.t
	switch t.Kind(n) {
	case Numeric:
		return t.NextNumeric(n, w.columns[t.Feature(n)].Number(int(row)))
	case Oblique, Sphere:
		return t.NextNumeric(n, t.Project(n, func(f int32) float64 {
			return w.columns[f].Number(int(row))
		}))
	}
	return t.NextCode(n, w.columns[t.Feature(n)].Code(int(row)))
}

// Next returns the child of inner node n that a row goes to. -1 means that the row stops at the
// node (MissingStop) or goes to all children (MissingFractional).
func (w Walk) Next(n, row int32) int32 {
	if c := w.known(n, row); c >= 0 {
		return c
	}
	return w.nextMissing(n, row)
}

// LeafOf returns the node at which a row ends: a leaf, or an inner node whose rule is MissingStop.
// Where a row goes to several children it follows the one of the largest fraction.
func (w Walk) LeafOf(row int32) int32 { return w.leafFrom(0, row) }

// leafFrom is LeafOf for a row that is at node n.
func (w Walk) leafFrom(n, row int32) int32 {
	for w.t.Kind(n) != Leaf {
		next := w.Next(n, row)
		if next < 0 {
			if w.t.Missing(n) == MissingStop {
				return n
			}
			next = w.t.Majority(n)
		}
		n = next
	}
	return n
}

// Visit calls f for every node that a row passes through, parents first, with the fraction of the
// row that reaches it: 1, or less below MissingFractional nodes. end reports that the row, or this
// fraction of it, goes no further.
func (w Walk) Visit(row int32, f func(n int32, fraction float64, end bool)) {
	w.visit(0, 1, row, f)
}

// visit is Visit from node n on.
func (w Walk) visit(n int32, fraction float64, row int32, f func(int32, float64, bool)) {
	t := w.t
	for {
		if t.Kind(n) == Leaf {
			f(n, fraction, true)
			return
		}
		next := w.Next(n, row)
		f(n, fraction, next < 0 && t.Missing(n) == MissingStop)
		if next < 0 {
			break
		}
		n = next
	}
	if t.Missing(n) != MissingFractional {
		return
	}
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		if p := float64(fraction * t.Fraction[c]); p > 0 {
			w.visit(c, p, row, f)
		}
	}
}
