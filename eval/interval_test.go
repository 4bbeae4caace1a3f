package eval_test

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/metric"
)

// errorsOf returns a sample of one class in four, of which a fraction is predicted wrongly.
func errorsOf(rows int, fraction float64) *metric.Sample {
	s := &metric.Sample{Width: 2}
	random := rng.New(1)
	for range rows {
		class := uint32(random.Intn(4) / 3)
		right := []float64{1, 0}
		if (class == 1) != (random.Float64() < fraction) {
			right = []float64{0, 1}
		}
		s.Class, s.Pred = append(s.Class, class), append(s.Pred, right...)
	}
	return s
}

// The interval of an error rate is that of a binomial fraction: 1.96 standard errors to each side.
func TestIntervalsOfErrorRate(t *testing.T) {
	tier.NotShort(t, "repeats a simulation")
	for _, c := range []struct{ rows, resampled int }{{2000, 0}, {8000, 2000}} {
		s := errorsOf(c.rows, 0.2)
		all, none, err := eval.Intervals(context.Background(), data.Binary, s,
			eval.IntervalOptions{Resamples: tier.Count(500, 500, 2000), Rows: c.resampled})
		if err != nil || none != nil {
			t.Fatal(none, err)
		}
		for _, i := range all {
			if i.Name != "error" {
				continue
			}
			want := 1.96 * math.Sqrt(i.Value*(1-i.Value)/float64(c.rows))
			for _, got := range []float64{i.Value - i.Low, i.High - i.Value} {
				if got < 0.85*want || got > 1.15*want {
					t.Errorf("%d rows, %d resampled: the interval reaches %v from %v, want %v",
						c.rows, c.resampled, got, i.Value, want)
				}
			}
		}
	}
}

// Rows of a group in a ranking stay together: with equal groups every resample has the same value.
func TestIntervalsOfRankingsDrawGroups(t *testing.T) {
	s := &metric.Sample{Width: 1}
	for g := range int64(30) {
		s.Group = append(s.Group, g, g, g)
		s.Y = append(s.Y, 0, 1, 0)
		s.Pred = append(s.Pred, 3, 2, 1)
	}
	all, none, err := eval.Intervals(context.Background(), data.Ranking, s, eval.IntervalOptions{})
	if err != nil || none != nil || len(all) == 0 {
		t.Fatal(all, none, err)
	}
	for _, i := range all {
		if math.Abs(i.High-i.Low) > 1e-12 {
			t.Errorf("%s is from %v to %v, want one value", i.Name, i.Low, i.High)
		}
	}
}

func TestIntervalsAreTheSameForAnyWorkers(t *testing.T) {
	s := errorsOf(300, 0.3)
	var first []eval.Interval
	for _, workers := range []int{1, 3} {
		all, _, err := eval.Intervals(context.Background(), data.Binary, s,
			eval.IntervalOptions{Workers: workers, Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = all
		}
		for i := range all {
			if all[i] != first[i] {
				t.Errorf("%d workers: %+v, want %+v", workers, all[i], first[i])
			}
		}
	}
}
