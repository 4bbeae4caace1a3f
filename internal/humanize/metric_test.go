package humanize_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/humanize"
)

func TestMetric(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.0000", math.Copysign(0, -1): "0.0000", 0.25: "0.2500", -0.12345: "-0.1235",
		1: "1.0000", 999.99994: "999.9999", 1000: "1000.0", 1234.56: "1234.6", 2.5e6: "2500000",
		1e20: "1.0000e+20", 5e-5: "0.0001", math.Nextafter(5e-5, 0): "0.000050", 3e-5: "0.000030", 3e-8: "3.0e-08",
		-3.26e-8: "-3.3e-08", 5e-324: "4.9e-324", math.NaN(): "NaN", math.Inf(1): "+Inf",
	} {
		if got := humanize.Metric(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

// TestMetricIsNear: what is read is the value, to a twentieth of it or to half of the fourth
// decimal, and 0 only where it is 0.
func TestMetricIsNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e300, 1e300).Draw(t, "v")
		text := humanize.Metric(v)
		got, err := strconv.ParseFloat(text, 64)
		if err != nil || (got == 0) != (v == 0) && math.Abs(v) > 1e-300 {
			t.Fatalf("%v is written %s: %v", v, text, err)
		}
		if d := math.Abs(got - v); d > 5.0001e-5*max(1, math.Abs(v)) || math.Abs(v) < 5e-5 &&
			math.Abs(v) > 1e-300 && d > 0.0501*math.Abs(v) {
			t.Fatalf("%v is written %s", v, text)
		}
		if v > -1e6 && v < 1e15 && len(strings.TrimPrefix(text, "-")) > 15 {
			t.Fatalf("%v is written %s", v, text)
		}
	})
}
