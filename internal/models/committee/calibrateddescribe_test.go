package committee_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// What the model adds to its base is named, with the flags that add it.
func TestObstacle(t *testing.T) {
	costs := data.Costs{{0, 1}, {4, 0}}
	for want, m := range map[string]struct {
		method   committee.CalibrationMethod
		decision model.Decision
	}{
		"is wrapped in the learner calibrate (train its base alone)":                              {},
		"has probabilities that are calibrated by platt (train without calibrate.Learner.Method)": {committee.Platt, model.Decision{}},
		"has a threshold that decides the class (train without calibrate.Learner.ThresholdFor)":   {0, model.Decision{Threshold: 0.3}},
		"has costs that decide the class (train without calibrate.Learner.Costs)":                 {0, model.Decision{Costs: costs}},
		"has a threshold that decides the class and costs that decide the class (train without calibrate.Learner.ThresholdFor and calibrate.Learner.Costs)": {0,
			model.Decision{Threshold: 0.3, Costs: costs}},
		"has probabilities that are calibrated by isotonic and a threshold that decides the class (train without calibrate.Learner.Method and calibrate.Learner.ThresholdFor)": {
			committee.Isotonic, model.Decision{Threshold: 0.3}},
	} {
		c := wrapped(m.method)
		c.Meta.Decision = m.decision
		d := c.Describe()
		if got := d.Obstructs(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
