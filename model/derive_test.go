package model_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
)

// derived is a tree on the target statistic of two columns: above 0.5 its value is 1, else 0.
//
//	a  b    rows  sum
//	p  r    2     2
//	q  s    1     0
//	-  r    1     1      (a missing)
func derived(t *testing.T) *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 3, SplitPoint: 0.5, Gain: 3})
	b.SetValue(first+1, []float64{1})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return &model.Ensemble{
		Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: []data.Field{
			{Name: "a", Kind: data.Categorical, Levels: []string{"p", "q"}}, {Name: "x"}, {Name: "b", Kind: data.Categorical, Levels: []string{"r", "s"}},
		}}},
		Inputs: input.Set{
			Tables:  []input.Table{{Source: []int32{0, 2}, Key: []uint64{1, 4, 8}, Count: []float64{1, 2, 1}, Sum: []float64{1, 2, 0}}},
			Columns: []input.Column{{Prior: 0.25, Weight: 1}},
		},
		Trees: []*tree.Tree{built},
	}
}

// A table of other column order and dictionaries is matched by names, before anything is derived.
func TestDerivedColumnsAreBoundByName(t *testing.T) {
	m := derived(t)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	s := data.Schema{Fields: []data.Field{
		{Name: "b", Kind: data.Categorical, Levels: []string{"other", "s", "r"}}, {Name: "more"},
		{Name: "x"}, {Name: "a", Kind: data.Categorical, Levels: []string{"q", "p"}},
	}}
	const none = data.MissingCode
	f, err := data.NewFrame(s, []data.Column{
		data.Codes([]uint32{2, 1, 2, 2, 0, none}), data.Numbers(make([]float64, 6)), data.Numbers(make([]float64, 6)), data.Codes([]uint32{1, 0, none, 0, 1, 1}),
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Bind(&s, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 6)
	if err := p.Predict(got, f, nil); err != nil {
		t.Fatal(err)
	}
	//                     p r  q s  - r  q r  p ?  p -
	if want := []float64{1, 0, 1, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := p.Predict(got, f, []int32{2, 1}); err != nil || got[0] != 1 || got[1] != 0 {
		t.Errorf("rows 2 and 1: %v, %v", got[:2], err)
	}
}

// Values that a column's policy refuses are refused also where only derived columns use it.
func TestDerivedColumnsRefuse(t *testing.T) {
	m := derived(t)
	m.Meta.Schema.Fields[0].Missing = data.Refuse
	f, err := data.NewFrame(m.Meta.Schema, []data.Column{data.Codes([]uint32{0, data.MissingCode}), data.Numbers([]float64{0, 0}), data.Codes([]uint32{0, 0})})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var refused *model.ValueError
	if err := p.Predict(make([]float64, 2), f, nil); !errors.As(err, &refused) || refused.Row != 1 || refused.Column != "a" {
		t.Errorf("error %v", err)
	}
}

func TestFeatures(t *testing.T) {
	m := derived(t)
	if got, want := m.Features().Names(), []string{"a", "x", "b", "ts(a+b)"}; !slices.Equal(got, want) {
		t.Errorf("features %q, want %q", got, want)
	}
	if got := m.Sources(3); !slices.Equal(got, []int32{0, 2}) {
		t.Errorf("sources %v", got)
	}
	m.Inputs.Columns = nil
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "feature 3 of 3") {
		t.Errorf("error %v of a tree that tests a column that is not derived", err)
	}
}

// TestNonzero: a value that counts as 0 is missing in the derived column, and the value itself
// elsewhere.
func TestNonzero(t *testing.T) {
	m := codectest.Nonzero()
	if got, want := m.Features().Names(), []string{"w", "x", "nonzero(x)"}; !slices.Equal(got, want) {
		t.Errorf("features %q, want %q", got, want)
	}
	if got := m.Sources(2); !slices.Equal(got, []int32{1}) {
		t.Errorf("sources %v", got)
	}
	if got := m.Uses(); !slices.Equal(got, []int32{1}) {
		t.Errorf("uses %v", got)
	}
	zero := float64(float32(1e-35))
	x := []float64{0, math.Copysign(0, -1), zero, -zero, math.Nextafter(zero, 1), math.Nextafter(-zero, -1), -2, -1, 3, 4, math.NaN()}
	want := []float64{1, 1, 1, 1, 2, 2, 1, 2, 2, 4, 1}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "w"}}}, []data.Column{data.Numbers(x), data.Numbers(make([]float64, len(x)))})
	if err != nil {
		t.Fatal(err)
	}
	if got := modeltest.PredictBoth(t, m, f, model.Options{}, nil); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestCombined: categories are found by their hashes, and combinations by theirs.
func TestCombined(t *testing.T) {
	m := codectest.Combined()
	if got := m.Sources(4); !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("sources %v", got)
	}
	if got := m.Uses(); !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("uses %v", got)
	}
	// The statistic of (a, b) is 0.25, 0.75 or else 0.5, which is up to the split point; that of
	// a = q, x above 1.5 or missing, and b other than t is 5, else 3.
	b := []string{"t", "s", "other"}
	fields := []data.Field{{Name: "b", Kind: data.Categorical, Levels: b}, {Name: "x"},
		{Name: "a", Kind: data.Categorical, Levels: []string{"other", "q", "p"}}}
	rows := []struct {
		a, b string
		x    float64
		want float64
	}{
		{"p", "s", 0, 1}, {"q", "t", 0, 2}, {"q", "t", 9, 2}, {"q", "s", 9, 1}, {"p", "t", 9, 1},
		{"other", "t", 9, 1}, {"q", "other", math.NaN(), 1},
	}
	var codesA, codesB []uint32
	var x, want []float64
	for _, r := range rows {
		codesA = append(codesA, uint32(slices.Index(fields[2].Levels, r.a)))
		codesB = append(codesB, uint32(slices.Index(b, r.b)))
		x, want = append(x, r.x), append(want, r.want)
	}
	f, err := data.NewFrame(data.Schema{Fields: fields}, []data.Column{data.Codes(codesB), data.Numbers(x), data.Codes(codesA)})
	if err != nil {
		t.Fatal(err)
	}
	if got := modeltest.PredictBoth(t, m, f, model.Options{}, nil); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
