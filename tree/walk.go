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

// walk is the way of the rows of a table down a tree.
type walk struct {
	*Tree
	columns []data.Column
}

// nextMissing is NextMissing for a row of the table. The first surrogate that applies decides.
func (t walk) nextMissing(n, row int32) int32 {
	if m := t.Missing(n); m == MissingSurrogate || m == MissingStop {
		if c := t.nextSurrogate(n, row); c >= 0 {
			return c
		}
	}
	return t.NextMissing(n)
}

// nextSurrogate returns the child that the first surrogate that applies names, -1 if there is none.
func (t walk) nextSurrogate(n, row int32) int32 {
	s := t.Surrogates
	if s == nil {
		return -1
	}
	for i := s.At[n]; i < s.At[n+1]; i++ {
		c := &t.columns[s.Feature[i]]
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
			return t.Child(n)
		}
		return t.Child(n) + 1
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
func (t walk) known(n, row int32) int32 {
	switch t.Kind(n) {
	case Numeric:
		return t.NextNumeric(n, t.columns[t.Feature(n)].Number(int(row)))
	case Oblique, Sphere:
		return t.NextNumeric(n, t.Project(n, func(f int32) float64 {
			return t.columns[f].Number(int(row))
		}))
	}
	return t.NextCode(n, t.columns[t.Feature(n)].Code(int(row)))
}

// next is NextRow.
func (t walk) next(n, row int32) int32 {
	if c := t.known(n, row); c >= 0 {
		return c
	}
	return t.nextMissing(n, row)
}

// NextRow returns the child of inner node n that a row of a table goes to. -1 means that the row
// stops at the node (MissingStop) or goes to all children (MissingFractional). The columns are
// those of the tree's own schema, with its dictionaries.
func (t *Tree) NextRow(n int32, columns []data.Column, row int32) int32 {
	return walk{t, columns}.next(n, row)
}

// LeafOf returns the node at which a row of a table ends: a leaf, or an inner node whose rule is
// MissingStop. Where a row goes to several children it follows the one of the largest fraction.
func (t *Tree) LeafOf(columns []data.Column, row int32) int32 {
	return walk{t, columns}.leafFrom(0, row)
}

// leafFrom is LeafOf for a row that is at node n.
func (t walk) leafFrom(n, row int32) int32 {
	for t.Kind(n) != Leaf {
		next := t.next(n, row)
		if next < 0 {
			if t.Missing(n) == MissingStop {
				return n
			}
			next = t.Majority(n)
		}
		n = next
	}
	return n
}

// Visit calls f for every node that a row of a table passes through, parents first, with the
// fraction of the row that reaches it: 1, or less below MissingFractional nodes. end reports that
// the row, or this fraction of it, goes no further.
func (t *Tree) Visit(
	columns []data.Column, row int32, f func(n int32, fraction float64, end bool),
) {
	walk{t, columns}.visit(0, 1, row, f)
}

// visit is Visit from node n on.
func (t walk) visit(n int32, fraction float64, row int32, f func(int32, float64, bool)) {
	for {
		if t.Kind(n) == Leaf {
			f(n, fraction, true)
			return
		}
		next := t.next(n, row)
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
			t.visit(c, p, row, f)
		}
	}
}
