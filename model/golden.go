package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// Golden is some rows with the model's predictions, by which a copy of the model, a new version of
// the program or another processor is verified: see Verify.
type Golden struct {
	Drawn bool `json:"drawn,omitempty"` // the rows are some of the training table; else no table has them
	Rows  int  `json:"rows"`            // at most GoldenRows
	// Values has a value for each field of the schema, row after row: a number, the code of a
	// category in its dictionary, or NaN for a missing value.
	Values []float64 `json:"-"`
	// Predictions are the responses of the model, row after row.
	Predictions []float64 `json:"-"`
}

// GoldenRows is the most golden rows of a model, which has fewer where rows or responses are wide:
// together they have at most goldenValues values, and as many predictions.
const (
	GoldenRows   = 32
	goldenValues = 1 << 16
)

// GoldenCount returns how many golden rows a model has: up to GoldenRows.
func GoldenCount(m Model) int {
	return min(GoldenRows, goldenValues/max(1, len(m.Spec().Schema.Fields)),
		goldenValues/max(1, m.Outputs()))
}

// ErrNoGolden reports that a model has no golden rows.
var ErrNoGolden = error(option.Error("the model stores no golden rows: train again without " +
	"{golden-rows none} and {no-profile}"))

// GoldenError reports that a model does not predict a golden row as it did when it was made.
type GoldenError struct {
	Row, Output int // from 0
	Want, Got   float64
}

func (e *GoldenError) Error() string {
	return fmt.Sprintf("golden row %d, output %d: the prediction is %v, and was %v when the model "+
		"was made: the file, the program or the processor differs", e.Row+1, e.Output+1, e.Got,
		e.Want)
}

// goldenSlack is by how much a prediction may differ, relative to itself where it is above 1.
const goldenSlack = 1e-9

// Verify predicts the golden rows of a model again. The first prediction that differs by more than
// 1e-9, of larger ones of its size, is a *GoldenError. Other errors are ErrNoGolden and those of
// Bind and PredictRow.
func Verify(m Model) error {
	g := m.Spec().Golden
	if g == nil {
		return ErrNoGolden
	}
	again, err := g.predict(m)
	if err != nil {
		return err
	}
	if len(again) != len(g.Predictions) {
		return fmt.Errorf("%d golden predictions, and the model makes %d", len(g.Predictions),
			len(again))
	}
	for i, want := range g.Predictions {
		if !(math.Abs(again[i]-want) <= goldenSlack*max(1, math.Abs(want))) {
			return &GoldenError{i / m.Outputs(), i % m.Outputs(), want, again[i]}
		}
	}
	return nil
}

// Predicted returns the golden rows with the predictions of a model, nil where it refuses one of
// them or predicts no finite number.
func (g *Golden) Predicted(m Model) *Golden {
	all, err := g.predict(m)
	if err != nil || slices.ContainsFunc(all, notFinite) {
		return nil
	}
	own := *g
	own.Predictions = all
	return &own
}

func (g *Golden) predict(m Model) ([]float64, error) {
	s := &m.Spec().Schema
	p, err := m.Bind(s, Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	fields, width := len(s.Fields), p.Width()
	all := make([]float64, g.Rows*width)
	for r := range g.Rows {
		if err := p.PredictRow(all[r*width:][:width], g.Values[r*fields:][:fields]); err != nil {
			return nil, fmt.Errorf("golden row %d: %w", r+1, err)
		}
	}
	return all, nil
}

// validate checks the rows against the schema.
func (g *Golden) validate(s *data.Schema) error {
	if g == nil {
		return nil
	}
	if g.Rows < 1 || g.Rows > GoldenRows || len(g.Values) != g.Rows*len(s.Fields) ||
		len(g.Values) > goldenValues || len(g.Predictions) > goldenValues ||
		len(g.Predictions) < g.Rows || len(g.Predictions)%g.Rows != 0 {
		return fmt.Errorf("%d golden rows with %d values and %d predictions", g.Rows, len(g.Values),
			len(g.Predictions))
	}
	for i, v := range g.Values {
		f := &s.Fields[i%len(s.Fields)]
		if f.Kind == data.Categorical && v == v &&
			!(v >= 0 && v < float64(len(f.Levels)) && v == math.Trunc(v)) {
			return fmt.Errorf("golden row %d, column %q: %v is no code of its dictionary",
				i/len(s.Fields)+1, f.Name, v)
		}
	}
	for i, p := range g.Predictions {
		if notFinite(p) {
			return fmt.Errorf("golden prediction %d is %v", i+1, p)
		}
	}
	return nil
}
