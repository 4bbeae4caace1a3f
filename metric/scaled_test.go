package metric_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/metric"
)

// TestUnits: a power of two as the unit of labels and predictions, and one of the weights, changes
// no digit of what errors come to, however large or small it is.
func TestUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "rows")
		value := rapid.Map(rapid.IntRange(-1000, 1000),
			func(i int) float64 { return float64(i) / 16 })
		s := &metric.Sample{Width: 1}
		for range n {
			s.Y = append(s.Y, value.Draw(t, "label"))
			s.Pred = append(s.Pred, value.Draw(t, "prediction"))
			s.Weight = append(s.Weight, float64(rapid.IntRange(1, 9).Draw(t, "weight")))
		}
		// units of any size, and those of which products alone underflow or overflow
		units := rapid.OneOf(rapid.IntRange(-1000, 1000), rapid.SampledFrom([]int{-1000, -990, -40, -33, -30, 0, 30, 1000}))
		unit, weigh := units.Draw(t, "unit"), units.Draw(t, "unit of weights")
		other := &metric.Sample{Width: 1, Y: times(s.Y, unit), Pred: times(s.Pred, unit),
			Weight: times(s.Weight, weigh)}
		for _, name := range []string{"rmse", "mae", "r2", "pinball@0.3"} {
			m, _ := metric.Lookup(name)
			want, err := m.Func(s)
			if err != nil {
				t.Fatal(err)
			}
			if name != "r2" {
				want = math.Ldexp(want, unit)
			}
			if got, err := m.Func(other); err != nil || got != want {
				t.Errorf("%s in units of 2^%d, weights in 2^%d: %v, %v, want %v", name, unit, weigh,
					got, err, want)
			}
		}
	})
}

func times(values []float64, exponent int) []float64 {
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = math.Ldexp(v, exponent)
	}
	return scaled
}

// TestUnitsOfQuantiles: the same of several predictions of a row, at the end of float64.
func TestUnitsOfQuantiles(t *testing.T) {
	s := &metric.Sample{Width: 2, Quantiles: []float64{0.25, 0.5}, Y: []float64{0x1p1023},
		Pred: []float64{-0x1p1023, 0x1p1023}}
	if got, err := metric.Of("pinball", s); err != nil || got != 0x1p1021 {
		t.Errorf("%v, %v, want 2^1021: a quarter of 2^1024, and nothing, on the mean", got, err)
	}
}
