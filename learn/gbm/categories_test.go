package gbm_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss/losstest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// shops is a table whose label is mostly a matter of one of 300 shops and one of 9 goods together.
func shops(t testing.TB, rows int) *data.Dataset {
	t.Helper()
	s := rng.New(5)
	shop, good, x := make([]uint32, rows), make([]uint32, rows), make([]float64, rows)
	class := make([]uint32, rows)
	for i := range rows {
		shop[i], good[i], x[i] = uint32(s.Intn(300)), uint32(s.Intn(9)), s.Float64()
		likes := float64((shop[i]*2654435761+good[i]%3*40503)>>7%100) / 100
		if s.Float64() < 0.8*likes+0.2*x[i] {
			class[i] = 1
		}
		if s.Intn(50) == 0 {
			shop[i] = data.MissingCode
		}
	}
	levels := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprint("l", i)
		}
		return all
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"},
		{Name: "shop", Kind: data.Categorical, Levels: levels(300)},
		{Name: "good", Kind: data.Categorical, Levels: levels(9)}}},
		[]data.Column{data.Numbers(x), data.Codes(shop), data.Codes(good)})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "bought", Task: data.Binary,
		Classes: []string{"no", "yes"}, Class: class}}
}

// TestTargetStatistics: statistics separate many categories better than sets do. The metrics of the
// validation set are those of the model's predictions, and training resumes from any round.
func TestTargetStatistics(t *testing.T) {
	ds := shops(t, 6000)
	train, valid := trainTest(ds)
	auc := map[string]float64{}
	for _, way := range []string{"native", "auto", "target", "both", "target ts_permutations=3"} {
		settings := append(strings.Fields("categories="+way), "trees=25", "early_stopping=0",
			"leaves=8", "ts_combinations=3")
		job := learn.Job{Rows: train, Valid: valid, Seed: 2}
		m, all := checkpoints(t, ds, job, settings...)
		auc[way] = evaluated(t, "auc", m, ds, valid)
		o, err := losstest.New("logistic").Bind(&ds.Target, valid)
		if err != nil {
			t.Fatal(err)
		}
		curve := summary(t, m).Curves[1]
		if got, want := o.Value(predict(t, m, ds.Frame, valid, model.Raw), 1),
			curve.Values[24]; got != want {
			t.Errorf("%s: the model has %v, the training %v", way, got, want)
		}
		job.Start, job.Workers = all[10], 3
		if again := fit(t, ds, job, settings...); !reflect.DeepEqual(again, m) {
			t.Errorf("%s: resumed training ends elsewhere", way)
		}
		if len(m.Meta.Schema.Fields) != 3 {
			t.Errorf("%s: the model's schema has %d columns", way, len(m.Meta.Schema.Fields))
		}
	}
	if auc["auto"] != auc["target"] || !(auc["target"] > auc["native"]+0.01) {
		t.Errorf("AUC %v", auc)
	}
}

// TestDartWithOrders: rounds that are dropped are those that were trained, each by its own order of
// the rows.
func TestDartWithOrders(t *testing.T) {
	ds := shops(t, 3000)
	train, valid := trainTest(ds)
	settings := []string{"categories=target", "ts_permutations=3", "ts_combinations=2",
		"boosting=dart", "boosting.skip=0", "boosting.drop=0.4", "trees=20", "leaves=8",
		"early_stopping=0"}
	job := learn.Job{Rows: train, Valid: valid, Seed: 3}
	m, all := checkpoints(t, ds, job, settings...)
	o, err := losstest.New("logistic").Bind(&ds.Target, valid)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.Value(predict(t, m, ds.Frame, valid, model.Raw), 1),
		summary(t, m).Curves[1].Values[19]; math.Abs(got-want) > 1e-12 {
		t.Errorf("the model has %v, the training %v", got, want)
	}
	job.Start = all[12]
	if again := fit(t, ds, job, settings...); !reflect.DeepEqual(again, m) {
		t.Error("resumed training ends elsewhere")
	}
	// Where all rounds before are dropped scores are those of no round, but for rounding, so that
	// the trees of an order are one.
	m = fit(t, ds, learn.Job{Rows: train, Seed: 3}, "categories=target", "ts_permutations=2",
		"ts_combinations=2", "boosting=dart", "boosting.skip=0",
		"boosting.drop=1", "trees=6", "leaves=4", "colsample=1", "learning_rate=1")
	for i, tr := range m.Trees[2:] {
		if tr.Len() != m.Trees[i].Len() || tr.Feature(0) != m.Trees[i].Feature(0) ||
			tr.SplitPoint(0) != m.Trees[i].SplitPoint(0) {
			t.Errorf("tree %d was trained on other scores than those of no tree", i+2)
		}
	}
}

// TestContinueTargetStatistics: on the same rows a model is continued as if there had been no end,
// with the same columns; on other rows the training adds columns of its own.
func TestContinueTargetStatistics(t *testing.T) {
	ds := shops(t, 2000)
	for _, orders := range []string{"1", "2"} {
		settings := []string{"categories=both", "ts_combinations=2", "leaves=8",
			"ts_permutations=" + orders}
		first := fit(t, ds, learn.Job{Seed: 4}, append(settings, "trees=5")...)
		both := fit(t, ds, learn.Job{Seed: 4, Start: &learn.Checkpoint{Model: first}},
			append(settings, "trees=4")...)
		want := fit(t, ds, learn.Job{Seed: 4}, append(settings, "trees=9")...)
		if !reflect.DeepEqual(both.Inputs, want.Inputs) || len(both.Trees) != 9 {
			t.Fatalf("%s orders: %d derived columns, want %d", orders, len(both.Inputs.Columns),
				len(want.Inputs.Columns))
		}
		a, b := predict(t, both, ds.Frame, nil, model.Raw),
			predict(t, want, ds.Frame, nil, model.Raw)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-9 {
				t.Fatalf("%s orders: row %d has %v, of 9 rounds at once %v", orders, i, a[i], b[i])
			}
		}
	}
	train, valid := trainTest(ds)
	first := fit(t, ds, learn.Job{Rows: train, Seed: 4}, "categories=target", "trees=5", "leaves=8")
	n := len(first.Inputs.Columns)
	job := learn.Job{Rows: valid, Seed: 4, Start: &learn.Checkpoint{Model: first}}
	m, all := checkpoints(t, ds, job, "categories=target", "trees=6", "leaves=8")
	if len(m.Inputs.Columns) <= n ||
		!reflect.DeepEqual(m.Inputs.Columns[:n], first.Inputs.Columns) || summary(t, m).Kept != 11 {
		t.Errorf("%d derived columns after %d", len(m.Inputs.Columns), n)
	}
	for _, tr := range m.Trees[5:] {
		for i := range int32(tr.Len()) {
			if f := int(tr.Feature(i)) - len(ds.Columns); tr.Kind(i) != tree.Leaf && f >= 0 &&
				f < n {
				t.Fatal("a new tree uses a column of the model before")
			}
		}
	}
	job.Start = all[2]
	if again := fit(t, ds, job, "categories=target", "trees=6",
		"leaves=8"); !reflect.DeepEqual(again, m) {
		t.Error("resumed training ends elsewhere")
	}
	plain := fit(t, ds, learn.Job{Rows: valid, Start: &learn.Checkpoint{Model: first}},
		"categories=native", "trees=3")
	if len(plain.Inputs.Columns) != n || len(plain.Trees) != 8 {
		t.Errorf("%d derived columns, %d trees", len(plain.Inputs.Columns), len(plain.Trees))
	}
	late := fit(t, ds, learn.Job{Start: &learn.Checkpoint{Model: fit(t, ds, learn.Job{},
		"categories=native", "trees=2")}}, "categories=target", "trees=2")
	if len(late.Inputs.Columns) == 0 || len(late.Trees) != 4 {
		t.Errorf("%d derived columns, %d trees", len(late.Inputs.Columns), len(late.Trees))
	}
}

// TestOrdinalCategories: with categories=ordinal, categories that are numbers make the model of a
// numeric column, whatever the order of their texts.
func TestOrdinalCategories(t *testing.T) {
	const rows = 600
	s := rng.New(9)
	number, other, y := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	class := make([]uint32, rows)
	for i := range rows {
		number[i], other[i] = float64(s.Intn(120)-20), s.Float64()
		y[i] = math.Sin(number[i]/20) + other[i] + 0.1*s.Float64()
		class[i] = uint32(min(2, max(0, int(y[i]+1))))
		if s.Intn(12) == 0 {
			number[i], y[i] = math.NaN(), y[i]+1
		}
	}
	frames := map[bool]*data.Frame{}
	for _, categorical := range []bool{false, true} {
		f, err := data.FromColumns(data.NamedColumn{Name: "c", Values: slices.Clone(number),
			Categorical: categorical}, data.NamedColumn{Name: "x", Values: other})
		if err != nil {
			t.Fatal(err)
		}
		frames[categorical] = f
	}
	for _, settings := range []string{"growth=leaf", "growth=depth leaves=0 depth=4",
		"growth=symmetric", "multi_output=true", "min_leaf=20"} {
		ds := &data.Dataset{Target: data.Target{Name: "y", Task: data.Regression,
			Y: [][]float64{y}}}
		if settings == "multi_output=true" {
			ds.Target = data.Target{Name: "y", Task: data.Multiclass,
				Classes: []string{"a", "b", "c"}, Class: class}
		}
		predicted := map[bool][]float64{}
		for categorical, f := range frames {
			ds.Frame = f
			known := make([]int32, 0, rows)
			for i, v := range number {
				// where missing values of categories have one side only
				if v == v || settings != "growth=symmetric" {
					known = append(known, int32(i))
				}
			}
			m := fit(t, ds, learn.Job{Rows: known},
				append(strings.Fields(settings), "categories=ordinal", "trees=20")...)
			predicted[categorical] = predict(t, m, f, known, model.Raw)
		}
		for i, want := range predicted[false] {
			if got := predicted[true][i]; math.Abs(got-want) > 1e-9 {
				t.Fatalf("%s: score %d is %v, of the numbers %v", settings, i, got, want)
			}
		}
	}
}

// TestLimitsOfDerivedColumns: interactions and column_weight hold for what is derived of the
// columns that they name.
func TestLimitsOfDerivedColumns(t *testing.T) {
	ds := shops(t, 2000)
	// the table's columns on each path from a root to a leaf
	together := func(settings ...string) map[string]bool {
		m := fit(t, ds, learn.Job{},
			append(settings, "categories=both", "trees=20", "ts_combinations=3", "colsample=1")...)
		ways := map[string]bool{}
		for _, tr := range m.Trees {
			seen := make([][3]bool, tr.Len())
			for n := range int32(tr.Len()) {
				if tr.Arity(n) == 0 {
					ways[fmt.Sprint(seen[n])] = true
					continue
				}
				source := []int32{tr.Feature(n)}
				if i := int(source[0]) - len(ds.Columns); i >= 0 {
					source = m.Inputs.Tables[m.Inputs.Columns[i].Table].Source
				}
				for c := tr.Child(n); c < tr.Child(n)+tr.Arity(n); c++ {
					seen[c] = seen[n]
					for _, f := range source {
						seen[c][f] = true
					}
				}
			}
		}
		return ways
	}
	all := fmt.Sprint([3]bool{true, true, true}) // x, shop, good
	if !together()[all] {
		t.Fatal("without limits no path uses all columns")
	}
	ways := together("interactions=x+shop")
	if !ways[fmt.Sprint([3]bool{true, true, false})] {
		t.Error("x and shop may be together, and are not")
	}
	for _, forbidden := range [][3]bool{{true, true, true}, {true, false, true}, {false, true, true}} {
		if ways[fmt.Sprint(forbidden)] {
			t.Errorf("interactions=x+shop: the columns %v are used together", forbidden)
		}
	}
	for way := range together("column_weight=shop=0") {
		if way == all || way == fmt.Sprint([3]bool{false, true, true}) ||
			way == fmt.Sprint([3]bool{true, true, false}) {
			t.Errorf("column_weight=shop=0: %s", way)
		}
	}
}

// TestContinueRefusesDerivedNumbers: training makes no columns of numbers, so it does not continue
// models that have them.
func TestContinueRefusesDerivedNumbers(t *testing.T) {
	ds := shops(t, 200)
	first := fit(t, ds, learn.Job{}, "categories=native", "trees=2")
	numeric := slices.IndexFunc(ds.Schema.Fields, func(f data.Field) bool { return f.Kind == data.Numeric })
	if numeric < 0 {
		t.Fatal("no column is numeric")
	}
	first.Inputs.Numbers = []input.Number{{Source: int32(numeric)}}
	_, err := tryFit(context.Background(), t, ds, learn.Job{Start: &learn.Checkpoint{Model: first}}, "categories=native", "trees=2")
	want := "derived column nonzero(" + ds.Schema.Fields[numeric].Name + ")"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
