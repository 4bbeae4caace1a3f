package coppice_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// checkedStays trains a model of stays without dates, which have no missing weights.
func checkedStays(tb testing.TB) (m model.Model, rows []stay) {
	tb.Helper()
	rows = stays(1, 300, false)
	l := gbm.New()
	l.Trees = tier.Count(30, 100, 100)
	m, err := coppice.TrainStructs(tb.Context(), l, rows, data.Roles{Label: "class", Ignore: []string{"cost"}})
	if err != nil {
		tb.Fatal(err)
	}
	return m, rows
}

// A struct has the flags that its row of a table has. Training rows have none; towns that training
// had not, and ages beyond its own, do.
func TestPredictorFlags(t *testing.T) {
	m, rows := checkedStays(t)
	p, err := coppice.NewPredictor[stay](m)
	if err != nil {
		t.Fatal(err)
	}
	silent, err := coppice.NewPredictor[stay](m, coppice.Checks{})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if y, err := p.Predict(row); err != nil || len(y.Flags) > 0 {
			t.Fatalf("training row %d: %v, %v", i, y.Flags, err)
		}
	}
	fresh := stays(2, 200, true)
	for i := range fresh {
		if i%5 == 0 {
			fresh[i].Age += 100
		}
	}
	table, err := data.FromStructs(fresh)
	if err != nil {
		t.Fatal(err)
	}
	known := model.NewCoverage(m)
	known.Check(model.FlagAll)
	if err := known.Add(data.ExpandLike(table, &m.Spec().Schema)); err != nil {
		t.Fatal(err)
	}
	var into, quiet coppice.Prediction
	for i, row := range fresh {
		if err := errors.Join(p.PredictInto(&into, &row), silent.PredictInto(&quiet, &row)); err != nil {
			t.Fatal(err)
		}
		if want := known.Flags(nil, i); !slices.Equal(into.Flags, want) || len(quiet.Flags) > 0 {
			t.Errorf("row %d: %v, want %v", i, into.Flags, want)
		}
		old := model.Flag{Column: "age", Kind: model.OutOfRange}
		if slices.Contains(into.Flags, old) != (row.Age >= 60) {
			t.Errorf("age %v: %v", row.Age, into.Flags)
		}
		far := model.Flag{Column: "town", Kind: model.NewCategory}
		if slices.Contains(into.Flags, far) != (row.Town == "Lima" || row.Town == "Cork") {
			t.Errorf("town %q: %v", row.Town, into.Flags)
		}
	}
	strict, err := coppice.NewPredictor[stay](m, coppice.Checks{Range: data.Refuse})
	if err != nil {
		t.Fatal(err)
	}
	rows[0].Age = 999
	var value *model.ValueError
	_, err = strict.Predict(rows[0])
	if !errors.As(err, &value) || value.Error() != `column "age": 999 is out of the range of training, 0 to 59` {
		t.Error(err)
	}
	var y coppice.Prediction
	if n := testing.AllocsPerRun(200, func() { err = p.PredictInto(&y, &rows[0]) }); n != 0 || err != nil {
		t.Errorf("%v allocations of a row that is flagged, %v", n, err)
	}
}

// The reasons of a struct, whose values a Predictor has, are those of its row of a table.
func TestPredictorReasons(t *testing.T) {
	m, _ := checkedStays(t)
	p, err := coppice.NewPredictor[stay](m)
	if err != nil {
		t.Fatal(err)
	}
	fresh := stays(2, 50, true)
	table, err := data.FromStructs(fresh)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := explain.NewReasons(t.Context(), m, p.Schema(), explain.ReasonOptions{})
	if err != nil {
		t.Fatal(err)
	}
	together, err := explain.NewReasons(t.Context(), m, &table.Schema, explain.ReasonOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := together.Table(t.Context(), table, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i := range fresh {
		got, err := alone.Row(p.Values(nil, &fresh[i]), 4)
		if err != nil || len(got) == 0 || !slices.Equal(got, want[i]) {
			t.Errorf("row %d: %v, want %v; %v", i, got, want[i], err)
		}
	}
}

// BenchmarkPredictorChecks compares rows with the training rows and without: what the checks take.
func BenchmarkPredictorChecks(b *testing.B) {
	m, rows := checkedStays(b)
	for name, checks := range map[string]coppice.Checks{"accept": {}, "flag": model.FlagAll} {
		p, err := coppice.NewPredictor[stay](m, checks)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			var y coppice.Prediction
			for i := 0; b.Loop(); i++ {
				if err := p.PredictInto(&y, &rows[i%len(rows)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
