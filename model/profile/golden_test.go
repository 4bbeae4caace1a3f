package profile_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// Golden rows have values of each column's profile: parts of a date are those of one date, numbers
// lie between the extremes, categories are known, and about as many are missing as in training.
func TestGoldenRows(t *testing.T) {
	const n = 1000
	x, day, code, text := make([]float64, n), make([]float64, n), make([]uint32, n), make([]uint32, n)
	for i := range n {
		x[i], day[i], code[i], text[i] = float64(i%50), float64(i)*8.64e10, uint32(i%2), uint32(i%3)
		if i%2 == 0 {
			x[i] = math.NaN()
		}
		if i%4 == 0 {
			day[i], text[i] = math.NaN(), data.MissingCode
		}
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "day", Kind: data.Date},
		{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "never"}},
		{Name: "t", Kind: data.Text, Levels: []string{"", "one", "two words"}}, {Name: "whole", Missing: data.Refuse}}},
		[]data.Column{data.Numbers(x), data.Numbers(day), data.Codes(code), data.Codes(text), data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	if f, err = data.Expand(f, nil); err != nil {
		t.Fatal(err)
	}
	b := profile.New(f.Schema.Fields, n, profile.Options{})
	b.Add(f, data.AllRows(n))
	p := b.Profile(&data.Target{}, data.AllRows(n))
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: f.Schema, Profile: p}, Bias: []float64{2}}
	g := profile.Golden(m, p, 7)
	m.Meta.Golden = g
	if err := m.Validate(); err != nil || g.Rows != model.GoldenRows {
		t.Fatal(g, err)
	}
	s, missing := &f.Schema, map[string]int{}
	for row := range slices.Chunk(g.Values, len(s.Fields)) {
		at := func(name string) float64 { return row[s.Index(name)] }
		for i, v := range row {
			if math.IsNaN(v) {
				missing[s.Fields[i].Name]++
			}
		}
		days := s.Fields[s.Index("day.days")].From
		date := days.Date(at("day.days"))
		if year := s.Fields[s.Index("day.year")].From; date == date && year.Of(date) != at("day.year") {
			t.Errorf("%v days are in the year %v", at("day.days"), at("day.year"))
		}
		if date < 0 || date > n*8.64e10 || at("x") < 0 || at("x") > 49 || at("x") == at("x") && at("x") != math.Trunc(at("x")) || at("c") > 1 {
			t.Errorf("the row %v", row)
		}
	}
	if d, x := missing["day.days"], missing["x"]; missing["day.year"] != d || d < 2 || d > 16 || x < 8 || x > 24 || missing["whole"] > 0 || missing["c"] > 0 {
		t.Errorf("missing values: %v", missing)
	}
	if again := profile.Golden(m, p, 7); !slices.EqualFunc(again.Values, g.Values, func(a, b float64) bool { return a == b || a != a && b != b }) {
		t.Error("the same seed gives other rows")
	}
	if other := profile.Golden(m, p, 8); slices.Equal(other.Values, g.Values) {
		t.Error("another seed gives the same rows")
	}
	if profile.Golden(m, &model.Profile{Rows: 3}, 7) != nil {
		t.Error("a profile without columns has golden rows")
	}
}
