package explain_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// contributionsOf explains all rows of a table.
func contributionsOf(
	t *testing.T, m model.Model, f *data.Frame, o explain.ShapleyOptions,
) *explain.Contributions {
	t.Helper()
	c, err := explain.Shapley(context.Background(), m, f, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// both are the options without a background and with one.
func both(background *data.Frame) []explain.ShapleyOptions {
	return []explain.ShapleyOptions{{}, {Background: background}}
}

// Memory decides how values are computed, and not what they are. Workers decide neither.
func TestShapleyByLittleMemory(t *testing.T) {
	m, f := boosted(t, 6, 40, 300)
	for _, o := range both(f) {
		want := contributionsOf(t, m, f, o)
		for _, memory := range []int64{1, 50_000, 1_000_000} {
			o.Memory = memory
			for i, v := range contributionsOf(t, m, f, o).Values {
				if math.Abs(v-want.Values[i]) > 1e-12 {
					t.Fatalf("memory of %d bytes, value %d: %v, want %v", memory, i, v,
						want.Values[i])
				}
			}
		}
		o.Memory = 0
		for _, workers := range []int{1, 3} {
			o.Workers = workers
			if got := contributionsOf(t, m, f, o); !slices.Equal(got.Values, want.Values) {
				t.Errorf("%d workers: other values", workers)
			}
		}
	}
}

// A cancelled context ends explanations of all kinds.
func TestShapleyCancelled(t *testing.T) {
	m, f := boosted(t, 3, 8, 100)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range both(f) {
		if _, err := explain.Shapley(ctx, m, f, nil, o); !errors.Is(err, context.Canceled) {
			t.Errorf("Shapley: %v", err)
		}
		if _, err := explain.Interactions(ctx, m, f, nil, o); !errors.Is(err, context.Canceled) {
			t.Errorf("Interactions: %v", err)
		}
	}
}

// The contributions of a sum of trees are the sums of those of its parts.
func TestShapleyIsLinear(t *testing.T) {
	m, f, _ := frozen(t, "regression")
	for _, o := range both(f) {
		first, rest := *m, *m
		first.Trees, rest.Trees, rest.Bias = m.Trees[:7], m.Trees[7:], nil
		for _, part := range []*model.Ensemble{&first, &rest} {
			if part.Output != nil {
				part.Output = m.Output[:len(part.Trees)]
			}
			if part.Rounds != nil {
				part.Rounds = m.Rounds[:len(part.Trees)]
			}
		}
		whole, a, b := contributionsOf(t, m, f, o), contributionsOf(t, &first, f, o),
			contributionsOf(t, &rest, f, o)
		for i, v := range whole.Values {
			if sum := a.Values[i] + b.Values[i]; math.Abs(v-sum) > 1e-12*max(1, math.Abs(v)) {
				t.Fatalf("value %d: %v of all trees, %v of parts", i, v, sum)
			}
		}
	}
}

// A column that no tree tests contributes nothing.
func TestShapleyOfDummies(t *testing.T) {
	m, f := boosted(t, 3, 4, 80)
	used := map[int32]bool{}
	for _, j := range m.Uses() {
		used[j] = true
	}
	for _, o := range both(f) {
		c := contributionsOf(t, m, f, o)
		for r := range f.Rows() {
			for j, v := range c.Row(r, 0) {
				if v != 0 && !used[int32(j)] {
					t.Fatalf("row %d: column %d, which nothing tests, contributes %v", r, j, v)
				}
			}
		}
		if len(used) == len(f.Columns) {
			t.Error("all columns are used")
		}
	}
}

// Two columns that are treated alike contribute alike.
func TestShapleyIsSymmetric(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5, Arity: 2})
	b.Split(first, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 0.5, Arity: 2})
	for n, v := range []float64{0, 0, 0, 6, 0} {
		b.SetValue(int32(n), []float64{v})
	}
	for n, weight := range []float64{0, 0, 2, 1, 1} {
		b.SetCover(int32(n), weight) // half of the rows goes to either side of both splits
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	schema := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}}}
	m := &model.Ensemble{Meta: model.Spec{Schema: schema, Task: data.Regression, Learner: "cart"},
		Trees: []*tree.Tree{made}}
	f, err := data.NewFrame(schema, []data.Column{data.Numbers([]float64{0, 1, 0, 1}),
		data.Numbers([]float64{0, 1, 1, 0})})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range both(f) {
		c := contributionsOf(t, m, f, o)
		for r, want := range []float64{2.25, -0.75} { // mean 1.5; the scores are 6 and 0
			if row := c.Row(r, 0); math.Abs(row[0]-want) > 1e-15 || math.Abs(row[1]-want) > 1e-15 {
				t.Errorf("row %d: contributions %v, want %v twice", r, row, want)
			}
		}
		if a, b := c.Row(2, 0), c.Row(3, 0); a[0] != b[1] || a[1] != b[0] {
			t.Errorf("mirrored rows: %v and %v", a, b)
		}
	}
}
