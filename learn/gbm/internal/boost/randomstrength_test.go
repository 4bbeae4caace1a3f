package boost

import (
	"math"
	"testing"
)

func TestNoise(t *testing.T) {
	c := Config{Rows: Rows{Noise: 2}}
	left := 100 * math.Exp(-3)
	if got, want := c.noise(0.5, 100, 30, 0.1), 2*0.5*left/(1+left); math.Abs(got-want) > 1e-12 {
		t.Errorf("noise of deviation %v, want %v", got, want)
	}
	if got := deviationOf([]float64{3, -4, 0, 5}, 1); math.Abs(got-math.Sqrt(12.5)) > 1e-12 {
		t.Errorf("deviation %v", got)
	}
}
