package fit

import (
	"math"
	"testing"
)

// TestCatBoostRate: the published coefficients, by hand.
func TestCatBoostRate(t *testing.T) {
	round := func(x float64) float64 { return math.Round(x*1e6) / 1e6 }
	for _, c := range []struct {
		loss      string
		valid     bool
		n, rounds int
		want      float64
	}{
		{"logistic", false, 891, 1000, round(math.Exp(-7.525 + 0.427*math.Log(891)))},
		{"logistic", true, 5000, 0, round(math.Exp(-5.158 + 0.247*math.Log(5000)))},
		{"squared", false, 1000, 100, round(math.Exp(-4.287 + 0.158*math.Log(1000) +
			-0.813*(math.Log(100)-math.Log(1000))))},
		{"softmax", true, 150, 500, round(math.Exp(-2.364 + 0.02*math.Log(150) +
			-0.382*(math.Log(500)-math.Log(1000))))},
		{"squared", false, 1_000_000, 1, 0.5},
		{"poisson", false, 1000, 1000, 0.03},
	} {
		if got := catboostRateOf(c.loss, c.valid, c.n, c.rounds); math.Abs(got-c.want) > 1.5e-6 {
			t.Errorf("%+v: rate %v", c, got)
		}
	}
}
