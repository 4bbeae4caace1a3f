package eval

import (
	"math"
	"testing"
)

// Two equal values beyond chance are a leak, and one is none, nor are values that chance has but
// for rounding.
func TestFewValuesThatLeak(t *testing.T) {
	for _, c := range []struct {
		values []float64
		leaks  bool
	}{{[]float64{0.9, 0.9}, true}, {[]float64{0.9}, false}, {[]float64{0.5, 0.5}, false},
		{[]float64{0.5 + 1e-12, 0.5 + 1e-12}, false}, {[]float64{0.5 + 1e-8, 0.5 + 1e-8}, true}} {
		e := Estimate{Values: c.values}
		if e.judge(&LeakageCheck{Metric: "auc", Chance: 0.5}); e.Leaks != c.leaks {
			t.Errorf("%v: %+v", c.values, e)
		}
	}
}

// A correlation is Pearson's, and 0 where one side is constant.
func TestCorrelation(t *testing.T) {
	root := math.Sqrt(27. / 28)
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{10, 20, 30}, 1},
		{[]float64{1, 2, 3}, []float64{-1, -2, -3}, -1},
		{[]float64{1, 2, 3}, []float64{2, 3, 7}, 5 / math.Sqrt(2*14)},
		{[]float64{1, 2, 4}, []float64{1, 2, 3}, root},
		{[]float64{5, 6, 8}, []float64{-7, -6, -5}, root}, // whatever the means
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, 0},
		{[]float64{1, 2, 3}, []float64{4, 4, 4}, 0},
		{[]float64{2, 2}, []float64{4, 4}, 0},
	} {
		if got := correlation(c.x, c.y); !(math.Abs(got-c.want) < 1e-12) {
			t.Errorf("%v and %v: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

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
