package rng_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
)

// The numbers below are the contract: models and folds made with a seed depend on every one of
// them. They are never edited.
func TestFrozenNumbers(t *testing.T) {
	s := rng.New(1)
	got := []uint64{s.Uint64(), s.Uint64(), s.Uint64()}
	want := []uint64{0x2ec57126e3adcf0e, 0xdeb0f154ea6229d4, 0x4ebc1abb643215f2}
	if !slices.Equal(got, want) {
		t.Errorf("Uint64: got %#x, want %#x", got, want)
	}
	if got, want := rng.New(1, 2).Uint64(), uint64(0x66a2e55d22fd8d2e); got != want {
		t.Errorf("with a path: got %#x, want %#x", got, want)
	}
	s = rng.New(7)
	ints := make([]int, 12)
	for i := range ints {
		ints[i] = s.Intn(10)
	}
	if want := []int{9, 4, 4, 9, 3, 8, 0, 7, 5, 7, 5, 0}; !slices.Equal(ints, want) {
		t.Errorf("Intn(10): got %v, want %v", ints, want)
	}
	if got, want := rng.New(7).Float64(), 0.9651015729294137; got != want {
		t.Errorf("Float64: got %v, want %v", got, want)
	}
	if got, want := rng.New(3, 1).Perm(10),
		[]int32{4, 0, 3, 2, 1, 8, 7, 6, 5, 9}; !slices.Equal(got, want) {
		t.Errorf("Perm(10): got %v, want %v", got, want)
	}
}

func TestPathsGiveDifferentStreams(t *testing.T) {
	seen := map[uint64][]uint64{}
	add := func(seed uint64, path ...uint64) {
		x := rng.New(seed, path...).Uint64()
		if old, ok := seen[x]; ok {
			t.Errorf("%v and %v start with the same numbers", old, append([]uint64{seed}, path...))
		}
		seen[x] = append([]uint64{seed}, path...)
	}
	for a := range uint64(20) {
		add(a)
		for b := range uint64(20) {
			add(a, b)
			for c := range uint64(20) {
				add(a, b, c)
			}
		}
	}
}

// Intn must reject some numbers, or bounds that do not divide 2^64 get a bias: with n = 3/8 of 2^64
// a plain multiply-shift reaches two of three results from 3 numbers and the next from 2. Where an
// int has 32 bits the bound is 3/8 of 2^32.
func TestIntnHasNoBias(t *testing.T) {
	const samples = 30000
	n := int(uint(3) << (bits.UintSize - 3))
	s := rng.New(11)
	var third [3]float64
	for range samples {
		third[s.Intn(n)%3]++
	}
	chi := 0.0
	for _, c := range third {
		chi += (c - samples/3) * (c - samples/3) / (samples / 3)
	}
	if chi > 13.8 { // 0.1 % of a chi-square with 2 degrees of freedom
		t.Errorf("counts %v", third)
	}
}

func TestIntnIsUniform(t *testing.T) {
	const n, samples = 10, 100000
	s := rng.New(5)
	var count [n]float64
	for range samples {
		count[s.Intn(n)]++
	}
	chi := 0.0
	for _, c := range count {
		chi += (c - samples/n) * (c - samples/n) / (samples / n)
	}
	if chi > 27.9 { // 0.1 % with 9 degrees of freedom
		t.Errorf("counts %v", count)
	}
}

func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rng.New(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(-2, math.MaxInt).Draw(t, "n")
		if x := s.Intn(n); x < 0 || x >= max(n, 1) {
			t.Fatalf("Intn(%d) = %d", n, x)
		}
		if x := s.Float64(); x < 0 || x >= 1 {
			t.Fatalf("Float64 = %v", x)
		}
		p := s.Perm(rapid.IntRange(0, 50).Draw(t, "length"))
		slices.Sort(p)
		for i, x := range p {
			if int(x) != i {
				t.Fatalf("sorted permutation %v", p)
			}
		}
	})
}

// All 6 orders of 3 elements come equally often.
func TestShuffleIsUniform(t *testing.T) {
	const samples = 60000
	count := map[[3]int32]float64{}
	s := rng.New(9)
	for range samples {
		count[[3]int32(s.Perm(3))]++
	}
	chi := 0.0
	for _, c := range count {
		chi += (c - samples/6) * (c - samples/6) / (samples / 6)
	}
	if len(count) != 6 || chi > 20.5 { // 0.1 % with 5 degrees of freedom
		t.Errorf("counts %v", count)
	}
}

// A stream and the seed of its path are the same.
func TestFromSeed(t *testing.T) {
	for _, path := range [][]uint64{nil, {0}, {3, 1, 4}} {
		want, got := rng.New(7, path...), rng.FromSeed(rng.Seed(7, path...))
		for i := range 5 {
			if w, g := want.Uint64(), got.Uint64(); g != w {
				t.Errorf("path %v, number %d: %x, want %x", path, i, g, w)
			}
		}
	}
}

// TestStem: the numbers of a stem are those of the whole paths.
func TestStem(t *testing.T) {
	stem := rng.NewStem(7, 3, 1<<40)
	for next := range uint64(5) {
		if got, want := stem.Float64(next), rng.New(7, 3, 1<<40, next).Float64(); got != want {
			t.Errorf("first number of stream %d: %v, want %v", next, got, want)
		}
	}
}
