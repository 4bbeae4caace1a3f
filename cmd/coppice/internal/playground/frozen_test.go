package playground

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"
)

// TestFrozenAnswers holds answers to the bytes that they had when the hash was taken: in the
// process and in a browser (.ci/wasm). It may change with the page, and never with the machine.
func TestFrozenAnswers(t *testing.T) {
	h, sum := New(), sha256.New()
	ask := func(scene string, request any) {
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := h.Answer(t.Context(), scene, body)
		if err != nil {
			t.Fatal(scene, err)
		}
		sum.Write(text)
	}
	for _, m := range methods() {
		ask("plane", trainRequest{Points: drawn(t, "moons", false, 60), Method: m.Name, Seed: 1})
		if !m.classes {
			ask("curve", trainRequest{Points: drawn(t, "peak", true, 60), Method: m.Name, Seed: 1})
		}
	}
	ask("impurity", impurityRequest{drawn(t, "wave", true, 30)})
	ask("ten-points", tenRequest{})
	ask("bias", biasRequest{Shape: "wave", Noise: 0.4, Rows: 30, Method: "gbm", Seed: 1})
	if got, want := hex.EncodeToString(sum.Sum(nil)[:8]), "9d51b69190cf415c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
