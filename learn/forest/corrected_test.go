package forest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// noise makes a table of labels and columns that are independent of them: categories of 2, 10 and
// 100 levels, and numbers; and one column that is not.
func noise(t *testing.T, rows int, seed uint64) *data.Dataset {
	t.Helper()
	r := rng.New(seed)
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"no", "yes"}}}
	for range rows {
		ds.Target.Class = append(ds.Target.Class, uint32(r.Intn(2)))
	}
	var schema data.Schema
	var columns []data.Column
	for _, levels := range []int{2, 10, 100} {
		f := data.Field{Name: fmt.Sprintf("of%d", levels), Kind: data.Categorical}
		for l := range levels {
			f.Levels = append(f.Levels, fmt.Sprint(l))
		}
		c := data.Codes(make([]uint32, rows))
		for i := range c.Codes() {
			c.Codes()[i] = uint32(r.Intn(levels))
		}
		schema.Fields, columns = append(schema.Fields, f), append(columns, c)
	}
	number, signal := make([]float64, rows), make([]float64, rows)
	for i := range number {
		number[i], signal[i] = r.Float64(), r.Float64()+float64(0.5*float64(ds.Target.Class[i]))
	}
	schema.Fields = append(schema.Fields, data.Field{Name: "number"}, data.Field{Name: "signal"})
	frame, err := data.NewFrame(schema, append(columns, data.Numbers(number), data.Numbers(signal)))
	if err != nil {
		t.Fatal(err)
	}
	ds.Frame = frame
	return ds
}

// TestCorrected: over many tables the corrected importance of independent columns is 0 on
// average, however many values they have, while that by impurity grows with the number of values;
// so is that by permutation.
func TestCorrected(t *testing.T) {
	const tables = 24
	kinds := []string{impurity, corrected, permutation}
	values := map[string][][]float64{} // kind -> column -> by table
	for _, kind := range kinds {
		values[kind] = make([][]float64, 5)
	}
	for seed := range uint64(tables) {
		ds := noise(t, 120, seed)
		l := New()
		if err := l.Params().Set([]string{"trees=25", "importance=impurity,corrected,permutation",
			"mtry=2"}); err != nil {
			t.Fatal(err)
		}
		f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for i, reported := range summaryOf(t, m).Importances {
			if reported.Kind != kinds[i] || len(reported.Columns) != 5 {
				t.Fatalf("importances %+v", reported)
			}
			for c, x := range reported.Columns {
				values[reported.Kind][c] = append(values[reported.Kind][c], x.Value)
			}
		}
	}
	for _, kind := range kinds {
		for c := range 4 {
			mean, se := meanOf(values[kind][c])
			if kind == impurity {
				if c > 0 && c < 3 && mean < 1.5*values[kind][0][0] || mean < 8*se {
					t.Errorf("%s of column %d: %g +- %g, though impurity favours many values", kind,
						c, mean, se)
				}
				continue
			}
			if math.Abs(mean) > 3.5*se {
				t.Errorf("%s of column %d, which is independent: %g +- %g", kind, c, mean, se)
			}
		}
		if mean, se := meanOf(values[kind][4]); mean < 10*se {
			t.Errorf("%s of the informative column: %g +- %g", kind, mean, se)
		}
	}
}

// meanOf returns a mean and its standard error.
func meanOf(x []float64) (mean, se float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se / float64(len(x)*(len(x)-1)))
}

func TestNoImportanceGoesAlone(t *testing.T) {
	for text, want := range map[string]string{"none": "", " none ": "", "impurity, corrected": "",
		"none,permutation":  "none goes with no other",
		"permutation, none": "none goes with no other",
		"permutations":      `did you mean "permutation"?`, "": "is no importance"} {
		err := checkImportance(text)
		if want == "" && err != nil || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("importance=%s: error %v, want %q", text, err, want)
		}
	}
}
