package spelling

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestPlainInteger(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "1.0": "1", "1.": "1", "1.000": "1", "+1": "1", "-1.0": "-1", "0": "0", "-0": "0", "0.0": "0",
		".0": "0", "1e0": "1", "1E2": "100", "1e+05": "100000", "1.5e1": "15", "100e-2": "1", "0e9": "0", "0.00e-9": "0",
		"9007199254740993.0": "9007199254740993", "1e3": "1000",
		"": "", "-": "", "+": "", ".": "", "1.5": "", "01": "", "01.0": "", "00": "", "1e-1": "", "0.1": "", "1e": "",
		"e1": "", "1e999999999": "", "1e1.0": "", "1_0": "", "0x1": "", "1,0": "", "1 ": "", "NaN": "", "inf": "",
		"--1": "", "1.0.0": "", "1e+-1": "",
	} {
		if got, ok := PlainInteger(text); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v, want %q", text, got, ok, want)
		}
	}
}

// Of texts that are numbers, PlainInteger takes those that are integers, for these.
func TestPlainIntegerIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+]?(0|[1-9][0-9]{0,20})(\.[0-9]{0,4})?(e[-+]?[0-9]{1,2})?`).Draw(t, "text")
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("big.Rat reads no number in %q", text)
		}
		got, ok := PlainInteger(text)
		if ok != want.IsInt() || ok && got != want.Num().String() {
			t.Errorf("%q is %q, %v, want %s", text, got, ok, want)
		}
	})
}
