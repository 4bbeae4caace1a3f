package rng_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
)

// TestNumbersArePCG compares streams with the generator of math/rand/v2, whose numbers Go fixes.
func TestNumbersArePCG(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		state := rng.Seed(seed)
		want := rand.NewPCG(state, rng.Seed(^state))
		got := rng.New(seed)
		for range 50 {
			if a, b := got.Uint64(), want.Uint64(); a != b {
				t.Fatalf("%#x, want %#x", a, b)
			}
		}
	})
}

// TestSomeIsAlgorithmS: Some chooses what its definition does, number by number, and leaves the
// stream where that does.
func TestSomeIsAlgorithmS(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		take := rapid.IntRange(0, n).Draw(t, "take")
		seed := rapid.Uint64().Draw(t, "seed")
		a, b := rng.New(seed), rng.New(seed)
		got := a.Some([]int32{-7}, n, take)
		want := []int32{-7}
		for i := 0; len(want) <= take; i++ {
			if b.Intn(n-i) < take+1-len(want) {
				want = append(want, int32(i))
			}
		}
		if !slices.Equal(got, want) || a.Uint64() != b.Uint64() {
			t.Fatalf("%d of %d: %v, want %v", take, n, got, want)
		}
	})
}
