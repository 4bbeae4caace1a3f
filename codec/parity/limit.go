package parity

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// limit is what the tests above a node leave of a column.
type limit struct {
	low, high float64 // a number is above low and up to high
	state     state
	allowed   []uint64 // categories; nil = all
}

// state is whether a column may be missing.
type state uint8

const (
	either state = iota
	known
	missing
)

// below returns what is left of a column for rows that go from node n to its child c: known values
// if there are any, else missing ones if these go there.
func (l limit) below(t *tree.Tree, n, c int32, levels int) limit {
	first := c == t.Child(n)
	next := l
	next.state = known
	possible := l.state != missing
	switch t.Kind(n) {
	case tree.Numeric:
		if first {
			next.high = min(l.high, t.SplitPoint(n))
		} else {
			next.low = max(l.low, t.SplitPoint(n))
		}
		possible = possible && next.low < next.high
	case tree.SetFirst, tree.SetLast:
		inside := first == (t.Kind(n) == tree.SetFirst)
		next.allowed = restrict(l.allowed, t.Set(n), inside, levels)
		possible = possible && (!inside || slices.ContainsFunc(next.allowed,
			func(w uint64) bool { return w != 0 }))
	case tree.ByCode:
		code := int(c - t.Child(n))
		only := make([]uint64, code/64+1)
		only[code/64] = 1 << (code % 64)
		next.allowed = restrict(l.allowed, only, true, levels)
	}
	if !possible && l.state != known && t.NextMissing(n) == c {
		return limit{low: l.low, high: l.high, state: missing, allowed: l.allowed}
	}
	return next
}

// restrict returns the categories of allowed, nil = all, that are in a set, or are not: a bit for
// each level.
func restrict(allowed, set []uint64, inside bool, levels int) []uint64 {
	next := make([]uint64, (levels+63)/64)
	for i := range next {
		word := ^uint64(0)
		if allowed != nil {
			word = allowed[i]
		}
		if inside {
			next[i] = word & at(set, i)
		} else {
			next[i] = word &^ at(set, i)
		}
	}
	return next
}

func at(words []uint64, i int) uint64 {
	if i < len(words) {
		return words[i]
	}
	return 0
}

// admits reports whether a value is within the limit.
func (l *limit) admits(x float64) bool {
	switch {
	case math.IsNaN(x):
		return l.state != known
	case l.state == missing:
		return false
	case l.allowed != nil:
		return x >= 0 && tree.InSet(l.allowed, uint32(x))
	}
	return x > l.low && x <= l.high
}
