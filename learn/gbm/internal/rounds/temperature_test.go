package rounds_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
)

// A temperature is where the loss is least, within a factor of two, and only if it gains more than
// chance: by one standard error over the blocks.
func TestTemperature(t *testing.T) {
	for _, c := range []struct{ best, noise, want float64 }{
		{1.25, 0, 1.25}, {0.8, 0.001, 0.8}, {5, 0, 2}, {0.1, 0, 0.5}, {1.02, 0.1, 0},
	} {
		loss := func(at float64) float64 { return math.Pow(1/at-1/c.best, 2) }
		got := rounds.Temperature(loss, func(at float64) (values []float64) {
			for i := range 10 {
				values = append(values, loss(at)+c.noise*float64(i)*(at-1))
			}
			return values
		}, false)
		if math.Abs(got-c.want) > 0.002 {
			t.Errorf("best %v, noise %v: %v, want %v", c.best, c.noise, got, c.want)
		}
	}
}
