package pmml_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// sharpRows draws rows whose numbers are split points of the model or next to one, missing, or any
// few, and whose categories are any, unseen ones included.
func sharpRows(t *rapid.T, e *model.Ensemble) []float64 {
	points := []float64{0, 1, -1, 0.1, 7, 1e300, math.NaN()}
	for _, tr := range e.Trees {
		for n := range int32(tr.Len()) {
			if c := tr.SplitPoint(n); tr.Feature(n) >= 0 && math.Abs(c) <= math.MaxFloat64 {
				points = append(points, c, math.Nextafter(c, math.Inf(1)), math.Nextafter(c, math.Inf(-1)))
			}
		}
	}
	row := make([]float64, len(e.Meta.Schema.Fields))
	for i := range row {
		f := &e.Meta.Schema.Fields[i]
		if row[i] = rapid.SampledFrom(points).Draw(t, "x"); f.Kind == data.Categorical {
			row[i] = float64(rapid.IntRange(-1, len(f.Levels)-1).Draw(t, "c"))
			if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
				row[i] = math.NaN()
			}
		}
	}
	return row
}

// sameRefusals checks that a model refuses the rows that its file has no prediction for, and no
// others, and that it predicts the others as the file does.
func sameRefusals(t *testing.T, e *model.Ensemble, ref codec.Reference) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		want := make([]float64, ref.Scores())
		for range 8 {
			row := sharpRows(t, e)
			ref.Raw(want, row)
			got := predict(t, e, model.Raw, row)
			if (got == nil) != math.IsNaN(want[0]) || got != nil && !near(got, want, 1) {
				t.Fatalf("%v predicts %v, by the file %v", row, got, want)
			}
		}
	})
}

// Rows without a prediction are exactly those of the file. Where one column alone decides its
// policy refuses missing values, which are refused wherever they are.
func TestRefusedRows(t *testing.T) {
	for name, text := range handmade {
		t.Run(name, func(t *testing.T) {
			e, ref := decode(t, []byte(text))
			sameRefusals(t, e, ref)
		})
	}
}

// What is written of models with leaves without a prediction refuses the same rows.
func TestWrittenRefusals(t *testing.T) {
	models := map[string]*model.Ensemble{"codectest": codectest.Refusing()}
	for _, name := range []string{"none", "null", "vote", "weighted", "mean", "unscored", "without"} {
		text := handmade[name]
		if name == "without" {
			text = single("", binaryNodes)
		}
		models[name], _ = decode(t, []byte(text))
	}
	for name, e := range models {
		t.Run(name, func(t *testing.T) {
			file, ok := encode(t, e)
			if !ok {
				t.Fatal("the model is not written")
			}
			got, ref := readBack(t, file)
			rapid.Check(t, func(t *rapid.T) {
				row := sharpRows(t, e)
				want, is := predict(t, e, model.Response, row), predict(t, got, model.Response, row)
				raw := make([]float64, ref.Scores())
				if ref.Raw(raw, row); (want == nil) != (is == nil) || want != nil && !near(is, want, 1) ||
					want == nil != math.IsNaN(raw[0]) {
					t.Fatalf("%v predicts %v, by the file %v, want %v\n%s", row, is, raw, want, file)
				}
			})
		})
	}
}
