package boost

import (
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

func TestSchedule(t *testing.T) {
	s := Schedule{LearningRate: 0.5, Decay: 0.5,
		Starts: []RateFrom{{Round: 2, Rate: 0.25}, {Round: 3, Rate: 1}}}
	for round, want := range []float64{0.5, 0.25, 0.0625, 0.125} {
		if got := s.rate(round); got != want {
			t.Errorf("round %d has the rate %v, want %v", round, got, want)
		}
	}
}

// A training that something else ends has its rounds, and no set, metric or stop of its own.
func TestStopNowhere(t *testing.T) {
	s := Schedule{Trees: 3, LearningRate: 0.5, Decay: 0.5, ValidFraction: 0.2, EarlyStopping: 9, TrainingMetric: 5,
		Metric: "rmse"}
	want := Schedule{Trees: 7, LearningRate: 0.5, Decay: 0.5, Metric: "rmse"}
	if s.StopNowhere(7); !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
}

// Values of leaves take one step but for CatBoost's log loss, unless their number is given.
func TestLeafSteps(t *testing.T) {
	for _, c := range []struct {
		as    hist.Conventions
		steps int
		loss  string
		want  int
	}{
		{hist.Own, 0, "logistic", 1}, {hist.CatBoost, 0, "logistic", CatBoostSteps}, {hist.CatBoost, 0, "cross_entropy", CatBoostSteps},
		{hist.CatBoost, 0, "squared", 1}, {hist.CatBoost, 3, "logistic", 3}, {hist.Own, 4, "squared", 4}, {hist.LightGBM, 0, "cross_entropy", 1},
	} {
		o := Config{Values: Values{Steps: c.steps}}
		o.Engine.Conventions = c.as
		if got := o.leafStepsOf(c.loss); got != c.want {
			t.Errorf("%+v: %d steps", c, got)
		}
	}
}
