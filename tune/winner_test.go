package tune

import (
	"math"
	"testing"
)

// The table of Comparison: two folds choose the third trial, one the second. Their gains are noise.
func TestCompare(t *testing.T) {
	trials := []Trial{{Number: 0, Tests: []float64{0.30, 0.30, 0.28}},
		{Number: 1, Tests: []float64{0.29, 0.27, 0.29}}, {Number: 2, Tests: []float64{0.31, 0.28, 0.22}},
		{Number: 3, Tests: []float64{0.1}}, {Number: 4, Tests: []float64{0, 0, 0}, Error: "it failed"}}
	s := &Study{Folds: 3, Trials: trials, Best: 2}
	s.compare()
	c := s.Comparison
	if c == nil {
		t.Fatal("there is no comparison")
	}
	mean := (-0.01 + 0.02 - 0.01) / 3
	squares := (-0.01-mean)*(-0.01-mean)*2 + (0.02-mean)*(0.02-mean)
	if math.Abs(c.Gain-mean) > 1e-15 || math.Abs(c.Error-math.Sqrt(squares/6)) > 1e-15 || !c.Lost {
		t.Errorf("gain %v, error %v, lost %v", c.Gain, c.Error, c.Lost)
	}
	if s.Chosen != 0 || !s.Record().Defaults {
		t.Errorf("chosen %d, recorded %+v", s.Chosen, s.Record())
	}
	s.Higher = true // the first trial has the highest sum, which two folds have without themselves
	s.Best = 0
	if s.compare(); s.Chosen != 0 || !s.Comparison.Lost {
		t.Errorf("higher is better: chosen %d, %+v", s.Chosen, s.Comparison)
	}
	better := []float64{0.2, 0.21, 0.19}
	s = &Study{Folds: 3, Trials: append(trials[:2:2], Trial{Number: 5, Tests: better}), Best: 2}
	if s.compare(); s.Chosen != 2 || s.Comparison.Lost || s.Record().Defaults {
		t.Errorf("a better trial: chosen %d, %+v", s.Chosen, s.Comparison)
	}
	s = &Study{Folds: 1, Trials: []Trial{{Tests: []float64{2}}, {Number: 1, Tests: []float64{1}}}, Best: 1}
	if s.compare(); s.Chosen != 1 || s.Comparison != nil {
		t.Errorf("one fold: chosen %d, %+v", s.Chosen, s.Comparison)
	}
}
