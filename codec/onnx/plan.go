package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/tree"
)

// planned is a node of a tree that is made. Several may come from one node of the file: a number is
// equal to v if it is neither below v nor above, which takes two split points, and what follows an
// unequal number is there on both sides.
//
//	x == v ?   yes: A      becomes      x < v ?   yes: B   no: x <= v ?   yes: A   no: B
//	           no:  B
type planned struct {
	place       int32 // of the file's node; of a chain of equalities its first
	test, point int32 // of numbers tested for equality: which test, and which of its split points
	first, last int32 // children
}

// test is a test of numbers for equality with any of some values. Value i has the split points 2 i,
// below it, and 2 i + 1, up to it.
type test struct {
	values  []float64 // in the order in which the column's values come
	missing bool      // a missing value counts as one of them
}

// bytesPerPlanned is the size of planned, and of the lists that lead to it.
const bytesPerPlanned = 48

// mostCopies bounds the nodes that equality of numbers may add: so many for each node of the file.
const mostCopies = 16

// missingAlone is the point of a test that holds for missing values alone: all numbers go to the
// first child.
const missingAlone = -1

// pending is a node of the file that is to be laid out at a place of the plan.
type pending struct{ place, at int32 }

// check checks that the nodes below a root make a tree: none is below two others, but for what
// chains of equalities lead to.
func (c *conversion) check(root int32) error {
	open := []int32{root}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if c.found[n] {
			return fmt.Errorf("node %d is below two nodes, or above itself", c.nodes[n].number)
		}
		c.found[n] = true
		if c.nodes[n].mode != leaf {
			yes, no := c.branches(n)
			open = append(open, yes, no)
		}
	}
	return nil
}

// layOut makes the plan of a tree.
func (c *conversion) layOut(root int32) {
	c.plan, c.tests = append(c.plan[:0], planned{}), c.tests[:0]
	open := []pending{{root, 0}}
	for len(open) > 0 {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		d := &c.nodes[next.place]
		c.plan[next.at] = planned{place: next.place, first: -1, last: -1}
		switch {
		case d.mode == leaf:
			continue
		case d.mode >= equal && !c.categorical(d):
			c.equality(next, &open)
			continue
		}
		first, last := c.children(next.place)
		at := c.append(2)
		c.plan[next.at].first, c.plan[next.at].last = at, at+1
		open = append(open, pending{last, at + 1}, pending{first, at})
	}
}

// append appends nodes to the plan and returns the place of the first.
func (c *conversion) append(n int) int32 {
	at := len(c.plan)
	if at+n > mostCopies*len(c.nodes)+1024 {
		refuse("equality of numbers in so many nodes that their trees are more "+
			"than %d times as large", mostCopies)
	}
	c.Need(int64(n) * bytesPerPlanned)
	c.plan = append(c.plan, make([]planned, n)...)
	return int32(at)
}

// children returns the file's nodes of a node that is one split: the child of numbers up to the
// split point, or of the codes in the set, and the other.
func (c *conversion) children(place int32) (first, last int32) {
	d := &c.nodes[place]
	yes, no := c.branches(place)
	lower := d.mode == upTo || d.mode == below || d.mode == equal || d.mode == member
	if d.mode < equal && c.columns[d.feature].descends() {
		lower = !lower
	}
	if lower {
		return yes, no
	}
	return no, yes
}

// branches returns the nodes behind a comparison that holds and that does not. Equalities of one
// column that lead to one node if they hold are one test for a set: then the second node is that
// behind the last of them.
func (c *conversion) branches(place int32) (yes, no int32) {
	d := &c.nodes[place]
	for range c.nodes {
		next := c.chained(d)
		if next == nil {
			break
		}
		d = next
	}
	return d.yes, d.no
}

// chained returns the node that tests the same column for another value of the same set, nil if
// there is none.
func (c *conversion) chained(d *treeNode) *treeNode {
	next := &c.nodes[d.no]
	if d.mode != equal && d.mode != member || next.mode != equal && next.mode != member ||
		next.feature != d.feature || next.yes != d.yes {
		return nil
	}
	return next
}

// testOf returns what a chain of equalities tests for; values ascend.
func (c *conversion) testOf(place int32) test {
	var t test
	d := &c.nodes[place]
	for range c.nodes {
		c.Need(16 * int64(len(c.operands(d))))
		t.values = append(t.values, c.operands(d)...)
		t.missing = t.missing || d.tracks && d.mode != unequal // NaN is unequal to all numbers
		next := c.chained(d)
		if next == nil {
			break
		}
		d = next
	}
	t.values = slices.DeleteFunc(t.values, math.IsNaN)
	slices.Sort(t.values)
	t.values = slices.Compact(t.values)
	return t
}

// equality lays out a test of numbers for equality as a chain of split points.
func (c *conversion) equality(next pending, open *[]pending) {
	yes, no := c.branches(next.place)
	if c.nodes[next.place].mode == unequal {
		yes, no = no, yes
	}
	t := c.testOf(next.place)
	if c.columns[c.nodes[next.place].feature].descends() {
		slices.Reverse(t.values)
	}
	c.tests = append(c.tests, t)
	at := next.at
	if len(t.values) == 0 && t.missing {
		child := c.append(2)
		c.plan[at] = planned{next.place, int32(len(c.tests) - 1), missingAlone, child, child + 1}
		*open = append(*open, pending{yes, child + 1}, pending{no, child})
		return
	}
	for point := range 2 * len(t.values) {
		child := c.append(2)
		c.plan[at] = planned{next.place, int32(len(c.tests) - 1), int32(point), child, child + 1}
		inside := no
		if point%2 == 1 {
			inside = yes
		}
		*open = append(*open, pending{inside, child})
		at = child + 1
	}
	*open = append(*open, pending{no, at})
}

// node makes a planned node of the current tree.
func (c *conversion) node(number int32, n *foreign.Node) error {
	p := &c.plan[number]
	d := &c.nodes[p.place]
	if d.mode == leaf {
		n.Number, n.Value = d.number, c.value(n.Value, d)
		return nil
	}
	col := &c.columns[d.feature]
	n.Children = append(n.Children, p.first, p.last)
	n.Split.Feature, n.Split.Missing = col.field, tree.MissingLast
	switch {
	case d.mode < equal:
		if holds, _ := c.branches(p.place); d.tracks == (c.firstOf(p.place) == holds) {
			n.Split.Missing = tree.MissingFirst
		}
		c.compare(n, col, d.value, d.mode == upTo || d.mode == above)
	case c.categorical(d):
		t := c.testOf(p.place)
		if t.missing {
			n.Split.Missing = tree.MissingFirst
		}
		n.Split.Kind = tree.SetFirst
		c.setOf(n, t.values)
	default:
		t := &c.tests[p.test]
		if p.point == missingAlone {
			n.Split.Kind, n.Split.SplitPoint = tree.Numeric, math.Inf(1)
			return nil
		}
		// below the first value is none of the values
		if !t.missing && p.point == 0 || t.missing && p.point == 1 {
			n.Split.Missing = tree.MissingFirst
		}
		c.compare(n, col, t.values[p.point/2], (p.point%2 == 1) != col.descends())
	}
	return nil
}

// firstOf returns the file's node of the first child of a node that is one split.
func (c *conversion) firstOf(place int32) int32 {
	first, _ := c.children(place)
	return first
}

// setOf sets the codes of a split.
func (c *conversion) setOf(n *foreign.Node, values []float64) {
	words := 0
	if len(values) > 0 {
		words = int(values[len(values)-1])/64 + 1
	}
	c.Need(16 * int64(words))
	n.Split.Set = append(n.Split.Set, make([]uint64, words)...)
	for _, v := range values {
		n.Split.Set[int(v)/64] |= 1 << (int(v) % 64)
	}
}

// compare makes n a split point: numbers whose column is below t, or up to t if with, go to the
// first child; of a column that descends those which are not.
func (c *conversion) compare(n *foreign.Node, col *column, t float64, with bool) {
	at, never := 0.0, false
	switch rounds, plain := col.plain(); {
	case plain && !rounds:
		at, never = t, math.IsNaN(t)
		if !with {
			at, never = math.Nextafter(t, math.Inf(-1)), never || math.IsInf(t, -1)
		}
	case plain && float64(float32(t)) == t && with:
		at, never = tree.UpTo32(float32(t))
	case plain && float64(float32(t)) == t:
		at, never = tree.Below32(float32(t))
	default:
		at, never = col.search(func(y float64) bool { return y < t || with && y == t })
	}
	n.Split.Kind, n.Split.SplitPoint = tree.Numeric, at
	if never {
		n.Never()
	}
}

// search returns the greatest x for which a comparison of what the column makes of x holds, or of
// a column that descends does not hold; never reports that there is none. The steps of a column
// keep the order of numbers, or reverse it.
func (c *column) search(holds func(y float64) bool) (x float64, never bool) {
	down := c.descends()
	inside := func(x float64) bool { return holds(c.of(x)) != down }
	if !inside(math.Inf(-1)) {
		return 0, true
	}
	if inside(math.Inf(1)) {
		return math.Inf(1), false
	}
	// numbers in their order, as integers
	number := func(k int64) float64 {
		if k < 0 {
			return -math.Float64frombits(uint64(-k))
		}
		return math.Float64frombits(uint64(k))
	}
	hi := int64(math.Float64bits(math.Inf(1)))
	lo := -hi
	for uint64(hi-lo) > 1 {
		middle := lo + int64(uint64(hi-lo)/2)
		if inside(number(middle)) {
			lo = middle
		} else {
			hi = middle
		}
	}
	return number(lo), false
}
