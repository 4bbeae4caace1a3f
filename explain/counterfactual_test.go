package explain_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// smallTable draws a table of two columns of whole numbers and one of levels.
func smallTable(t *rapid.T) *data.Frame {
	fields := []data.Field{{Name: "a"}, {Name: "b"},
		{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "r", "s"}}}
	n := rapid.IntRange(4, 12).Draw(t, "rows")
	columns := make([]data.Column, 3)
	for i := range 2 {
		least := rapid.IntRange(-1, 0).Draw(t, "least") // -1: missing values
		columns[i] = data.Numbers(rapid.SliceOfN(rapid.Map(rapid.IntRange(least, 6),
			func(v int) float64 {
				if v < 0 {
					return math.NaN()
				}
				return float64(v)
			}), n, n).Draw(t, "numbers"))
	}
	codes := rapid.SampledFrom([]uint32{0, 1, 2, 3, data.MissingCode, data.UnseenCode})
	columns[2] = data.Codes(rapid.SliceOfN(codes, n, n).Draw(t, "codes"))
	f, err := data.NewFrame(data.Schema{Fields: fields}, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// links returns all links that are described in a way.
func links(are func(link.Description) bool) []link.Link {
	return slices.DeleteFunc(append(link.Table(), link.ScaledLogistic(0.7)),
		func(l link.Link) bool { return !are(l.Describe()) })
}

// smallModel draws a model of trees on such a table.
func smallModel(t *rapid.T, f *data.Frame) *model.Ensemble {
	m := &model.Ensemble{Meta: model.Spec{Schema: f.Schema, Task: data.Regression}}
	shape := treetest.Shape{Fields: f.Schema.Fields, Kind: tree.Scalar, Width: 1, Splits: 6}
	switch rapid.IntRange(0, 3).Draw(t, "model") {
	case 0:
		m.Link = rapid.SampledFrom(links(func(d link.Description) bool { return d.Monotone != 0 })).Draw(t, "link")
	case 1:
		m.Meta.Task, m.Meta.Classes = data.Binary, []string{"no", "yes"}
		m.Link = rapid.SampledFrom(links(func(d link.Description) bool { return d.Symmetric })).Draw(t, "link")
		m.Meta.Decision.Threshold = rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "threshold")
	case 2:
		m.Meta.Task, m.Meta.Classes, m.Link = data.Multiclass, []string{"x", "y", "z"}, link.Softmax()
	default:
		m.Meta.Task, m.Meta.Classes = data.Binary, []string{"no", "yes"}
		m.Combine, shape.Kind, shape.Width = model.Mean, tree.Counts, 2
		shape.Number = rapid.Map(rapid.IntRange(1, 9), func(v int) float64 { return float64(v) })
		m.Meta.Decision.FirstPositive = rapid.Bool().Draw(t, "first")
		m.Meta.Decision.Threshold = rapid.SampledFrom([]float64{0, 0.4}).Draw(t, "threshold")
	}
	m.Trees = rapid.SliceOfN(treetest.Tree(shape), 1, 4).Draw(t, "trees")
	if m.Meta.Task == data.Multiclass {
		m.Bias = []float64{0.5, 0, 0}
		for i := range m.Trees {
			m.Output = append(m.Output, int32(i%3))
		}
	}
	if err := m.Validate(); err != nil {
		t.Skip(err) // the generator has other shapes too
	}
	return m
}

// smallest tries all possible values of the three columns. It returns the fewest columns and the
// lowest cost, and false if no change leads to the goal.
func smallest(
	t *rapid.T, m model.Model, f *data.Frame, row int, fix string, wanted func([]float64) bool,
) (columns int, cost float64, found bool) {
	options := make([][]float64, 3)
	scale := make([]float64, 3)
	for i := range 3 {
		c := &f.Columns[i]
		missing := false
		var known []float64
		for r := range f.Rows() {
			switch {
			case f.IsMissing(r, i):
				missing = true
			case i < 2:
				known = append(known, c.Number(r))
			case int(c.Code(r)) < 4:
				known = append(known, float64(c.Code(r)))
			}
		}
		slices.Sort(known)
		scale[i] = 1
		if len(known) > 0 && i < 2 {
			scale[i] = quartile(known, 3) - quartile(known, 1)
			if scale[i] == 0 {
				scale[i] = max(known[len(known)-1]-known[0], 1e-9)
			}
			for v := known[0]; v <= known[len(known)-1]; v++ {
				options[i] = append(options[i], v)
			}
		} else {
			options[i] = slices.Compact(known)
		}
		if missing {
			options[i] = append(options[i], math.NaN())
		}
		if f.Schema.Fields[i].Name == fix {
			options[i] = nil
		}
	}
	one := *f.Subset([]int32{int32(row)})
	var try func(i, changed int, sum float64)
	try = func(i, changed int, sum float64) {
		if i == 3 {
			if changed > 0 && wanted(predicted(t, m, &one)) &&
				(!found || changed < columns || changed == columns && sum < cost) {
				columns, cost, found = changed, sum, true
			}
			return
		}
		own := one.Columns[i]
		try(i+1, changed, sum)
		for _, v := range options[i] {
			more := 1.0
			if i < 2 {
				one.Columns[i] = data.Numbers([]float64{v})
				if d := math.Abs(v-own.Number(0)) / scale[i]; !math.IsNaN(d) {
					more = d
				}
			} else {
				code := uint32(v)
				if math.IsNaN(v) {
					code = data.MissingCode
				}
				one.Columns[i] = data.Codes([]uint32{code})
			}
			if !one.Columns[i].Equal(own) {
				try(i+1, changed+1, sum+more)
			}
		}
		one.Columns[i] = own
	}
	one.Columns = slices.Clone(one.Columns)
	try(0, 0, 0)
	return columns, cost, found
}

// quartile is the quantile of definition 7 of Hyndman & Fan.
func quartile(sorted []float64, q int) float64 {
	at := float64(len(sorted)-1) * float64(q) / 4
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

func predicted(t rapid.TB, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, p.Width())
	if err := p.Predict(out, f, []int32{0}); err != nil {
		t.Fatal(err)
	}
	return out
}

// Exact changes are as small as the smallest of all possible ones, of models with trees of all
// kinds. All changes lead to the goal, and leave fixed columns alone.
func TestCounterfactualIsSmallest(t *testing.T) {
	exact := 0
	rapid.Check(t, func(t *rapid.T) {
		f := smallTable(t)
		m := smallModel(t, f)
		row := rapid.IntRange(0, f.Rows()-1).Draw(t, "row")
		one := f.Subset([]int32{int32(row)})
		before := predicted(t, m, one)
		o := explain.CounterfactualOptions{Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		fix := rapid.SampledFrom([]string{"", "", "a", "c"}).Draw(t, "fix")
		if fix != "" {
			o.Fix = []string{fix}
		}
		own := -1
		wanted := func(response []float64) bool { return m.Meta.Decision.Label(response) != own }
		if m.Meta.Task == data.Regression {
			bound := before[0] + 0.5
			o.Above = &bound
			wanted = func(response []float64) bool { return response[0] > bound }
			if rapid.Bool().Draw(t, "below") {
				bound, o.Above, o.Below = before[0]-0.5, nil, &bound
				wanted = func(response []float64) bool { return response[0] < bound }
			}
		} else if own = m.Meta.Decision.Label(before); rapid.Bool().Draw(t, "class") {
			class := (own + 1) % len(m.Meta.Classes)
			o.Class = m.Meta.Classes[class]
			wanted = func(response []float64) bool { return m.Meta.Decision.Label(response) == class }
		}
		got, err := explain.Counterfactual(context.Background(), m, f, row, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range got.Changes {
			if x.Column == fix {
				t.Fatalf("the fixed column %s changes: %v", fix, x)
			}
		}
		if got.Changes != nil && !wanted(got.After) {
			t.Fatalf("the changed row has the response %v", got.After)
		}
		if !got.Exact {
			for _, x := range m.Trees {
				if kinds, _ := treetest.Kinds(x); slices.Contains(kinds, tree.Oblique) ||
					slices.Contains(kinds, tree.Sphere) || x.Leaf.Linear != nil {
					return
				}
			}
			t.Fatal("no proof")
		}
		exact++
		columns, cost, found := smallest(t, m, f, row, fix, wanted)
		if found != (got.Changes != nil) || columns != len(got.Changes) ||
			math.Abs(cost-got.Cost) > 1e-9 {
			t.Fatalf("%d columns at a cost of %v, want %d at %v: %v", len(got.Changes), got.Cost,
				columns, cost, got.Changes)
		}
		o.Workers = 4 - o.Workers
		again, err := explain.Counterfactual(context.Background(), m, f, row, o)
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Fatalf("%v by other workers, before %v: %v", again, got, err)
		}
	})
	if exact == 0 && !testing.Short() { // a fifth of the models need not have one
		t.Error("no exact change was found")
	}
}

// TestChangeBesideAColumnThatMustStay: two columns have to change, and a third has to keep its
// value, since all three changed do not lead to the goal.
func TestChangeBesideAColumnThatMustStay(t *testing.T) {
	missing := math.NaN()
	for _, own := range []float64{0, missing} {
		f, err := data.FromRows([][]float64{{0, 0, own}, {1, 1, 1}}, []string{"a", "b", "c"})
		if err != nil {
			t.Fatal(err)
		}
		var trees []*tree.Tree
		for column, above := range []float64{1, 1, -2} {
			b := tree.NewBuilder(tree.Scalar, 1, false)
			first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: int32(column), SplitPoint: 0.5})
			b.SetValue(first, []float64{0})
			b.SetValue(first+1, []float64{above})
			built, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, built)
		}
		m := numeric(3, trees...)
		above := 1.5
		got, err := explain.Counterfactual(t.Context(), m, f, 0, explain.CounterfactualOptions{Above: &above})
		if err != nil || !got.Exact || len(got.Changes) != 2 || got.Changes[0].Column != "a" ||
			got.Changes[1].Column != "b" || got.After[0] != 2 {
			t.Errorf("c is %v: %+v, %v", own, got, err)
		}
	}
}

// Models of all learners have changes that lead to the goal, within any limit.
func TestCounterfactualOfLearners(t *testing.T) {
	for _, entry := range catalog.Table() {
		needs := entry.New().Capabilities().Needs
		if needs.Unsupervised || needs.Survival {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			ds := fourColumns(data.Binary, needs)
			m, f := fitted(t, entry.New(), ds, data.AllRows(ds.Rows())), ds.Frame
			o := explain.CounterfactualOptions{Limit: 20 * time.Millisecond}
			if entry.Name == "cart" || entry.Name == "gbm" {
				o.Limit = 0
			}
			got, err := explain.Counterfactual(context.Background(), m, f, 3, o)
			if err != nil {
				t.Fatal(err)
			}
			decision := &m.Spec().Decision
			if got.Changes != nil && decision.Label(got.After) == decision.Label(got.Before) {
				t.Errorf("%v does not turn the class", got.Changes)
			}
			if o.Limit == 0 && !got.Exact || entry.Name == "knn" && got.Exact && !needs.Categorical {
				t.Errorf("exact %v", got.Exact)
			}
			if got.Changes == nil && !got.Exact && entry.Name == "knn" {
				t.Error("no change was found")
			}
		})
	}
}

// A search without time has no result, and no error.
func TestCounterfactualLimit(t *testing.T) {
	m, f := line(t)
	above := -1.0
	o := explain.CounterfactualOptions{Below: &above, Limit: 1}
	got, err := explain.Counterfactual(context.Background(), m, f, 0, o)
	if err != nil || got.Exact || got.Ended || got.Changes != nil || got.After != nil {
		t.Errorf("%+v: %v", got, err)
	}
	o.Limit = 0
	got, err = explain.Counterfactual(context.Background(), m, f, 0, o)
	if err != nil || !got.Exact || !got.Ended || got.Changes != nil {
		t.Errorf("%+v: %v", got, err)
	}
}

func TestCounterfactualErrors(t *testing.T) {
	m, f := line(t)
	ctx := context.Background()
	above := 10.0
	check := func(row int, o explain.CounterfactualOptions, want any) {
		t.Helper()
		_, err := explain.Counterfactual(ctx, m, f, row, o)
		if is, ok := want.(error); ok && !errors.Is(err, is) || !ok && !errors.As(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	rowError, columnError := (*data.RowError)(nil), (*explain.ColumnError)(nil)
	check(6, explain.CounterfactualOptions{Above: &above}, &rowError)
	check(-1, explain.CounterfactualOptions{Above: &above}, &rowError)
	check(0, explain.CounterfactualOptions{Above: &above, Fix: []string{"q"}}, &columnError)
	check(0, explain.CounterfactualOptions{}, explain.ErrNoGoal)
	check(0, explain.CounterfactualOptions{Below: &above}, explain.ErrReached)
	stopped, stop := context.WithCancel(ctx)
	stop()
	ctx = stopped
	check(0, explain.CounterfactualOptions{Above: &above}, context.Canceled)
}

// A goal that fits no model, or no prediction, is an error that says why.
func TestGoalsThatNoModelHas(t *testing.T) {
	_, f := line(t)
	numbers := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: f.Schema}, Combine: model.Mean,
		Trees: []*tree.Tree{intervalTree(t, 2.5)}}
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.SetValue(0, []float64{0.25, 0.75})
	leaf, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	classes := &model.Ensemble{Meta: model.Spec{Task: data.Binary, Schema: f.Schema, Classes: []string{"no", "yes"}}, Combine: model.Mean,
		Trees: []*tree.Tree{leaf}}
	low, high := 1.0, 2.0
	for want, c := range map[string]struct {
		m model.Model
		o explain.CounterfactualOptions
	}{
		"a prediction above or below a number is for models of numbers": {classes, explain.CounterfactualOptions{Below: &low}},
		`the model has no class "perhaps"`:                              {classes, explain.CounterfactualOptions{Class: "perhaps"}},
		"a wanted class is for models of classes":                       {numbers, explain.CounterfactualOptions{Class: "yes"}},
		"no prediction is above 2 and below 1":                          {numbers, explain.CounterfactualOptions{Above: &high, Below: &low}},
		"no prediction is above 1 and below 1":                          {numbers, explain.CounterfactualOptions{Above: &low, Below: &low}},
		"the table has no rows":                                         {numbers, explain.CounterfactualOptions{Above: &low, Like: f.Subset(nil)}},
	} {
		if got, err := explain.Counterfactual(t.Context(), c.m, f, 0, c.o); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", got, err, want)
		}
	}
}
