package serve

import (
	"math"
	"testing"
)

// TestHalf has the values that IEEE 754 names of 16 bits.
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{0: 0, 1: 0x1p-24, 0x3ff: 1023 * 0x1p-24,
		0x400: 0x1p-14, 0x3555: 0.333251953125, 0x3c00: 1, 0x3c01: 1.0009765625, 0xc000: -2,
		0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := half(bits); got != want {
			t.Errorf("%#x is %v, want %v", bits, got, want)
		}
	}
	if v := half(0x7c01); v == v {
		t.Errorf("0x7c01 is %v, want NaN", v)
	}
	if v := half(0x8000); v != 0 || !math.Signbit(v) {
		t.Errorf("0x8000 is %v, want -0", v)
	}
}
