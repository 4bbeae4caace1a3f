package exact_test

import (
	"context"
	"errors"
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

// sides returns the rows of the problem that a candidate sends first, and the others.
func (p *problem) sides(column int, c tree.Candidate) (first, last []int) {
	col := &p.frame.Columns[column]
	for i := range p.pop.Rows {
		goes := false
		switch {
		case p.frame.IsMissing(i, column):
			goes = c.Missing == tree.MissingFirst
		case c.Kind == tree.Numeric:
			goes = col.Number(i) <= c.SplitPoint
		default:
			goes = slices.Contains(c.Codes, col.Code(i))
		}
		if goes {
			first = append(first, i)
		} else {
			last = append(last, i)
		}
	}
	return first, last
}

// TestCandidates: every candidate has the gain that the definition gives, none comes twice, and the
// best of the best column is the split of the tree.
func TestCandidates(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 30, 4)
		prepared, err := growtest.Prepare(ctx, p.frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := growtest.Config{Criterion: p.row, Limits: grow.Limits{Depth: 1, MinLeaf: rapid.IntRange(1, 3).Draw(t, "min_leaf")}}
		got, err := prepared.Candidates(ctx, &p.pop, cfg)
		if err != nil {
			t.Fatal(err)
		}
		grown, err := prepared.Grow(ctx, &p.pop, cfg)
		if err != nil {
			t.Fatal(err)
		}
		all := rows(len(p.pop.Rows))
		whole := p.impurity(all, all)
		greatest := math.Inf(-1)
		for column, list := range got.Columns {
			best := 0
			for i, c := range list {
				first, last := p.sides(column, c)
				if want := whole - p.impurity(first, all) - p.impurity(last, all); math.Abs(c.Gain-want) > 1e-9*(1+whole) {
					t.Fatalf("column %d, %+v: the definition gives %g", column, c, want)
				}
				missing := func(row int) bool { return p.frame.IsMissing(row, column) }
				if c.Known != (!slices.ContainsFunc(first, missing) && !slices.ContainsFunc(last, func(row int) bool { return !missing(row) })) {
					t.Fatalf("column %d, %+v splits %v from %v", column, c, first, last)
				}
				if len(first) < cfg.Limits.MinLeaf || len(last) < cfg.Limits.MinLeaf {
					t.Fatalf("column %d, %+v leaves a side too small", column, c)
				}
				for _, d := range list[:i] {
					if d.Kind == c.Kind && d.SplitPoint == c.SplitPoint && d.Missing == c.Missing && slices.Equal(d.Codes, c.Codes) {
						t.Fatalf("column %d: %+v comes twice", column, c)
					}
				}
				greatest = max(greatest, p.worth(first, last))
				if c.Best {
					best++
					if grown.Kind(0) != tree.Leaf && got.Best == column && math.Abs(c.Gain-grown.Stats.Gain[0]) > 1e-9*(1+whole) {
						t.Fatalf("the tree gains %g, the best candidate is %+v", grown.Stats.Gain[0], c)
					}
				}
			}
			if best > 1 || best == 0 && len(list) > 0 {
				t.Fatalf("column %d has %d best candidates", column, best)
			}
		}
		if got.Best != int(grown.Feature(0)) {
			t.Fatalf("the best column is %d, the tree splits by %d", got.Best, grown.Feature(0))
		}
		if want := p.best(cfg.Limits.MinLeaf); got.Best >= 0 && p.exactly(cfg.Limits.MinLeaf) && math.Abs(greatest-want) > 1e-9*(1+whole) {
			t.Fatalf("the best candidate is worth %g, the best of all splits %g", greatest, want)
		}
	})
}

func rows(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestCandidatesByHand: gains of one column, computed by hand, and the order of trial.
func TestCandidatesByHand(t *testing.T) {
	ctx := context.Background()
	schema := data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: []string{"a", "b"}}}}
	f, err := data.NewFrame(schema, []data.Column{data.Numbers([]float64{4, 1, 2, 3}), data.Codes([]uint32{0, 0, 0, 0})})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := growtest.Prepare(ctx, f, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	gini, _ := criterion.ByName("gini")
	pop := &grow.Population{Rows: data.AllRows(4), Class: []uint32{1, 0, 0, 1}, Classes: 2}
	got, err := prepared.Candidates(ctx, pop, growtest.Config{Criterion: gini})
	if err != nil {
		t.Fatal(err)
	}
	want := []tree.Candidate{
		{Kind: tree.Numeric, SplitPoint: 1.5, Missing: tree.MissingLast, Gain: 2 - 0 - 4.0/3},
		{Kind: tree.Numeric, SplitPoint: 2.5, Missing: tree.MissingLast, Gain: 2, Best: true},
		{Kind: tree.Numeric, SplitPoint: 3.5, Missing: tree.MissingLast, Gain: 2 - 4.0/3},
	}
	if got.Whole.Rows != 4 || got.Whole.Weight != 4 || got.Best != 0 || got.Columns[1] != nil || len(got.Columns[0]) != 3 {
		t.Fatalf("got %+v", got)
	}
	for i, c := range got.Columns[0] {
		if c.Kind != want[i].Kind || c.SplitPoint != want[i].SplitPoint || c.Missing != want[i].Missing || c.Best != want[i].Best || math.Abs(c.Gain-want[i].Gain) > 1e-15 {
			t.Errorf("candidate %d is %+v, want %+v", i, c, want[i])
		}
	}
	pop.Class = []uint32{1, 1, 1, 1}
	if got, err := prepared.Candidates(ctx, pop, growtest.Config{Criterion: gini}); err != nil || got.Best != -1 || got.Columns[0] != nil {
		t.Errorf("of equal labels: %+v, %v", got, err)
	}
	if _, err := prepared.Candidates(ctx, &grow.Population{}, growtest.Config{Criterion: gini}); err == nil {
		t.Error("no rows are no error")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	pop.Class = []uint32{1, 0, 0, 1}
	if _, err := prepared.Candidates(cancelled, pop, growtest.Config{Criterion: gini}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
