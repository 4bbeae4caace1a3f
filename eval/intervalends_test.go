package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
)

// resamplesOf returns resamples with an error rate each; NaN: it is undefined there.
func resamplesOf(values []float64) []Metrics {
	all := make([]Metrics, len(values))
	for i, x := range values {
		all[i] = Metrics{{Name: "accuracy", Value: 100 + x}}
		if !math.IsNaN(x) {
			all[i] = append(all[i], metric.Value{Name: "error", Value: x})
		}
	}
	return all
}

// unordered returns 0 ... n-1 in another order, less 5, with an undefined value among them.
func unordered(n int) []float64 {
	var all []float64
	for i := range n {
		all = append(all, float64((11*i+3)%n)-5)
	}
	return slices.Insert(all, n/2, math.NaN())
}

// The ends are those resamples of n which have at most 2.5 % of the others beyond them, and there
// are none of fewer than 20.
func TestIntervalEnds(t *testing.T) {
	v := metric.Value{Name: "error", Value: 3}
	for _, c := range []struct {
		n         int
		low, high float64 // deviations
	}{{19, 0, 0}, {20, -5, 14}, {39, -5, 33}, {40, -5, 34}, {41, -4, 34}, {43, -4, 36}, {81, -3, 73}} {
		values := unordered(c.n)
		for i := range values {
			values[i] += 10
		}
		want := Interval{Name: "error", Value: 3, Low: 3 + c.low/2, High: 3 + c.high/2}
		if got := intervalOf(v, resamplesOf(values), 10, true, 0.5); got != want {
			t.Errorf("%d resamples: %+v, want %+v", c.n, got, want)
		}
		none := Interval{Name: "error", Value: 3, Low: 3, High: 3}
		if got := intervalOf(v, resamplesOf(values), 10, false, 0.5); got != none {
			t.Errorf("undefined on the rows: %+v, want %+v", got, none)
		}
	}
}

// The ends of a difference are those of the deviations from the mean one, and P counts the
// resamples on the other side of 0.
func TestDifferenceEnds(t *testing.T) {
	v := metric.Value{Name: "error", Value: 3}
	for _, c := range []struct {
		n                int
		other, low, high float64
		below, above     float64 // resamples on either side of 0
	}{
		{19, 4, 1, 1, 0, 0},
		{40, 3, -19.5, 19.5, 20, 20},
		{21, 3, -10, 10, 11, 11}, // deviations -10 ... 10, one of which is on both sides
		{21, 5, -8, 12, 9, 13},
		{21, 5.5, -7.5, 12.5, 8, 13},
		{21, 20, 7, 27, 0, 21},
		{41, 1, -21, 17, 23, 19}, // deviations -20 ... 20, of which the ends are left out
	} {
		values := unordered(c.n)
		pairs := make([][2]Metrics, len(values))
		a := resamplesOf(slices.Repeat([]float64{1}, len(values)))
		for i, b := range resamplesOf(values) {
			pairs[i] = [2]Metrics{a[i], b}
		}
		want := Difference{Name: "error", A: 3, B: c.other, Low: c.low, High: c.high, P: 1}
		if c.n >= leastResamples {
			want.P = min(1, 2*(min(c.below, c.above)+1)/float64(c.n+1))
		}
		got := differenceOf(v, c.other, pairs, 1)
		if math.Abs(got.Low-want.Low) > 1e-12 || math.Abs(got.High-want.High) > 1e-12 ||
			math.Abs(got.P-want.P) > 1e-12 {
			t.Errorf("%d resamples, %v: %+v, want %+v", c.n, c.other, got, want)
		}
		halved := differenceOf(v, c.other, pairs, 0.5)
		if gap := c.other - 3; math.Abs(halved.Low-(gap+c.low)/2) > 1e-12 ||
			math.Abs(halved.High-(gap+c.high)/2) > 1e-12 {
			t.Errorf("deviations of half the size: %+v, want halves of %+v", halved, want)
		}
	}
	higher := differenceOf(metric.Value{Name: "accuracy"}, 1, nil, 1)
	if !higher.Higher || higher.P != 1 || higher.Low != 1 || higher.High != 1 {
		t.Errorf("%+v", higher)
	}
}

// Rows beyond the limit are chosen once, without repeats, and groups stay whole whatever the limit.
func TestDrawing(t *testing.T) {
	s := &metric.Sample{Width: 1, Y: make([]float64, 30), Pred: make([]float64, 30)}
	for i := range s.Y {
		s.Group = append(s.Group, int64(i%4))
	}
	o := IntervalOptions{Rows: 30}
	if d := newDrawing(data.Regression, s, &o); !slices.Equal(d.rows, data.AllRows(30)) || d.groups != nil ||
		o.Resamples != defaultResamples {
		t.Errorf("%+v, %+v", d, o)
	}
	o = IntervalOptions{Rows: 29, Resamples: 7}
	d := newDrawing(data.Regression, s, &o)
	if len(d.rows) != 29 || !slices.IsSorted(d.rows) || len(slices.Compact(slices.Clone(d.rows))) != 29 ||
		o.Resamples != 7 {
		t.Errorf("%+v, %+v", d, o)
	}
	d = newDrawing(data.Ranking, s, &o)
	if len(d.rows) != 30 || len(d.groups) != 4 || !slices.Equal(d.groups[3], []int32{3, 7, 11, 15, 19, 23, 27}) {
		t.Errorf("%+v", d)
	}
	o = IntervalOptions{}
	if newDrawing(data.Regression, s, &o); o.Rows != resampledRows {
		t.Errorf("%+v", o)
	}
}

// Where some rows alone are resampled, the ends are as far from the metric of all rows as they are
// from that of these rows, times the root of their share.
func TestIntervalsOfChosenRows(t *testing.T) {
	a, b := numbered(0, 90, true), numbered(0, 90, true)
	for i := range b.Pred {
		b.Pred[i] += float64(i % 3)
	}
	o := IntervalOptions{Resamples: 30, Rows: 40, Seed: 5, Workers: 1}
	rows := newDrawing(data.Regression, a, &o).rows
	someA, someB := pick(a, rows), pick(b, rows)
	scale := math.Sqrt(40. / 90)
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }
	got, _, err := Intervals(t.Context(), data.Regression, a, o)
	of, _, failed := Intervals(t.Context(), data.Regression, someA, o)
	if err != nil || failed != nil || len(got) != len(of) || len(got) < 3 {
		t.Fatal(err, failed, got, of)
	}
	values, _, err := metric.Evaluate(data.Regression, a)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range of {
		v := values[i].Value
		want := Interval{w.Name, v, v + scale*(w.Low-w.Value), v + scale*(w.High-w.Value)}
		if g := got[i]; g.Name != want.Name || g.Value != v || !near(g.Low, want.Low) || !near(g.High, want.High) || g.Low == g.High {
			t.Errorf("%+v, want %+v", g, want)
		}
	}
	between, _, err := Differences(t.Context(), data.Regression, a, b, o)
	some, _, failed := Differences(t.Context(), data.Regression, someA, someB, o)
	others, _, bad := metric.Evaluate(data.Regression, b)
	if err != nil || failed != nil || bad != nil || len(between) != len(values) || len(some) != len(values) {
		t.Fatal(err, failed, bad, between)
	}
	for i, w := range some {
		gap := others[i].Value - values[i].Value
		want := Difference{Name: w.Name, Low: gap + scale*(w.Low-(w.B-w.A)), High: gap + scale*(w.High-(w.B-w.A))}
		if g := between[i]; g.Name != want.Name || g.A != values[i].Value || g.B != others[i].Value ||
			!near(g.Low, want.Low) || !near(g.High, want.High) || g.Low == g.High {
			t.Errorf("%+v, want %+v", g, want)
		}
	}
}

// The mean of tests has Student's distribution: of four degrees of freedom a t beyond 2 sqrt(2) has
// the probability 1 - 7/6 sqrt(2/3). Equal tests leave no doubt.
func TestCorrected(t *testing.T) {
	p := 1 - 7./6*math.Sqrt(2./3)
	half := 2.7764451051977987 * math.Sqrt(2.5*(1./5+0.25))
	for _, c := range []struct {
		values []float64
		want   Corrected
	}{
		{[]float64{1, 2, 3, 4, 5}, Corrected{Mean: 3, Low: 3 - half, High: 3 + half, P: p}},
		{[]float64{-5, -1, -3, -4, -2}, Corrected{Mean: -3, Low: -3 - half, High: -3 + half, P: p}},
		{[]float64{-2, -1, 0, 1, 2}, Corrected{Low: -half, High: half, P: 1}},
		{[]float64{7}, Corrected{Mean: 7, Low: 7, High: 7, P: 1}},
		{[]float64{2, 2, 2}, Corrected{Mean: 2, Low: 2, High: 2}},
		{[]float64{0, 0}, Corrected{P: 1}},
	} {
		got := correct(c.values, 0.25)
		for _, d := range []float64{got.Mean - c.want.Mean, got.Low - c.want.Low, got.High - c.want.High, got.P - c.want.P} {
			if !(math.Abs(d) < 1e-9) {
				t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
			}
		}
	}
}
