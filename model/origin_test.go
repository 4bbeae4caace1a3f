package model_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

func TestRoundsOfSeveralTrees(t *testing.T) {
	m := codectest.Imported()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	f, err := data.FromRows([][]float64{{0}, {1}}, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    model.Options
		want []float64
	}{
		{model.Options{}, []float64{11, 12}}, // by default the best round alone
		{model.Options{Rounds: 1}, []float64{11, 12}},
		{model.Options{Rounds: 2}, []float64{35, 40}},
		{model.Options{Rounds: 9}, []float64{35, 40}},
		{model.Options{Rounds: model.AllRounds}, []float64{35, 40}},
		{model.Options{Output: model.Leaf}, []float64{7, 0, 3, 0}},
		{model.Options{Output: model.Leaf, Rounds: model.AllRounds}, []float64{7, 0, 7, 0, 3, 0, 3, 0}},
	} {
		if got := predict(t, m, f, c.o); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.o, got, c.want)
		}
		p, err := m.Bind(&f.Schema, c.o)
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float64, p.Width())
		if err := p.PredictRow(row, []float64{1}); err != nil ||
			!slices.Equal(row, c.want[p.Width():]) {
			t.Errorf("%+v: row %v, %v", c.o, row, err)
		}
	}
	facts := m.Describe().Facts
	want := []model.Fact{{Name: "tool", Text: "XGBoost 3.1.0"}, {Name: "rounds", Text: "the first 1 of 2"}}
	if !slices.Equal(facts, want) {
		t.Errorf("described as %v", facts)
	}
}
