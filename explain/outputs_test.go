package explain_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// formulas is a model of several outputs, each by a formula.
type formulas struct{ of []*formula }

func (m formulas) Spec() *model.Spec           { return m.of[0].Spec() }
func (m formulas) Outputs() int                { return len(m.of) }
func (m formulas) Width() int                  { return len(m.of) }
func (m formulas) Describe() model.Description { return model.Description{} }
func (m formulas) Children() []model.Child     { return nil }

func (m formulas) Bind(*data.Schema, model.Options) (model.Predictor, error) { return m, nil }

func (m formulas) PredictRow([]float64, []float64) error { return errors.New("not called") }

func (m formulas) PredictSparse([]float64, []int32, []float64) error {
	return errors.New("not called")
}

func (m formulas) Predict(dst []float64, f *data.Frame, rows []int32) error {
	one := make([]float64, len(f.Chosen(rows)))
	for k, each := range m.of {
		if err := each.Predict(one, f, rows); err != nil {
			return err
		}
		for i, x := range one {
			dst[i*len(m.of)+k] = x
		}
	}
	return nil
}

// TestEffectsByOutput: the effects on an output of several are those on a model of that output
// alone, in all bits.
func TestEffectsByOutput(t *testing.T) {
	levels := []float64{3, -1, 8, 2}
	var all formulas
	var table *data.Frame
	for _, value := range []func(r []float64) float64{
		func(r []float64) float64 { return r[0]*r[2] + 4*r[1] },
		func(r []float64) float64 { return 7 - r[0]*r[2]*r[2] + r[1]*r[1] + levels[int(r[3])]*r[2] },
		func(r []float64) float64 { return levels[int(r[3])]*r[0] - r[0]*r[0]*r[2] },
	} {
		var m *formula
		m, table = formulaTable(t, value)
		all.of = append(all.of, m)
	}
	rows := []int32{0, 5, 7, 20, 33, 80, 120, 121, 240, 299}
	for i := range int32(60) { // more rows than are predicted for at once
		rows = append(rows, 130+i)
	}
	// same compares numbers whose outputs are beside each other with those of each output alone
	same := func(what string, k int, got, want []float64) {
		t.Helper()
		var own []float64
		for i := k; i < len(got); i += len(all.of) {
			own = append(own, got[i])
		}
		if !slices.Equal(own, want) || !slices.ContainsFunc(want, func(x float64) bool { return x != 0 }) {
			t.Errorf("%s of output %d: %v, want %v", what, k, own, want)
		}
	}
	o := explain.EffectOptions{Points: 3, Individual: true}
	for _, columns := range [][]string{{"x"}, {"level"}, {"x", "z"}, {"z", "level"}} {
		d, err := explain.PartialDependence(t.Context(), all, table, rows, columns, o)
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range all.of {
			one, err := explain.PartialDependence(t.Context(), m, table, rows, columns, o)
			if err != nil {
				t.Fatal(err)
			}
			same("dependence", k, d.Mean, one.Mean)
			same("curves", k, d.Individual, one.Individual)
			second := d.Axes[len(columns)-1].Len()
			for cell, want := range one.Mean {
				i, j := cell/second, cell%second
				if len(columns) == 1 {
					i, j = cell, 0
				}
				if got := d.At(i, j); len(got) != len(all.of) || got[k] != want {
					t.Errorf("%v: %v at %d, %d, want %v", columns, got, i, j, want)
				}
			}
		}
	}
	for _, columns := range [][]string{{"x"}, {"level"}, {"x", "z"}} {
		e, err := explain.AccumulatedEffects(t.Context(), all, table, rows, columns, o)
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range all.of {
			one, err := explain.AccumulatedEffects(t.Context(), m, table, rows, columns, o)
			if err != nil {
				t.Fatal(err)
			}
			if columns[0] != "level" || k > 0 { // the first has no effect of the levels
				same("effects", k, e.Values, one.Values)
			}
		}
	}
	strengths, err := explain.Interaction(t.Context(), all, table, rows, []string{"x", "z", "level"}, o)
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range all.of {
		one, err := explain.Interaction(t.Context(), m, table, rows, []string{"x", "z", "level"}, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range one {
			if strengths[i].H[k] != one[i].H[0] {
				t.Errorf("H of %v, output %d: %v, want %v", one[i].Columns, k, strengths[i].H, one[i].H)
			}
		}
	}
}
