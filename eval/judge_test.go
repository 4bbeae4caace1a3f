package eval

import "testing"

// An interval that reaches beyond what the metric can be reports how many shuffles it would take.
func TestTooFewShuffles(t *testing.T) {
	a := &LeakageCheck{Metric: "auc", Chance: 0.5}
	few := Estimate{Values: []float64{0.45, 0.6}}
	few.judge(a)
	if few.High <= 1 || few.Leaks || few.Needed < 3 || few.Needed > 10 {
		t.Errorf("%+v", few)
	}
	// As many, as far from each other, are enough; one less is not.
	deviation := 0.15 / 1.4142135623730951
	if within := 1 - few.Mean; halfWidth(few.Needed, deviation) > within ||
		halfWidth(few.Needed-1, deviation) <= min(within, few.Mean) {
		t.Errorf("%d shuffles are needed", few.Needed)
	}
	many := Estimate{Values: []float64{0.45, 0.6, 0.5, 0.52, 0.49, 0.51}}
	if many.judge(a); many.Needed != 0 || many.High > 1 || many.Low < 0 {
		t.Errorf("%+v", many)
	}
	end := Estimate{Values: []float64{1, 1, 1}}
	if end.judge(a); end.Needed != 0 || !end.Leaks {
		t.Errorf("%+v", end)
	}
	numbers := &LeakageCheck{Metric: "correlation"}
	below := Estimate{Values: []float64{-0.3, 0.1}}
	if below.judge(numbers); below.Needed == 0 || below.Low >= -1 {
		t.Errorf("%+v", below)
	}
}
