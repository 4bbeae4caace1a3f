package cart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// Why our tree and rpart's differ at a node. What lies below is then not compared.
const (
	tie     = "another split gains the same but for rounding"
	tiedSet = "rpart orders categories of equal frequencies from the other end, so that min_leaf lets " +
		"other sets pass"
	tiedCode = "a surrogate's category, and all its categories, weigh the same on both sides"
	twin     = "a categorical column repeats the split but for one row at most: in rpart that is " +
		"no surrogate"
	halves = "both children weigh the same: in rpart rows without a surrogate then stay"
)

// different lists where and why, by case and by rpart's number of the node.
func different() map[int]map[int]string {
	return map[int]map[int]string{
		2: {15: tie}, 14: {22: tie}, 29: {101: tie}, 39: {110: tie},
		21: {7: tiedSet}, 33: {28: tiedCode, 59: tiedSet, 71: tie}, 34: {107: tiedSet},
		35: {28: tiedCode, 59: tiedSet},
		25: {60: twin, 71: twin, 2201: twin, 11462: twin}, 28: {587: twin}, 46: {1: twin},
		47: {1: twin},
		49: {1: halves},
	}
}

// unsteady are the rows of cross-validation in which xerror differs by a few rows' errors: in a
// fold the trees differ as above.
func unsteady() map[int]int {
	return map[int]int{12: 1, 13: 1, 14: 4, 15: 4, 20: 1, 25: 5, 28: 5, 31: 13, 33: 10, 34: 10}
}

// TestRpart compares the learner with R's rpart. It compares all nodes with rows, risk, prediction,
// gain and complexity, primary splits, and surrogates with agreement. It also compares the nodes at
// which rows end, the CP table, and cross-validation with the folds passed in. See
// testdata/rpart/README.md.
//
// Not compared are surrogatestyle 1 and costs of columns, which the learner does not have.
// Predictions and cross-validation are made with our trees by rpart's rules (rpartBranch.next),
// which differ from ours; and so do its complexities where branches collapse in another order than
// by the weakest link: there our path costs less.
func TestRpart(t *testing.T) {
	tier.NotShort(t, "grows the trees of rpart on each set")
	sets, cases := readRpart(t)
	for i, c := range cases {
		if c.Control.SurrogateStyle == 1 || c.Cost != nil {
			continue
		}
		t.Run(fmt.Sprint(i, " ", c.Set), func(t *testing.T) {
			x := newComparison(c.run(t, sets[c.Set]))
			x.node(0, 0)
			if want := different()[i]; !maps.Equal(x.differing, want) {
				t.Errorf("the trees differ at %v, want %v", x.differing, want)
			}
			x.ends()
			x.weakest()
			if len(x.differing) == 0 {
				x.table()
			}
			if c.Xval {
				x.validation(unsteady()[i])
			}
		})
	}
}

// comparison walks through our tree, grown without regard to cp, and rpart's.
type comparison struct {
	*rpartBranch
	t         *testing.T
	c         *rpartCase
	index     map[int]int    // rpart's number -> place in c.Nodes
	split     []int          // by place: its primary in c.Splits
	of        map[int32]int  // our node -> place
	differing map[int]string // by rpart's number
}

func newComparison(r *rpartRun) *comparison {
	x := &comparison{rpartBranch: r.branch(r.full, r.rows, r.Control.CP*r.risk), t: r.t,
		c: r.rpartCase, index: map[int]int{}, of: map[int32]int{}}
	at := 0
	for k, number := range x.c.Nodes.Node {
		x.index[number] = k
		x.split = append(x.split, at)
		if x.c.Nodes.Column[k] != nil {
			at += 1 + x.c.Nodes.NCompete[k] + x.c.Nodes.NSurrogate[k]
		}
	}
	return x
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

// differAt notes why the trees differ at place k.
func (x *comparison) differAt(k int, why string) {
	if x.differing == nil {
		x.differing = map[int]string{}
	}
	x.differing[x.c.Nodes.Node[k]] = why
}

// node compares node n with rpart's at place k, and what lies below.
func (x *comparison) node(k int, n int32) {
	nodes, number, before := &x.c.Nodes, x.c.Nodes.Node[k], len(x.differing)
	x.of[n] = k
	value := x.Value(n)
	yval := value[0]
	if x.Leaf.Kind == tree.Counts {
		yval = float64(x.run.job.factors.costs.Label(value))
	}
	if int(x.Stats.Rows[n]) != nodes.N[k] || !near(x.risk[n], nodes.Dev[k]) ||
		!near(yval, nodes.Yval[k]) {
		x.t.Errorf("node %d: %d rows, risk %v, prediction %v; rpart has %d, %v, %v", number,
			x.Stats.Rows[n], x.risk[n], yval, nodes.N[k], nodes.Dev[k], nodes.Yval[k])
		return
	}
	if nodes.Column[k] == nil {
		if !x.leaf(n) {
			x.differAt(k, tiedSet)
		}
		return
	}
	if x.Kind(n) == tree.Leaf {
		x.t.Errorf("node %d is a leaf, in rpart it is not", number)
		return
	}
	leftFirst, why := x.primary(k, n)
	if why == "" {
		why = x.surrogates(k, n, leftFirst)
	}
	if why != "" {
		x.differAt(k, why)
		return
	}
	left, right := x.Child(n), x.Child(n)+1
	if !leftFirst {
		left, right = right, left
	}
	x.node(x.index[2*number], left)
	x.node(x.index[2*number+1], right)
	if len(x.differing) == before && !near(x.complex[n]/x.risk[0], nodes.Complexity[k]) {
		x.t.Errorf("node %d: complexity %v, in rpart %v", number, x.complex[n]/x.risk[0],
			nodes.Complexity[k])
	}
}

// primary compares the split of node n with that of rpart's at place k. It returns whether the
// first child is the left one, and why the trees part.
func (x *comparison) primary(k int, n int32) (leftFirst bool, why string) {
	s, column := x.split[k], *x.c.Nodes.Column[k]
	gain, improve := x.Stats.Gain[n], x.c.Splits.Improve[s]
	switch {
	case x.Leaf.Kind != tree.Counts:
		gain /= x.risk[n]
	case x.c.Parms.Split == "information":
		gain *= math.Ln2
	}
	leftFirst, same := x.sameSplit(n, s)
	switch {
	case near(gain, improve) && int(x.Feature(n)) == column && same:
		return leftFirst, ""
	case near(gain, improve):
		return false, tie
	case gain > improve && x.Kind(n) != tree.Numeric:
		return false, tiedSet
	}
	x.t.Errorf("node %d: gain %v by column %d, in rpart %v by column %d", x.c.Nodes.Node[k], gain,
		x.Feature(n), improve, column)
	return leftFirst, tie
}

// sameSplit reports whether the split of node n parts the values as rpart's split s, and whether
// its first child is the left one.
func (x *comparison) sameSplit(n int32, s int) (leftFirst, same bool) {
	ncat := x.c.Splits.Ncat[s]
	if numeric := ncat == 1 || ncat == -1; numeric || x.Kind(n) == tree.Numeric {
		return ncat == -1, numeric && x.Kind(n) == tree.Numeric &&
			near(x.SplitPoint(n), x.c.Splits.Index[s])
	}
	leftFirst, opposite := true, true
	for code, direction := range x.c.Csplit[int(x.c.Splits.Index[s])-1] {
		if direction == 0 {
			continue
		}
		if first := x.NextCode(n, uint32(code)) == x.Child(n); first == (direction == -1) {
			opposite = false
		} else {
			leftFirst = false
		}
	}
	return leftFirst, leftFirst || opposite
}

// ends compares the nodes at which rows end: those trained on as they were sent, all as they are
// predicted.
func (x *comparison) ends() {
	sent := func(n, row int32) int32 {
		if next := x.Over(x.run.ds.Columns).Next(n, row); next >= 0 {
			return next
		}
		return n
	}
	predicted := func(n, row int32) int32 { return x.next(n, row, false) }
	for what, c := range map[string]struct {
		want []*int
		next func(n, row int32) int32
	}{"training": {x.c.Where, sent}, "predicted": {x.c.Routed, predicted}} {
		for row, want := range c.want {
			if want == nil {
				continue
			}
			if k, ok := x.end(int32(row), c.next); ok && k != *want {
				x.t.Errorf("%s row %d ends at %d, in rpart at %d", what, row, x.c.Nodes.Node[k],
					x.c.Nodes.Node[*want])
			}
		}
	}
}

// end follows a row to its end among the compared nodes; false if it comes to one at which the
// trees differ.
func (x *comparison) end(row int32, next func(n, row int32) int32) (int, bool) {
	for n := int32(0); ; {
		k, ok := x.of[n]
		if !ok || x.differing[x.c.Nodes.Node[k]] != "" {
			return 0, false
		}
		if x.c.Nodes.Column[k] == nil {
			return k, true
		}
		to := next(n, row)
		if to == n {
			return k, true
		}
		n = to
	}
}

// table compares the CP table. A row for cp = 0 may count branches that save nothing but rounding.
func (x *comparison) table() {
	var want [][]float64
	for i, row := range x.c.CP {
		if i == 0 || want[len(want)-1][0]-row[0] > 1e-13 && row[0] > tiny || row[0] == 0 {
			want = append(want, row)
		}
	}
	got := x.rows()
	if len(got) != len(want) {
		x.t.Fatalf("CP table %v, in rpart %v", got, want)
	}
	for i, row := range got {
		if !near(row[0], want[i][0]) || !near(row[1], want[i][1]) && want[i][0] > 0 ||
			!near(row[2], want[i][2]) {
			x.t.Errorf("row %d of the CP table: %v, in rpart %v", i, row, want[i])
		}
	}
}

// weakest checks that at each penalty of the CP table our subtree costs no more than rpart's. Where
// rpart's rows cost as little they must be subtrees of our path. Rows that stop cost rpart nothing,
// so that its risks then are no costs.
func (x *comparison) weakest() {
	if len(x.differing) > 0 {
		return
	}
	for _, row := range x.c.CP {
		cp := row[0] * (1 + 1e-9)
		at := slices.IndexFunc(x.run.path.Steps,
			func(s prune.Step) bool { return s.Alpha/x.run.root > cp })
		if at < 0 {
			at = len(x.run.path.Steps)
		}
		own := x.run.path.Steps[at-1]
		a, b := own.Cost/x.run.root+cp*float64(own.Leaves-1), row[2]+cp*row[1]
		if a > b+1e-9 {
			x.t.Errorf("at penalty %v our subtree costs %v, rpart's %v", cp, a, b)
		}
	}
}

// validation compares xerror and xstd of each row; a given number of them differ.
func (x *comparison) validation(unsteady int) {
	betas := []float64{10 * x.c.CP[0][0] * x.risk[0]}
	for i := 1; i < len(x.c.CP); i++ {
		betas = append(betas, math.Sqrt(x.c.CP[i-1][0]*x.c.CP[i][0])*x.risk[0])
	}
	xerror, xstd := x.run.validate(betas)
	differ := 0
	for i, row := range x.c.CP {
		if near(xerror[i], row[3]) && near(xstd[i], row[4]) {
			continue
		}
		if differ++; math.Abs(xerror[i]-row[3]) > 0.02 || unsteady == 0 {
			x.t.Errorf("row %d: xerror %v, xstd %v, in rpart %v, %v", i, xerror[i], xstd[i], row[3],
				row[4])
		}
	}
	if differ > unsteady {
		x.t.Errorf("%d of %d rows differ from rpart's, %d were expected", differ, len(x.c.CP),
			unsteady)
	}
}
