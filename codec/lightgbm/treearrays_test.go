package lightgbm

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// sided makes a tree that tests so many columns, one below the other: category 0 continues, the
// others go to a leaf, and missing values to the first or the last of the two. leaf i has the value
// i+1 and covers[i].
func sided(t *testing.T, columns int, missing tree.Missing, covers []float64) *model.Ensemble {
	t.Helper()
	return sidedWith(t, columns, 0, missing, covers)
}

// sidedWith makes the tree of sided with so many splits of a number below the first column's.
func sidedWith(
	t *testing.T, columns, numbers int, missing tree.Missing, covers []float64,
) *model.Ensemble {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	e := &model.Ensemble{Meta: model.Spec{Task: data.Regression}}
	at, leaf := int32(0), 0
	end := func(n int32) {
		b.SetValue(n, []float64{float64(leaf + 1)})
		if covers != nil {
			b.SetCover(n, covers[leaf])
		}
		leaf++
	}
	for i := range columns {
		e.Meta.Schema.Fields = append(e.Meta.Schema.Fields, data.Field{Name: string(rune('a' + i)),
			Kind: data.Categorical, Levels: foreign.Codes(2)})
		first := b.Split(at, tree.Split{Kind: tree.SetFirst, Feature: int32(i), Set: []uint64{1},
			Missing: missing})
		end(first + 1)
		at = first
		for range numbers * max(0, 1-i) {
			first := b.Split(at, tree.Split{Kind: tree.Numeric, Feature: int32(columns)})
			end(first + 1)
			at = first
		}
	}
	e.Meta.Schema.Fields = append(e.Meta.Schema.Fields, data.Field{Name: "number"})
	end(at)
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	e.Trees = []*tree.Tree{made}
	return e
}

// A missing category that goes another way than unseen ones needs a split of its own.
func TestMissingCategories(t *testing.T) {
	for missing, want := range map[tree.Missing]int{tree.MissingFirst: 7, tree.MissingLast: 3} {
		f := mustRead(t, "", encoded(t, sided(t, 2, missing, nil)))
		if got := len(f.trees[0].value); got != want {
			t.Errorf("rule %v: %d leaves, want %d", missing, got, want)
		}
	}
	// a tree of 1 + 2 x (number of splits) nodes may grow to four times as many, and 1000 more
	for numbers, want := range map[int]string{242: "so many splits that send missing and unseen", 243: ""} {
		err := encode(&bytes.Buffer{}, sidedWith(t, 9, numbers, tree.MissingFirst, nil))
		if got := fmt.Sprint(err); (err == nil) != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%d splits by numbers below the first: %v", numbers, err)
		}
	}
	err := encodeModel(&bytes.Buffer{}, sided(t, 20, tree.MissingFirst, nil))
	if unsupported := (*codec.UnsupportedError)(nil); !errors.As(err, &unsupported) {
		t.Errorf("a tree that doubles with each column: %v", err)
	}
}

// Covers are counts: as they are where they are whole, else in the same proportions.
func TestCovers(t *testing.T) {
	for _, c := range []struct{ covers, want []float64 }{
		{[]float64{7, 0, 3}, []float64{7, 0, 3}},
		{[]float64{0.5, 0, 1.5}, []float64{mostRows / 4, 0, mostRows / 4 * 3}},
		{[]float64{1e-30, 0.5, 0.5}, []float64{1, mostRows / 2, mostRows / 2}},
		{[]float64{1 << 40, 1 << 40, 0}, []float64{mostRows / 2, mostRows / 2, 0}},
		{nil, nil},
	} {
		e := sided(t, 2, tree.MissingLast, c.covers)
		f := mustRead(t, "", encoded(t, e))
		got := f.trees[0].count // level by level, left before right: leaf 0, then 2 and 1
		if len(got) == 3 {
			got[1], got[2] = got[2], got[1]
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("covers %v are written as %v, want %v", c.covers, got, c.want)
		}
		again := mustConvert(t, encoded(t, e)).Trees[0].Covers()
		sum := 0.0
		for _, x := range c.want {
			sum += x
		}
		if c.want == nil && again != nil || c.want != nil && again[0] != sum {
			t.Errorf("covers %v come back as %v", c.covers, again)
		}
	}
}

// The samples keep the number of training rows of each leaf.
func TestSamplesHaveCovers(t *testing.T) {
	samples(t, func(t *testing.T, s *found) {
		f := mustRead(t, s.model, s.bytes)
		e, err := f.ensemble(foreign.NewBudget(textName, int64(len(s.bytes)), codec.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		for i, tr := range e.Trees {
			covers := tr.Covers()
			for n, number := range e.Origin.Leaf[i] {
				if number < 0 || covers == nil {
					continue
				}
				leaf := slices.Index(f.trees[i].number, number)
				if f.trees[i].number == nil {
					leaf = int(number)
				}
				if covers[n] != f.trees[i].count[leaf] {
					t.Fatalf("tree %d, leaf %d: cover %v, %v rows", i, number, covers[n],
						f.trees[i].count[leaf])
				}
			}
		}
	})
}

// Covers without a whole number are scaled to LightGBM's counts, however small or large they are.
func TestCoversAsCounts(t *testing.T) {
	for _, unit := range []float64{5e-324, 1e-320, 0.1, 1e300} {
		f := mustRead(t, "", encoded(t, sided(t, 1, tree.MissingLast, []float64{unit, 3 * unit})))
		sum, least := 0.0, math.Inf(1)
		for _, n := range f.trees[0].count {
			sum, least = sum+n, min(least, n)
		}
		if sum != mostRows || least != mostRows/4 {
			t.Errorf("covers %g and %g: least %g, sum %g", unit, 3*unit, least, sum)
		}
	}
}

// Sets of places become sets of codes, without places beyond the levels.
func TestAddSet(t *testing.T) {
	l := &laying{t: &fileTree{catAt: []int32{0}}, plan: &plan{codes: [][]int32{nil, {3, 40}}}}
	l.addSet([]uint64{1<<33 | 1}, 0)
	l.addSet([]uint64{0b111}, 1)
	l.addSet(nil, 1)
	if !slices.Equal(l.t.cats, []uint32{1, 2, 8, 1 << 8}) || !slices.Equal(l.t.catAt, []int32{0, 2, 4, 4}) {
		t.Errorf("sets %v at %v", l.t.cats, l.t.catAt)
	}
}

// Each response that LightGBM has gets an objective that makes it.
func TestObjectivesOfModels(t *testing.T) {
	two := []string{"a", "b"}
	for _, c := range []struct {
		task      data.Task
		classes   []string
		quantiles []float64
		link      link.Link
		scores    int
		want      string
	}{
		{data.Regression, nil, nil, nil, 1, "regression"},
		{data.Regression, nil, []float64{0.5}, nil, 1, "quantile"},
		{data.Regression, nil, nil, nil, 2, ""},
		{data.Ranking, nil, nil, nil, 1, "lambdarank"},
		{data.Binary, two, nil, link.Logistic(), 1, "binary sigmoid:1"},
		{data.Binary, two, nil, link.ScaledLogistic(0.5), 1, "binary sigmoid:0.5"},
		{data.Binary, two, nil, link.ScaledLogistic(2), 2, "multiclassova num_class:2 sigmoid:2"},
		{data.Multiclass, []string{"a", "b", "c"}, nil, link.Softmax(), 3, "multiclass num_class:3"},
		{data.Regression, nil, nil, link.Logistic(), 1, "cross_entropy"},
		{data.Regression, nil, nil, link.Exp(), 1, "poisson"},
		{data.Regression, nil, nil, link.Softplus(), 1, "cross_entropy_lambda"},
		{data.Regression, nil, nil, link.SignedSquare(), 1, "regression sqrt"},
		{data.Regression, nil, nil, link.ScaledLogistic(2), 1, "!"},
		{data.Regression, nil, nil, link.Exp(), 2, "!"},
		{data.Ranking, nil, nil, link.Exp(), 1, "!"},
		{data.Survival, nil, nil, nil, 1, "!"},
	} {
		e := &model.Ensemble{Meta: model.Spec{Task: c.task, Classes: c.classes, Quantiles: c.quantiles}, Link: c.link}
		for k := range c.scores {
			b := tree.NewBuilder(tree.Scalar, 1, false)
			leaf, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			e.Trees = append(e.Trees, leaf)
			if c.scores > 1 {
				e.Output = append(e.Output, int32(k))
			}
		}
		p := &plan{Ensemble: e, fields: e.Meta.Schema.Fields}
		err := p.findObjective()
		if refused := c.want == "!"; refused != (err != nil) || !refused && p.objective != c.want {
			t.Errorf("%s of %d scores, link %v: %q, %v, want %q", c.task, c.scores, c.link, p.objective, err, c.want)
		}
	}
}
