package hist

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Values that a node had not go to the child of larger weight; of equal ones to that of the mean
// nearer to the root's. All others go where the rows of the node have gone.
func TestUnseenValuesGoToTheHeavierChild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.Policy = Policy(rapid.IntRange(0, 2).Draw(t, "any policy"))
		p.c.Categories.OneHot = rapid.SampledFrom([]int{0, 4, 8}).Draw(t, "one hot")
		p.c.Unseen = true
		if rapid.Bool().Draw(t, "weighted") {
			for range p.g {
				p.c.Weight = append(p.c.Weight,
					float64(rapid.IntRange(1, 3).Draw(t, "row weight"))/7)
			}
		}
		ordered := rapid.Bool().Draw(t, "ordered")
		if ordered {
			for i := range p.m.Columns {
				p.c.Order = append(p.c.Order, data.AllRows(p.m.Columns[i].Values))
			}
		}
		var some []int32
		for r := range p.g {
			if rapid.IntRange(0, 3).Draw(t, "in") > 0 {
				some = append(some, int32(r))
			}
		}
		if len(some) == 0 {
			some = nil
		}
		grown, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, some, 1)
		if err != nil {
			t.Fatal(err)
		}
		made, err := grown.Tree(1)
		if err != nil {
			t.Fatal(err)
		}
		rows := p.rowsOf(grown.grown)
		if some != nil {
			for n := range rows {
				rows[n] = slices.DeleteFunc(rows[n], func(r int32) bool { return !contains(some, r) })
			}
		}
		for _, level := range p.levelsOf(grown.grown) {
			p.checkUnseen(t, made, level, rows, ordered)
		}
	})
}

// levelsOf returns the splits of a tree that are one: in symmetric trees those of a level.
func (p *problem) levelsOf(t *grown) [][]*open {
	var all [][]*open
	depth := int32(-1)
	for _, l := range t.split {
		if p.c.Policy == Symmetric && l.depth == depth {
			all[len(all)-1] = append(all[len(all)-1], l)
			continue
		}
		depth = l.depth
		all = append(all, []*open{l})
	}
	return all
}

// checkUnseen checks a split by what its nodes have for rows.
func (p *problem) checkUnseen(t *rapid.T, made *tree.Tree, of []*open, rows [][]int32, ordered bool) {
	var here, first, last []int32
	for _, l := range of {
		here = append(here, rows[l.node]...)
		first, last = append(first, rows[l.first.node]...), append(last, rows[l.last.node]...)
	}
	a, b := p.side(first, rows[0]), p.side(last, rows[0])
	wantLast := grow.UnseenLast(a, b, 1, 0, int(of[0].node))
	split := &of[0].split
	c := &p.m.Columns[split.column]
	present := make([]bool, c.Bins())
	for _, r := range here {
		present[p.codes[split.column][r]] = true
	}
	for _, l := range of {
		if next := made.NextMissing(l.node); !present[c.Values] && (next == l.last.node) != wantLast {
			t.Fatalf("node %d: missing values go to %d, want last %v of %+v, %+v", l.node, next,
				wantLast, a, b)
		}
		if !c.Nominal() {
			continue
		}
		for code := range uint32(c.Values + 3) {
			known := int(code) < c.Values && (ordered || present[code])
			if next := made.NextCode(l.node, code); !known && (next == l.last.node) != wantLast {
				t.Fatalf("node %d: category %d goes to %d, want last %v of %+v, %+v", l.node, code,
					next, wantLast, a, b)
			}
		}
		if next := made.NextCode(l.node, data.UnseenCode); (next == l.last.node) != wantLast {
			t.Fatalf("node %d: new categories go to %d, want last %v", l.node, next, wantLast)
		}
	}
}

// side returns what the rule needs of rows.
func (p *problem) side(rows, root []int32) grow.Side {
	weight, mean := p.meanOf(rows)
	_, all := p.meanOf(root)
	return grow.Side{Weight: weight, Mean: mean, Distance: math.Abs(mean - all)}
}

// meanOf returns the weight of rows and the mean of their steps.
func (p *problem) meanOf(rows []int32) (weight, mean float64) {
	for _, r := range rows {
		w := 1.0
		if p.c.Weight != nil {
			w = p.c.Weight[r]
		}
		weight += w
		mean -= p.g[r]
	}
	if weight == 0 {
		return 0, 0
	}
	return weight, mean / weight
}

// The side of new categories follows the rows' weights, not the sums of their second derivatives.
func TestUnseenGoesByWeightNotByHessian(t *testing.T) {
	codes := [][]int{{0, 0, 0, 1, 1}}
	p := problem{m: table([]int{-2}, codes), codes: codes, g: []float64{1, 1, 1, -1, -1},
		h: []float64{1, 1, 1, 9, 9}}
	for _, c := range []struct {
		weight []float64
		code   uint32 // whose child is the heavier one
	}{{nil, 0}, {[]float64{1, 1, 1, 2, 2}, 1}, {[]float64{1, 1, 3, 2, 2}, 0}} {
		made, err := grownOn(NewGrower(p.m, Config{Shape: Shape{Depth: 1}, Unseen: true, Weight: c.weight,
			Categories: Categories{OneHot: 4}}).Grow(t.Context(), p.g, p.h, nil, 1))
		if err != nil {
			t.Fatal(err)
		}
		want := made.NextCode(0, c.code)
		if got := made.NextCode(0, 7); got != want {
			t.Errorf("weights %v: a new category goes to %d, want %d", c.weight, got, want)
		}
		if got := made.NextMissing(0); got != want {
			t.Errorf("weights %v: a missing value goes to %d, want %d", c.weight, got, want)
		}
	}
}
