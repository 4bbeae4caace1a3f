package quality_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/data/quality"
)

func read(t *testing.T, file, label string) *data.Dataset {
	t.Helper()
	return datatest.Read(t, file, data.Roles{Label: label})
}

// TestTwentyRows: the conditional table of the lecture's twenty rows.
func TestTwentyRows(t *testing.T) {
	ds := read(t, "lectures/three_binary_features.csv", "y")
	tables, err := quality.InformationOf(ds, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, table := range tables {
		got = append(got, fmt.Sprintf("%s %.6f %.6f %.6f", table.Column, table.Label,
			table.Conditional, table.Gain()))
	}
	want := "x1 0.970951 0.970951 0.000000; x2 0.970951 0.910927 0.060023; " +
		"x3 0.970951 0.868540 0.102410"
	if strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWeather: P(x), P(y|x), P(x|y) and H(Y|x) of one column, by hand: 5 sunny days of which 2 are
// played, 4 overcast ones that all are, and 5 rainy ones of which 3 are; 9 of 14 are played.
func TestWeather(t *testing.T) {
	ds := read(t, "weather/weather.nominal.csv", "play")
	tables, err := quality.InformationOf(ds, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	outlook := &tables[0]
	yes := 1
	if ds.Target.Classes[0] == "yes" {
		yes = 0
	}
	var got []string
	for i := range outlook.Values {
		v := &outlook.Values[i]
		got = append(got, fmt.Sprintf("%s %d %.4f %.4f %.4f %.4f", v.Name, v.Rows,
			outlook.Fraction(v), v.Given(yes), outlook.Likelihood(v, yes), v.Entropy))
	}
	want := "overcast 4 0.2857 1.0000 0.4444 0.0000; rainy 5 0.3571 0.6000 0.3333 0.9710; " +
		"sunny 5 0.3571 0.4000 0.2222 0.9710"
	if strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if s := fmt.Sprintf("%.4f %.4f %.4f", outlook.Gain(), outlook.Own, outlook.Ratio()); s !=
		"0.2467 1.5774 0.1564" {
		t.Errorf("gain, H(X) and ratio %s", s)
	}
}

// TestBins: numbers of many values are binned, missing values are a value, and weights count.
func TestBins(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "few"}}},
		[]data.Column{data.Numbers([]float64{1, 2, 3, 4, 5, 6, math.NaN(), 8}),
			data.Numbers([]float64{0, 0, 0.5, 0.5, 0, 0, 0, 9})})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Task: data.Binary,
		Classes: []string{"a", "b"}, Class: []uint32{0, 0, 0, 1, 1, 1, 1, 0},
		Weight: []float64{2, 1, 1, 1, 1, 1, 1, 0}}}
	tables, err := quality.InformationOf(ds, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, table := range tables {
		for _, v := range table.Values {
			got = append(got, fmt.Sprintf("%s: %d %v", v.Name, v.Rows, v.Classes))
		}
	}
	want := "<= 2: 2 [3 0]; > 2, <= 4: 2 [1 1]; > 4: 2 [0 2]; missing: 1 [0 1]; " +
		"0: 5 [3 3]; 0.5: 2 [1 1]"
	if strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !tables[0].Binned || tables[1].Binned {
		t.Error("the wrong column is binned")
	}
}

// TestLaws: gains are never negative, a conditional entropy is no more than the entropy, and
// probabilities add up to 1.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(r, "rows")
		x := rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n).Draw(r, "x")
		class := rapid.SliceOfN(rapid.Uint32Range(0, 2), n, n).Draw(r, "class")
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}},
			[]data.Column{data.Numbers(x)})
		if err != nil {
			r.Fatal(err)
		}
		ds := &data.Dataset{Frame: f, Target: data.Target{Task: data.Multiclass,
			Classes: []string{"a", "b", "c"}, Class: class}}
		tables, err := quality.InformationOf(ds, nil, rapid.IntRange(2, 9).Draw(r, "bins"))
		if err != nil {
			r.Fatal(err)
		}
		of := &tables[0]
		fractions, rows := 0.0, 0
		for i := range of.Values {
			fractions += of.Fraction(&of.Values[i])
			rows += of.Values[i].Rows
		}
		if of.Conditional > of.Label+1e-12 || math.Abs(fractions-1) > 1e-12 || rows != n ||
			of.Gain() > of.Own+1e-12 {
			r.Fatalf("%+v", of)
		}
	})
}

func TestRefused(t *testing.T) {
	numbers := read(t, "iris/iris.csv", "petal_width")
	if _, err := quality.InformationOf(numbers, nil, 4); err == nil {
		t.Error("a label of numbers has an entropy")
	}
	classes := read(t, "iris/iris.csv", "species")
	if _, err := quality.InformationOf(classes, nil, 1); err == nil {
		t.Error("one bin is accepted")
	}
	if _, err := quality.InformationOf(classes, []int32{}, 4); err == nil {
		t.Error("no rows are accepted")
	}
}
