package exact_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// problem is a small random learning problem.
type problem struct {
	frame *data.Frame
	pop   grow.Population
	row   criterion.Definition
}

// randomProblem makes a table with numeric and categorical columns, both with missing values and
// many ties.
func randomProblem(t *rapid.T, rows, levels int) problem {
	p := growtest.Random(t, rows, levels)
	return problem{p.Frame, p.Pop, p.Criterion}
}

// impurity computes the total impurity of some of the rows of a parent from the definition, without
// running sums.
func (p *problem) impurity(rows, parent []int) float64 {
	weights := func(rows []int) (total float64, fraction []float64) {
		fraction = make([]float64, p.pop.Classes)
		for _, i := range rows {
			total += p.weight(i)
			if p.pop.Class != nil {
				fraction[p.pop.Class[i]] += p.weight(i)
			}
		}
		return total, fraction
	}
	total, fraction := weights(rows)
	if total == 0 {
		return 0
	}
	if p.row.Deviance != nil {
		return p.deviance(rows)
	}
	sum := 0.0
	switch p.row.Name {
	case "gini":
		for _, s := range fraction {
			sum += s * (1 - s/total)
		}
	case "entropy", "gain_ratio":
		for _, s := range fraction {
			if s > 0 {
				sum -= s * math.Log2(s/total)
			}
		}
	case "misclassification":
		sum = total - slices.Max(fraction)
	case "hellinger":
		whole, all := weights(parent)
		present := 0.0
		for k, s := range fraction {
			if all[k] > 0 && all[k] < whole {
				sum += whole * math.Sqrt(s/all[k]*(total-s)/(whole-all[k]))
				present++
			}
		}
		sum /= max(present, 1)
	default:
		panic("no oracle for " + p.row.Name)
	}
	return sum
}

// deviance sums the losses of the prediction that has the least.
func (p *problem) deviance(rows []int) float64 {
	mean, total := 0.0, 0.0
	for _, i := range rows {
		total += p.weight(i)
		mean += p.weight(i) * p.pop.Y[i]
	}
	mean /= total
	sum := 0.0
	switch p.row.Name {
	case "squared_error":
		for _, i := range rows {
			sum += p.weight(i) * (p.pop.Y[i] - mean) * (p.pop.Y[i] - mean)
		}
	case "poisson":
		if mean == 0 {
			return math.Inf(1)
		}
		for _, i := range rows {
			if y := p.pop.Y[i]; y > 0 {
				sum += p.weight(i) * y * math.Log(y/mean)
			}
		}
	case "absolute_error":
		sum = math.Inf(1)
		for _, median := range rows {
			loss := 0.0
			for _, i := range rows {
				loss += p.weight(i) * math.Abs(p.pop.Y[i]-p.pop.Y[median])
			}
			sum = min(sum, loss)
		}
	default:
		panic("no oracle for " + p.row.Name)
	}
	return sum
}

func (p *problem) weight(i int) float64 {
	if p.pop.Weight == nil {
		return 1
	}
	return p.pop.Weight[i]
}

// worth returns what a split is chosen by: its gain, or its gain ratio.
func (p *problem) worth(first, last []int) float64 {
	both := slices.Concat(first, last)
	gain := p.impurity(both, both) - p.impurity(first, both) - p.impurity(last, both)
	if p.row.Name != "gain_ratio" {
		return gain
	}
	var a, b float64
	for _, i := range first {
		a += p.weight(i)
	}
	for _, i := range last {
		b += p.weight(i)
	}
	return gain / -(a/(a+b)*math.Log2(a/(a+b)) + b/(a+b)*math.Log2(b/(a+b)))
}

// best tries every two-sided split of every column: all split points, all subsets of categories,
// missing values on either side.
func (p *problem) best(minLeaf int) float64 {
	n := len(p.pop.Rows)
	best := math.Inf(-1)
	try := func(first func(i int) bool) {
		var a, b []int
		for i := range n {
			if first(i) {
				a = append(a, i)
			} else {
				b = append(b, i)
			}
		}
		if len(a) >= minLeaf && len(b) >= minLeaf {
			if w := p.worth(a, b); w > best { // not NaN: no positive value among the rows
				best = w
			}
		}
	}
	for c := range p.frame.Columns {
		col := &p.frame.Columns[c]
		for _, missingFirst := range []bool{true, false} {
			if col.Codes() != nil {
				for mask := range 1 << len(p.frame.Schema.Fields[c].Levels) {
					try(func(i int) bool {
						if col.Code(i) == data.MissingCode {
							return missingFirst
						}
						return mask>>col.Code(i)&1 == 1
					})
				}
				continue
			}
			for _, threshold := range append([]float64{math.Inf(1)}, col.Numbers()...) {
				try(func(i int) bool {
					if math.IsNaN(col.Number(i)) {
						return missingFirst
					}
					return col.Number(i) <= threshold
				})
			}
		}
	}
	return best
}

func (p *problem) categorical() bool {
	for _, c := range p.frame.Columns {
		if c.Codes() != nil {
			return true
		}
	}
	return false
}

// found returns what the root's split of a stump is worth by the rows as the finished tree sends
// them, and checks that the tree reports the same of them.
func (p *problem) found(t *rapid.T, stump *tree.Tree) float64 {
	var sides [2][]int
	for i := range p.pop.Rows {
		leaf := stump.Over(p.frame.Columns).LeafOf(int32(i))
		sides[leaf-1] = append(sides[leaf-1], i)
	}
	all := slices.Concat(sides[0], sides[1])
	gain := p.impurity(all, all)
	for k, rows := range sides {
		gain -= p.impurity(rows, all)
		if got := int(stump.Stats.Rows[1+k]); got != len(rows) {
			t.Fatalf("leaf %d has %d rows, %d reach it", k, got, len(rows))
		}
	}
	if got := stump.Stats.Gain[0]; math.Abs(got-gain) > 1e-9*(1+math.Abs(gain)) {
		t.Fatalf("the tree has gain %.12g, the rows as sent gain %.12g", got, gain)
	}
	return p.worth(sides[0], sides[1])
}

// prefixed reports whether the best set of categories may be looked for among the prefixes of an
// order.
func (p *problem) prefixed() bool {
	switch p.row.Name {
	case "squared_error":
		return true
	case "poisson":
		return slices.Min(p.pop.Y) > 0 // children that it refuses need not be prefixes
	}
	return p.row.Family == criterion.Classes && p.pop.Classes == 2 && p.row.Name != "gain_ratio"
}

// exactly reports whether the best of all splits is among those that the engine tries, where no
// column has more than ten categories. The best of the sets that leave minLeaf rows need not be a
// prefix of the ordered categories: the theorem is about all sets.
func (p *problem) exactly(minLeaf int) bool {
	subsets := p.row.Family == criterion.Classes && (p.pop.Classes > 2 || p.row.Name == "gain_ratio")
	return !p.categorical() || subsets || minLeaf == 1 && p.prefixed()
}

// TestStumpIsBest: the root's split is worth as much as the best of all splits.
func TestStumpIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 14, 4)
		minLeaf := rapid.IntRange(1, 3).Draw(t, "min_leaf")
		stump := growAll(t, &p, grow.Limits{Depth: 1, MinLeaf: minLeaf}, 1)
		want := p.best(minLeaf)
		exactly := p.exactly(minLeaf)
		if stump.Kind(0) == tree.Leaf {
			if exactly && (want > 1e-9 || !math.IsInf(want, -1) && stump.Stats.Impurity[0] > 1e-9) {
				t.Fatalf("no split, though one is worth %g", want)
			}
			return
		}
		got := p.found(t, stump)
		if got > want+1e-9*(1+want) || exactly && got < want-1e-9*(1+want) {
			t.Fatalf("the split is worth %.12g, the best of all %.12g", got, want)
		}
		for _, leaf := range []int{1, 2} {
			if rows := int(stump.Stats.Rows[leaf]); rows < minLeaf {
				t.Fatalf("%d rows in leaf %d", rows, leaf)
			}
		}
	})
}

// TestManyCategories: beyond the exhaustive limit the heuristic order is never better than the best
// set, and equal where the best set is a prefix.
func TestManyCategories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 40, 12)
		for c := range p.frame.Columns {
			if p.frame.Columns[c].Codes() == nil {
				t.Skip("numeric columns are TestStumpIsBest's")
			}
		}
		stump := growAll(t, &p, grow.Limits{Depth: 1}, 1)
		if stump.Kind(0) == tree.Leaf {
			return
		}
		got, want := p.found(t, stump), p.best(1)
		if got > want+1e-9*(1+want) || p.prefixed() && got < want-1e-9*(1+want) {
			t.Fatalf("the split is worth %.12g, the best %.12g", got, want)
		}
	})
}

// TestMultiplicity: a row that counts k times gives the tree of k copies of the row.
func TestMultiplicity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 20, 4)
		p.pop.Weight = nil
		var copied []int32
		for i := range p.pop.Rows {
			k := rapid.IntRange(1, 3).Draw(t, "count")
			p.pop.Count = append(p.pop.Count, uint32(k))
			p.pop.Weight = append(p.pop.Weight, float64(k))
			for range k {
				copied = append(copied, int32(i))
			}
		}
		q := p
		q.frame = p.frame.Subset(copied)
		q.pop = grow.Population{Classes: p.pop.Classes}
		for i, r := range copied {
			q.pop.Rows = append(q.pop.Rows, int32(i))
			if p.pop.Class != nil {
				q.pop.Class = append(q.pop.Class, p.pop.Class[r])
			} else {
				q.pop.Y = append(q.pop.Y, p.pop.Y[r])
			}
		}
		limits := grow.Limits{MinLeaf: rapid.IntRange(1, 4).Draw(t, "min_leaf")}
		a, b := growAll(t, &p, limits, 1), growAll(t, &q, limits, 1)
		if a.Len() != b.Len() {
			t.Fatalf("%s: %d nodes with counts, %d with copies", p.row.Name, a.Len(), b.Len())
		}
		for n := range int32(a.Len()) {
			if a.Stats.Rows[n] != b.Stats.Rows[n] || a.Feature(n) != b.Feature(n) || a.SplitPoint(n) != b.SplitPoint(n) {
				t.Fatalf("node %d differs", n)
			}
		}
	})
}

func growAll(t growtest.Fataler, p *problem, limits grow.Limits, workers int) *tree.Tree {
	prepared, err := growtest.Prepare(context.Background(), p.frame, nil, workers)
	if err != nil {
		t.Fatal(err)
	}
	grown, err := prepared.Grow(context.Background(), &p.pop, growtest.Config{Criterion: p.row, Limits: limits, Workers: workers, BestFirst: limits.Leaves > 0})
	if err != nil {
		t.Fatal(err)
	}
	return grown
}
