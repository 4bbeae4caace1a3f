package model_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// TestLayoutsAreWalks: in every layout that fits them, trees of any kind predict the bits of the
// engine's choice, which TestPredictionsAreWalks compares with walks.
func TestLayoutsAreWalks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := randomEnsemble(t)
		f := treetest.Frame(m.Meta.Schema, 9).Draw(t, "table")
		o := model.Options{Output: rapid.SampledFrom([]model.Output{model.Raw, model.Response,
			model.Label, model.Leaf}).Draw(t, "output")}
		want := modeltest.PredictBoth(t, m, f, o, nil)
		for _, o.Layout = range model.Layouts() {
			_, err := m.Bind(&f.Schema, o)
			if unfit := (*model.LayoutError)(nil); errors.As(err, &unfit) {
				if unfit.Layout != o.Layout || unfit.Reason == "" {
					t.Fatalf("layout %s: %+v", o.Layout, unfit)
				}
				continue
			}
			got := modeltest.PredictBoth(t, m, f, o, nil)
			if !slices.EqualFunc(got, want, func(a, b float64) bool {
				return math.Float64bits(a) == math.Float64bits(b)
			}) {
				t.Fatalf("layout %s: %v, want %v", o.Layout, got, want)
			}
		}
	})
}

// TestLayoutsUsed: a predictor uses the layout that was requested, for one row and for many.
func TestLayoutsUsed(t *testing.T) {
	m := &model.Ensemble{Trees: treetest.Boosted(50, 31, 3), Meta: model.Spec{
		Task: data.Regression, Schema: data.Schema{Fields: make([]data.Field, 3)}}}
	for i, name := range []string{"a", "b", "c"} {
		m.Meta.Schema.Fields[i].Name = name
	}
	fit := 0
	for _, l := range model.Layouts() {
		p, err := m.Bind(&m.Meta.Schema, model.Options{Layout: l})
		if unfit := (*model.LayoutError)(nil); errors.As(err, &unfit) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		fit++
		for _, rows := range []int{1, 10, 100_000} {
			if got := model.LayoutsUsed(p, rows); !slices.Equal(got, []model.Layout{l}) {
				t.Errorf("%d rows use %v, want %s", rows, got, l)
			}
		}
		again, err := model.ParseLayout(l.String())
		if err != nil || again != l {
			t.Errorf("layout %s is read as %s, %v", l, again, err)
		}
	}
	if fit < 3 {
		t.Errorf("%d layouts fit boosted trees", fit)
	}
	if _, err := model.ParseLayout("chosen"); err == nil {
		t.Error("the engine's choice is no layout to request")
	}
	guard, err := model.Guard(&m.Meta.Schema, &m.Meta.Schema)
	if err != nil {
		t.Fatal(err)
	}
	if got := model.LayoutsUsed(guard, 1); got != nil {
		t.Errorf("a predictor without trees uses %v", got)
	}
}
