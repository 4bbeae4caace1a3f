package dense_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// codes makes a frame of a number and a column of the categories a, b and c.
func codes(t *testing.T, x []float64, code []uint32) *data.Frame {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"},
		{Name: "g", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}},
		[]data.Column{data.Numbers(x), data.Codes(code)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// bound returns what predicts the vectors of a table by an encoding of another one.
func bound(e *dense.Encoding, f, table *data.Frame, apart bool) (model.Predictor, error) {
	return e.Bind(&table.Schema, model.Options{Output: model.Raw, Workers: 1},
		dense.Scores{Spec: &model.Spec{Schema: f.Schema}, Scores: e.Width(), Apart: apart,
			Start: func() func(dst, x []float64) {
				return func(dst, x []float64) { copy(dst, x) }
			}})
}

// TestApart: a category without a place has zeros where distances are computed, and the
// fractions of the categories elsewhere. All other rows have one vector in both.
func TestApart(t *testing.T) {
	f := codes(t, []float64{-1, 1, -1, 1}, []uint32{0, 1, 1, 1})
	e, _ := dense.Fit(f, nil, nil)
	query := codes(t, []float64{1, 1, 1}, []uint32{0, 2, missing})
	for name, c := range map[string]struct {
		apart bool
		want  []float64
	}{
		"mean":  {false, []float64{1, 1, 0, 1, 0.25, 0.75, 1, 0.25, 0.75}},
		"apart": {true, []float64{1, 1, 0, 1, 0, 0, 1, 0, 0}},
	} {
		p, err := bound(e, f, query, c.apart)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(c.want))
		if err := p.Predict(got, query, nil); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

// TestByAppearance: the order follows the first rows of the categories, not their codes. A place
// that no vector has is last.
func TestByAppearance(t *testing.T) {
	f := codes(t, []float64{-1, 1, -1, 1}, []uint32{2, 0, 2, 1})
	e, _ := dense.Fit(f, nil, nil)
	if got := e.ByAppearance(e.Matrix(f, nil, 1)); !slices.Equal(got, []int{0, 3, 1, 2}) {
		t.Errorf("order %v", got)
	}
	if got := e.ByAppearance(e.Matrix(f, []int32{1, 3}, 1)); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("order of two rows %v", got)
	}
}
