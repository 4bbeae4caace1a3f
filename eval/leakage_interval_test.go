package eval_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// student has the 0.995 quantiles of Student's t for 1, 2, ... degrees of freedom, as tables print
// them, to four decimals.
var student = []float64{63.6567, 9.9248, 5.8409, 4.6041, 4.0321, 3.7074, 3.4995, 3.3554, 3.2498}

// ofAUC reports predictions of a row of the second class and 20 of the first, so that their AUC is
// v, a multiple of 1/20.
func ofAUC(t *data.Target, v float64) *learn.HoldOut {
	h := &learn.HoldOut{Width: 2}
	add := func(row int, p float64) {
		h.Rows, h.Values = append(h.Rows, int32(row)), append(h.Values, 1-p, p)
	}
	add(slices.Index(t.Class, 1), 0.5)
	below := int(math.Round(v * 20))
	for row, class := range t.Class {
		if class == 0 && len(h.Rows) <= 20 {
			if len(h.Rows) <= below {
				add(row, 0.25)
			} else {
				add(row, 0.75)
			}
		}
	}
	return h
}

// ofCorrelation reports predictions of three rows, so that the correlation with their labels is v.
func ofCorrelation(t *data.Target, v float64) *learn.HoldOut {
	y := t.Y[0][:3]
	unit := func(x [3]float64) [3]float64 {
		length := math.Sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2])
		return [3]float64{x[0] / length, x[1] / length, x[2] / length}
	}
	mean := (y[0] + y[1] + y[2]) / 3
	along := unit([3]float64{y[0] - mean, y[1] - mean, y[2] - mean})
	// At right angles to the labels and to a constant.
	across := unit([3]float64{along[1] - along[2], along[2] - along[0], along[0] - along[1]})
	h := &learn.HoldOut{Rows: []int32{0, 1, 2}, Width: 1}
	for i := range 3 {
		h.Values = append(h.Values, v*along[i]+math.Sqrt(1-v*v)*across[i])
	}
	return h
}

// judged checks a learner whose estimate on hold-out rows has the given values, one for each of the
// first shuffles.
func judged(t *testing.T, task data.Task, shuffles int, values []float64) eval.Estimate {
	t.Helper()
	ds := leakageTable(t, 60, 1, task)
	l := newScripted(t, func(fit int, own *data.Target) *learn.HoldOut {
		switch {
		case fit >= len(values):
			return nil
		case task == data.Regression:
			return ofCorrelation(own, values[fit])
		}
		return ofAUC(own, values[fit])
	})
	o := eval.Options{Env: catalog.Env(1), Workers: 1}
	a, err := eval.CheckLeakage(t.Context(), l, ds, &split.Plan{K: 2}, shuffles, o)
	if err != nil {
		t.Fatal(err)
	}
	e := estimate(t, a, ofScripted)
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if !slices.EqualFunc(e.Values, values, same) {
		t.Fatalf("values %v, want %v", e.Values, values)
	}
	return e
}

// The interval of an estimate is that of Student's t. A metric has bounds: 0 to 1 for an AUC and -1
// to 1 for a correlation. Where the interval reaches beyond them, the estimate has the number of
// shuffles that it takes for one that does not. An estimate leaks where its whole interval is
// better than chance.
func TestLeakageInterval(t *testing.T) {
	for _, c := range []struct {
		task   data.Task
		values []float64
		needed int
		leaks  bool
	}{
		// Two values with a difference of 0.15: the interval of n is half as wide as 0.1061 t /
		// sqrt(n). For a half width of 0.475, 3 need 0.6078, 4 need 0.3098; for one of 0.125, 8
		// need 0.1312, 9 need 0.1186.
		{data.Binary, []float64{0.45, 0.6}, 4, false},
		{data.Binary, []float64{0.8, 0.95}, 9, false},
		{data.Binary, []float64{0.05, 0.2}, 9, false},
		{data.Regression, []float64{0.8, 0.95}, 9, false},
		{data.Regression, []float64{-0.95, -0.8}, 9, false},
		{data.Regression, []float64{-0.3, 0.1}, 4, false}, // 3 need 1.6207, 4 need 0.8260 of 0.9
		{data.Regression, []float64{-0.075, 0.075}, 3, false},
		// Enough of them.
		{data.Binary, []float64{0.45, 0.6, 0.5, 0.55, 0.5, 0.5}, 0, false},
		{data.Binary, []float64{0.7, 0.75, 0.7, 0.75, 0.7, 0.75}, 0, true},
		{data.Regression, []float64{0.1, 0.2, 0.15, 0.1, 0.2, 0.15}, 0, true},
		{data.Regression, []float64{-0.1, -0.2, -0.15, -0.1, -0.2, -0.15}, 0, false},
		// No spread: chance is no leak, and the interval is within what the metric can be.
		{data.Binary, []float64{0.5, 0.5, 0.5}, 0, false},
		{data.Binary, []float64{0.55, 0.55, 0.55}, 0, true},
		{data.Binary, []float64{1, 1, 1}, 0, true},
		{data.Binary, []float64{0, 0, 0}, 0, false},
		{data.Regression, []float64{0, 0, 0}, 0, false},
	} {
		e := judged(t, c.task, len(c.values), c.values)
		n, mean, squares := float64(len(c.values)), 0.0, 0.0
		for _, v := range c.values {
			mean += v / n
		}
		for _, v := range c.values {
			squares += (v - mean) * (v - mean)
		}
		half := student[len(c.values)-2] * math.Sqrt(squares/(n-1)/n)
		near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9+2e-5*half }
		if !near(e.Mean, mean) || !near(e.Low, mean-half) || !near(e.High, mean+half) {
			t.Errorf("%s %v: mean %g of %g to %g, want %g of %g to %g",
				c.task, c.values, e.Mean, e.Low, e.High, mean, mean-half, mean+half)
		}
		if e.Needed != c.needed || e.Leaks != c.leaks {
			t.Errorf("%s %v: %d shuffles needed, leaks %t, want %d and %t",
				c.task, c.values, e.Needed, e.Leaks, c.needed, c.leaks)
		}
	}
}

// One value has no interval and shows no leak, however good it is.
func TestLeakageOfOneValue(t *testing.T) {
	for _, v := range []float64{0.9, 1} {
		e := judged(t, data.Binary, 3, []float64{v})
		if e.Mean != v || e.Low != v || e.High != v || e.Leaks || e.Needed != 0 {
			t.Errorf("%+v of one value %g", e, v)
		}
	}
}

// The count of the shuffles that are needed ends at 1000: with one of 160 values off the end, about
// 2.58 x 2.58 x 160 would be.
func TestLeakageNeedsAtMostAThousand(t *testing.T) {
	values := slices.Repeat([]float64{1}, 160)
	values[40] = 0.5
	if e := judged(t, data.Binary, len(values), values); e.Needed != 1000 || !e.Leaks {
		t.Errorf("%d shuffles needed, leaks %t", e.Needed, e.Leaks)
	}
}
