package spelling

import "testing"

// Booleans of structs and of texts are 1 and 0 for models of numbers.
func TestTruthNumbers(t *testing.T) {
	for text, want := range map[string]float64{"True": 1, "TRUE": 1, "tRue": 1, "false": 0, "False": 0, "t": -1, "": -1, "yes": -1} {
		if got, ok := TruthNumber([]byte(text)); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
}
