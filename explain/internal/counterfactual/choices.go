package counterfactual

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/axes"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// choices are the values that a column of a row may be changed to: numbers ascending, or levels,
// and then perhaps the missing value.
type choices struct {
	name    string
	feature int32 // in the model
	at      int   // in the table
	levels  bool  // of a categorical feature, even if the table has their codes as numbers
	cost    []float64
	number  []float64 // of a numeric column
	code    []uint32  // of a categorical one
	numbers int       // values without the missing one
	like    []int32   // by code of the reference: the level that predicts the same; -1 = none
	label   []string  // of a categorical column
	from    any       // the row's own value
	own     float64
	// no other possible value predicts differently than one of these, or than the row's own
	complete bool
	// of levels, and last of the row's own: what the model knows: its code, -1 unseen, NaN missing
	values []float64
}

// len returns the number of values.
func (c *choices) len() int { return len(c.cost) }

// text returns a value as Change has it.
func (c *choices) text(at int32) any {
	if int(at) >= c.numbers {
		return nil
	}
	if c.code != nil {
		return c.label[c.code[at]]
	}
	return c.number[at]
}

// withOwn returns the choices with the row's own value among them.
func (c *choices) withOwn() choices {
	all := *c
	all.cost = append(slices.Clone(c.cost), 0)
	switch {
	case c.levels: // values end with it
	case math.IsNaN(c.own):
		all.number = append(slices.Clone(c.number), c.own)
	default:
		at, _ := slices.BinarySearch(c.number[:c.numbers], c.own)
		all.number, all.numbers = slices.Insert(slices.Clone(c.number), at, c.own), c.numbers+1
	}
	return all
}

// least returns the lowest cost of the values from one to another.
func (c *choices) least(from, to int32) float64 { return slices.Min(c.cost[from:to]) }

// tests is what the trees of a model do with each feature.
type tests struct {
	known  bool        // there are trees
	cuts   [][]float64 // split points
	whole  []bool      // all levels count, since not only sets of nodes distinguish them
	smooth []bool      // values between split points differ
	nodes  [][]testNode
}

// testNode is a node that tests a categorical feature.
type testNode struct {
	t *tree.Tree
	n int32
}

// testsOf collects the tests of trees; nil is any other model.
func testsOf(e *model.Ensemble, fields int) *tests {
	if e == nil {
		return &tests{}
	}
	all := len(e.Features().Fields)
	x := &tests{known: true, cuts: make([][]float64, all), whole: make([]bool, all),
		smooth: make([]bool, all), nodes: make([][]testNode, all)}
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			x.addNode(t, n)
		}
		if s := t.Surrogates; s != nil {
			for i, f := range s.Feature {
				if s.Kind[i] == tree.Numeric {
					x.cuts[f] = append(x.cuts[f], s.SplitPoint[i])
				}
				x.whole[f] = true
			}
		}
	}
	for f := fields; f < all; f++ {
		if x.cuts[f] == nil && !x.smooth[f] && !x.whole[f] {
			continue
		}
		for _, source := range e.Sources(int32(f)) {
			x.whole[source], x.smooth[source] = true, true
		}
	}
	for f := range x.cuts {
		slices.Sort(x.cuts[f])
		x.cuts[f] = slices.Compact(x.cuts[f])
	}
	return x
}

// addNode adds the test of a node, and the equation of a leaf.
func (x *tests) addNode(t *tree.Tree, n int32) {
	if t.Leaf.Linear != nil && t.Value(n) != nil {
		_, terms, _ := t.Equation(n)
		for _, f := range terms {
			x.smooth[f] = true
		}
	}
	switch f := t.Feature(n); {
	case t.Kind(n) == tree.Leaf:
	case f < 0:
		for _, f := range t.Looks(n) {
			x.smooth[f] = true
		}
	case t.Kind(n) == tree.Numeric:
		x.cuts[f] = append(x.cuts[f], t.SplitPoint(n))
	default:
		x.nodes[f] = append(x.nodes[f], testNode{t, n})
	}
}

// newNumbers fills in the choices of a numeric column. like is the column of the reference.
func (c *choices) newNumbers(x *tests, like *data.Column, missing bool) {
	sorted := axes.Ascending(like)
	for len(sorted) > 0 && math.IsInf(sorted[0], -1) {
		sorted = sorted[1:]
	}
	for len(sorted) > 0 && math.IsInf(sorted[len(sorted)-1], 1) {
		sorted = sorted[:len(sorted)-1]
	}
	smooth := !x.known || x.smooth[c.feature]
	c.complete = !smooth
	if len(sorted) > 0 {
		var cuts []float64
		if x.known {
			cuts = x.cuts[c.feature]
		}
		c.number = between(sorted, cuts, c.own)
		if smooth {
			for i := range quantiles + 1 {
				v := sorted[i*(len(sorted)-1)/quantiles]
				if v != c.own {
					c.number = append(c.number, v)
				}
			}
		}
		slices.Sort(c.number)
		c.number = slices.Compact(c.number)
	}
	scale := scaleOf(sorted)
	for _, v := range c.number {
		cost := math.Abs(v-c.own) / scale
		if math.IsNaN(cost) || math.IsInf(cost, 0) {
			cost = 1
		}
		c.cost = append(c.cost, cost)
	}
	c.numbers = len(c.number)
	if missing && !math.IsNaN(c.own) && (smooth || len(x.cuts[c.feature]) > 0) {
		c.number, c.cost = append(c.number, math.NaN()), append(c.cost, 1)
	}
}

// quantiles is the number of steps of the values that are tried where no split points are known.
const quantiles = 32

// scaleOf returns what a change of a number is divided by.
func scaleOf(sorted []float64) float64 {
	if len(sorted) == 0 {
		return 1
	}
	for _, scale := range []float64{axes.Quantile(sorted, 0.75) - axes.Quantile(sorted, 0.25),
		sorted[len(sorted)-1] - sorted[0]} {
		if scale > 0 {
			return scale
		}
	}
	return 1
}

// between returns a number for each interval between split points, but for that of the row's own
// number: the one nearest to it that the reference may have. Without an own number it is the one
// nearest to the median of the reference, for all intervals.
func between(sorted, cuts []float64, own float64) []float64 {
	if len(cuts) == 0 {
		return nil
	}
	least, most, g := sorted[0], sorted[len(sorted)-1], gridOfNumbers(sorted)
	var found []float64
	if math.IsNaN(own) {
		own = sorted[(len(sorted)-1)/2]
		found = append(found, own)
	}
	for i, cut := range cuts {
		if cut < own {
			v := min(g.below(cut), most)
			if v >= least && (i == 0 || v > cuts[i-1]) {
				found = append(found, v)
			}
			continue
		}
		v := max(g.above(cut), least)
		if v <= most && (i+1 == len(cuts) || v <= cuts[i+1]) {
			found = append(found, v)
		}
	}
	return found
}

// grid is numbers of so many decimals; any numbers if power is 0.
type grid struct{ power float64 }

// mostDecimals is the largest number of decimals of a grid.
const mostDecimals = 6

// gridOfNumbers returns the coarsest grid that has all of some numbers.
func gridOfNumbers(values []float64) grid {
	power := 1.0
	for _, v := range values {
		for {
			k := math.Round(v * power)
			if math.Abs(k) > 1<<52 {
				return grid{}
			}
			if k/power == v {
				break
			}
			if power *= 10; power > math.Pow10(mostDecimals) {
				return grid{}
			}
		}
	}
	return grid{power}
}

// below returns the greatest number of the grid that is not above x.
func (g grid) below(x float64) float64 {
	if g.power == 0 || !(math.Abs(x*g.power) < 1<<52) {
		return x
	}
	for k := math.Floor(x*g.power) + 1; ; k-- {
		if v := k / g.power; v <= x {
			return v
		}
	}
}

// above returns the least number of the grid that is above x.
func (g grid) above(x float64) float64 {
	if g.power == 0 || !(math.Abs(x*g.power) < 1<<52) {
		return math.Nextafter(x, math.Inf(1))
	}
	for k := math.Ceil(x*g.power) - 1; ; k++ {
		if v := k / g.power; v > x {
			return v
		}
	}
}

// nearest returns the place of the choice that stands for a number; -1 if that is the row's own.
func (c *choices) nearest(v float64) int32 {
	if math.IsNaN(v) {
		if c.numbers < c.len() {
			return int32(c.numbers)
		}
		return -1
	}
	at, found := slices.BinarySearch(c.number[:c.numbers], v)
	switch {
	case found:
	case c.levels:
		return -1
	case v < c.own && at < c.numbers && c.number[at] < c.own:
	case v > c.own && at > 0 && c.number[at-1] > c.own:
		at--
	case math.IsNaN(c.own) && c.numbers > 0:
		at = max(0, at-1)
	default:
		return -1
	}
	return int32(at)
}
