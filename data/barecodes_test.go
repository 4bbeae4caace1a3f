package data_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestBareCodes(t *testing.T) {
	for _, c := range []struct {
		levels []string
		want   bool
	}{
		{[]string{"0"}, true},
		{[]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}, true},
		{nil, false},
		{[]string{"1"}, false},
		{[]string{"1", "0"}, false},
		{[]string{"0", "1", "10", "2"}, false},
		{[]string{"0", "01"}, false},
		{[]string{"0", "1", "many"}, false},
	} {
		if got := (&data.Field{Kind: data.Categorical, Levels: c.levels}).BareCodes(); got != c.want {
			t.Errorf("%q: %v", c.levels, got)
		}
	}
	if (&data.Field{Kind: data.Numeric}).BareCodes() {
		t.Error("a numeric field has bare codes")
	}
}

func TestBareCode(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 1: 1, 2.9: 2, 3: -1, -0.9: 0, -1: -1, 1e300: -1, -1e300: -1,
		math.Inf(1): -1, math.Inf(-1): -1} {
		if got := data.BareCode(x, 3); got != want || math.Signbit(got) != math.Signbit(want) {
			t.Errorf("BareCode(%v, 3) = %v, want %v", x, got, want)
		}
	}
	if got := data.BareCode(math.NaN(), 3); !math.IsNaN(got) {
		t.Errorf("BareCode(NaN, 3) = %v", got)
	}
}
