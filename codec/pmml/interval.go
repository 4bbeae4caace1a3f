package pmml

import (
	"cmp"
	"math"
	"slices"
)

// interval is an Interval of valid numbers: those that low does not hold for, and high does.
type interval struct {
	low, high       predicate // x below the left margin, x up to the right one
	fromLow, toHigh bool      // there is such a margin
}

// closures has whether the margins of an interval belong to it, by the name of its closure.
var closures = map[string][2]bool{"openOpen": {}, "openClosed": {false, true},
	"closedOpen": {true, false}, "closedClosed": {true, true}}

// interval reads an Interval of a field.
func (f *fields) interval(c *column, e *element) {
	closed, ok := closures[e.get("closure")]
	if !ok {
		fail("unknown closure %.50q", e.get("closure"))
	}
	f.Need(512)
	v := interval{low: predicate{operator: lessOrEqual, single: c.single},
		high: predicate{operator: less, single: c.single}}
	if closed[0] {
		v.low.operator = less
	}
	if closed[1] {
		v.high.operator = lessOrEqual
	}
	if text := e.get("leftMargin"); text != "" {
		v.fromLow = true
		v.low.value = comparable(text, c.single)
	}
	if text := e.get("rightMargin"); text != "" {
		v.toHigh = true
		v.high.value = comparable(text, c.single)
	}
	if !v.fromLow {
		v.low = predicate{value: math.Inf(-1)} // which sorts it before the others
	}
	c.intervals = append(c.intervals, v)
}

// sortIntervals orders the intervals of a field by their left margins, so that a number below one
// of them is in none of the later ones.
func (c *column) sortIntervals() {
	slices.SortStableFunc(c.intervals, func(a, b interval) int {
		return cmp.Or(cmp.Compare(a.low.value, b.low.value), cmp.Compare(a.low.operator, b.low.operator))
	})
}

// valid reports whether a number is in one of the intervals of a field, or it has none.
func (c *column) valid(x float64) bool {
	return len(c.intervals) == 0 || slices.ContainsFunc(c.intervals, func(v interval) bool {
		return !(v.fromLow && v.low.holds(x)) && !(v.toHigh && !v.high.holds(x))
	})
}

// inside makes the nodes that separate the numbers in the intervals of a column, from interval i
// on, and missing values, from those outside.
func (g *grower) inside(column int32, i int, then, outside outcome) int32 {
	if i == len(g.columns[column].intervals) {
		return outside()
	}
	v := &g.columns[column].intervals[i]
	below := then
	if v.toHigh {
		below = func() int32 {
			c, _ := v.high.upTo()
			rest := func() int32 { return g.inside(column, i+1, then, outside) }
			return g.number(column, c, outcomes{yes: then, no: rest, side: asTrue})
		}
	}
	if !v.fromLow {
		return below()
	}
	c, _ := v.low.upTo()
	return g.number(column, c, outcomes{yes: outside, no: below, side: asFalse})
}

// checked makes the root of a tree for rows without invalid numbers, which the model refuses.
func (g *grower) checked(root outcome) outcome {
	for i := len(g.columns) - 1; i >= 0; i-- {
		c, then := g.columns[i], root
		if len(c.intervals) > 0 && c.refuseInvalid && !c.texts {
			root = func() int32 { return g.inside(c.place, 0, then, g.null) }
		}
	}
	return root
}

// asMissing makes a test of a column whose invalid numbers count as missing values. It reports
// false where those are separated already.
func (g *grower) asMissing(p *predicate, o outcomes) (n int32, made bool) {
	c, f := g.columns[p.column], &g.facts[p.column]
	if len(c.intervals) == 0 || !c.asMissing || f.within || !f.known {
		return 0, false
	}
	with := func(change func(f *fact)) outcome {
		return func() int32 {
			before := g.facts[p.column]
			change(&g.facts[p.column])
			n := g.test(p, o)
			g.facts[p.column] = before
			return n
		}
	}
	n = g.inside(p.column, 0, with(func(f *fact) { f.within = true }), with(func(f *fact) {
		*f = fact{missing: true, invalid: true, within: true}
	}))
	return n, true
}
