package tables

import "testing"

func TestParseFraction(t *testing.T) {
	for text, want := range map[string]Fraction{
		"": {}, "0.25": {fraction: 0.25}, "1e-3": {fraction: 0.001}, "test.csv": {Path: "test.csv"},
		"./0.2": {Path: "./0.2"},
	} {
		if got, err := ParseFraction("test", text); err != nil || got != want {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "1", "-0.1", "NaN", "inf", "2"} {
		if got, err := ParseFraction("test", text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}
