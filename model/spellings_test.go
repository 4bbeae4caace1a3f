package model_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// A model made of Python's truth values predicts tables that R wrote, read by its schema or not.
func TestTruthValues(t *testing.T) {
	b := tree.NewLeafBuilder(tree.Scalar, 1)
	first := b.Split(0, tree.Split{Kind: tree.SetFirst, Feature: 0, Set: []uint64{0b10},
		Missing: tree.MissingLast})
	b.SetValue(first, []float64{1})
	b.SetValue(first+1, []float64{-1})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		levels []string
		want   []float64
	}{
		{[]string{"False", "True"}, []float64{-1, 1, 1, -1, -1}},
		{[]string{"false", "true"}, []float64{-1, 1, 1, -1, -1}},
		{[]string{"FALSE", "True"}, []float64{-1, 1, 1, -1, -1}},
		{[]string{"True", "TRUE"}, []float64{-1, 1, -1, -1, -1}}, // two levels: each is itself
	} {
		m := &model.Ensemble{Trees: []*tree.Tree{grown}, Meta: model.Spec{Task: data.Regression,
			Schema: data.Schema{Fields: []data.Field{{Name: "x", Kind: data.Categorical,
				Levels: c.levels}}}}}
		for name, schema := range map[string]*data.Schema{"by schema": &m.Meta.Schema, "alone": nil} {
			options := csvdata.Options{ReadOptions: data.ReadOptions{Schema: schema}}
			if schema == nil {
				options.Categorical = []string{"x"}
			}
			options.Bytes = map[string][]byte{"t.csv": []byte("x\nFALSE\nTRUE\ntrue\nfalse\nmaybe\n")}
			read, err := csvdata.Open(options, "t.csv").Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := predict(t, m, read, model.Options{}); !slices.Equal(got, c.want) {
				t.Errorf("levels %q, table read %s: %v, want %v", c.levels, name, got, c.want)
			}
		}
	}
}

// Categories that are plain integers are found by their numbers, in tables that were read by the
// model's schema and in others, whole or a row at a time.
func TestIntegerCategories(t *testing.T) {
	b := tree.NewLeafBuilder(tree.Scalar, 1)
	first := b.Split(0, tree.Split{Kind: tree.SetFirst, Feature: 0, Set: []uint64{0b10},
		Missing: tree.MissingLast})
	b.SetValue(first, []float64{1})
	b.SetValue(first+1, []float64{-1})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		levels []string
		want   []float64
	}{
		{[]string{"1", "2"}, []float64{1, 1, 1, 1, -1, -1, -1}},
		{[]string{"1", "2.0"}, []float64{-1, 1, -1, -1, -1, -1, -1}}, // a name
		{[]string{"01", "2"}, []float64{1, -1, -1, -1, -1, -1, -1}},
		{[]string{"0", "1"}, []float64{-1, -1, -1, -1, -1, 1, -1}}, // bare codes
	} {
		m := &model.Ensemble{Trees: []*tree.Tree{grown}, Meta: model.Spec{Task: data.Regression,
			Schema: data.Schema{Fields: []data.Field{{Name: "x", Kind: data.Categorical,
				Levels: c.levels}}}}}
		for name, schema := range map[string]*data.Schema{"by schema": &m.Meta.Schema, "alone": nil} {
			options := csvdata.Options{ReadOptions: data.ReadOptions{Schema: schema}}
			if schema == nil {
				options.Categorical = []string{"x"}
			}
			options.Bytes = map[string][]byte{"t.csv": []byte("x\n2\n2.0\n+2\n2e0\n02\n1.0\nNA\n")}
			read, err := csvdata.Open(options, "t.csv").Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := predict(t, m, read, model.Options{}); !slices.Equal(got, c.want) {
				t.Errorf("levels %q, table read %s: %v, want %v", c.levels, name, got, c.want)
			}
			for row := range c.want {
				one := make([]float64, 1)
				p, err := m.Bind(&read.Schema, model.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Predict(one, read, []int32{int32(row)}); err != nil || one[0] != c.want[row] {
					t.Errorf("levels %q, table read %s, row %d: %v, %v", c.levels, name, row, one, err)
				}
			}
		}
	}
}
