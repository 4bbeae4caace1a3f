package eval_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/metric"
)

// wrongOn returns a sample of one class, of which some rows are predicted wrongly.
func wrongOn(rows int, wrong func(row int) bool) *metric.Sample {
	s := &metric.Sample{Width: 2}
	for row := range rows {
		class := uint32(row % 2)
		p := []float64{1, 0}
		if (class == 1) != wrong(row) {
			p = []float64{0, 1}
		}
		s.Class, s.Pred = append(s.Class, class), append(s.Pred, p...)
	}
	return s
}

// The difference of two error rates depends on the rows that one model alone gets wrong: b of them
// and c of them among n have the variance (b + c - (b-c)^2/n) / n^2 (McNemar 1947).
func TestDifferencesOfErrorRates(t *testing.T) {
	tier.NotShort(t, "repeats a simulation")
	const n = 4000
	a := wrongOn(n, func(row int) bool { return row%4 == 0 || row%50 == 1 })
	b := wrongOn(n, func(row int) bool { return row%4 == 0 || row%40 == 3 })
	onlyA, onlyB := 0.0, 0.0
	for row := range n {
		if row%4 != 0 && row%50 == 1 && row%40 != 3 {
			onlyA++
		}
		if row%4 != 0 && row%40 == 3 && row%50 != 1 {
			onlyB++
		}
	}
	all, none, err := eval.Differences(t.Context(), data.Binary, a, b,
		eval.IntervalOptions{Resamples: tier.Count(500, 500, 2000), Workers: 2})
	if err != nil || none != nil {
		t.Fatal(none, err)
	}
	found := false
	for _, d := range all {
		if d.Name != "error" {
			continue
		}
		found = true
		gap := (onlyB - onlyA) / n
		if math.Abs(d.B-d.A-gap) > 1e-12 || d.Higher {
			t.Errorf("errors %v and %v, higher %v; want a difference of %v", d.A, d.B, d.Higher, gap)
		}
		deviation := math.Sqrt(onlyA+onlyB-(onlyB-onlyA)*(onlyB-onlyA)/n) / n
		for _, half := range []float64{gap - d.Low, d.High - gap} {
			if half < 0.85*1.96*deviation || half > 1.15*1.96*deviation {
				t.Errorf("half of the interval is %v, want %v", half, 1.96*deviation)
			}
		}
		// the normal probability of a deviation beyond the gap, both sides
		if want := math.Erfc(gap / deviation / math.Sqrt2); math.Abs(d.P-want) > 0.05 {
			t.Errorf("p %v, want %v", d.P, want)
		}
	}
	if !found {
		t.Errorf("no error rate in %v", all)
	}
}

// Equal samples have no difference, and samples of other rows cannot be compared.
func TestDifferencesOfEqualSamples(t *testing.T) {
	a := errorsOf(300, 0.2)
	all, _, err := eval.Differences(t.Context(), data.Binary, a, errorsOf(300, 0.2),
		eval.IntervalOptions{})
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for _, d := range all {
		if d.Low != 0 || d.High != 0 || d.P != 1 {
			t.Errorf("%+v", d)
		}
	}
	if _, _, err := eval.Differences(t.Context(), data.Binary, a, errorsOf(299, 0.2),
		eval.IntervalOptions{}); err == nil {
		t.Error("300 and 299 rows are compared")
	}
}
