package codectest

import (
	"encoding/json"
	"slices"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// TinyCalibrated returns the smallest calibrated model that is not trivial: Tiny, with one
// calibrator of Platt's, with a threshold.
func TinyCalibrated() *committee.Calibrated {
	c := &committee.Calibrated{Meta: Tiny().Meta, Base: Tiny(), Method: committee.Platt,
		Calibrators: []committee.Calibrator{{Slope: 0.5, Intercept: -0.25}}}
	c.Meta.Learner, c.Meta.Params = "calibrate", json.RawMessage(`{"base":"cart"}`)
	c.Meta.Decision = model.Decision{Threshold: 0.3}
	return c
}

// FullCalibrated returns a model whose probabilities go through rising lines, around a committee.
func FullCalibrated() *committee.Calibrated {
	c := &committee.Calibrated{Meta: Full().Meta, Base: FullCommittee(),
		Method: committee.Isotonic}
	for range c.Method.Calibrators(len(c.Meta.Classes)) {
		c.Calibrators = append(c.Calibrators,
			committee.Calibrator{At: []float64{0, 5e-324, 0.5, 1},
				Value: []float64{0, 0, 0.25, 1}})
	}
	c.Meta.Learner = "calibrate"
	return c
}

// Calibrateds generates valid calibrated models of ensembles.
func Calibrateds() *rapid.Generator[*committee.Calibrated] {
	return rapid.Custom(func(t *rapid.T) *committee.Calibrated {
		e := Ensemble().Filter(func(e *model.Ensemble) bool {
			return e.Meta.Task.Classes() &&
				e.Outputs() == len(e.Meta.Classes)
		}).Draw(t, "base")
		c := &committee.Calibrated{Meta: e.Meta, Base: e}
		c.Method = committee.CalibrationMethod(rapid.IntRange(0, len(committee.CalibrationMethods())-1).Draw(t,
			"method"))
		fraction := rapid.Float64Range(0, 1)
		for range c.Method.Calibrators(len(e.Meta.Classes)) {
			u := committee.Calibrator{}
			switch c.Method {
			case committee.Platt:
				u.Slope, u.Intercept = rapid.Float64Range(-1e9, 1e9).Draw(t, "slope"),
					rapid.Float64Range(-1e9, 1e9).Draw(t, "intercept")
			case committee.Temperature:
				u.Slope = rapid.Float64Range(0, 1e9).Draw(t, "sharpness")
			case committee.Isotonic:
				u.At = rapid.SliceOfNDistinct(fraction, 1, 5, rapid.ID[float64]).Draw(t, "at")
				u.Value = rapid.SliceOfN(fraction, len(u.At), len(u.At)).Draw(t, "value")
				slices.Sort(u.At)
				slices.Sort(u.Value)
			}
			c.Calibrators = append(c.Calibrators, u)
		}
		c.Meta.Decision = model.Decision{}
		if e.Meta.Task == data.Binary && len(e.Meta.Classes) == 2 {
			c.Meta.Decision.Threshold = fraction.Draw(t, "threshold")
		}
		return c
	})
}
