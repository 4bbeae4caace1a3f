package hist

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A middle separates two numbers in single precision, or is the greater one.
func TestMiddles(t *testing.T) {
	next := float64(math.Nextafter32(1, 2))
	for _, c := range [][3]float64{{1, 2, 1.5}, {-3, 1, -1}, {0, 1e-40, float64(float32(float32(1e-40)) * 0.5)}, {1, next, next}, {1, 1 + 1e-12, 1 + 1e-12},
		{16777216, 16777217, 16777217}} {
		got := middle(c[0], c[1])
		if want := c[2]; got != want && !(c[0] < got && got <= c[1] && want == c[1]) {
			t.Errorf("between %v and %v: %v, want %v", c[0], c[1], got, want)
		}
	}
}

// The exact method splits between two values that rows have, or above all of them, by the split
// that gains most. Missing values go where it gains most.
func TestExactPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, values := rapid.IntRange(2, 25).Draw(t, "rows"), rapid.IntRange(1, 7).Draw(t, "values")
		most := values - rapid.IntRange(0, 1).Draw(t, "none is missing")
		p := problem{}
		var codes []int
		present := make([]bool, values)
		for range n {
			code := rapid.IntRange(0, most).Draw(t, "code")
			if codes = append(codes, code); code < values {
				present[code] = true
			}
			p.g = append(p.g, float64(rapid.IntRange(-9, 9).Draw(t, "g")))
			p.h = append(p.h, float64(rapid.IntRange(1, 3).Draw(t, "h")))
		}
		var numbers []float64
		for b := range values {
			numbers = append(numbers, float64(float32(b*b)/3-4))
		}
		p.m, p.codes = table([]int{values}, [][]int{codes}), [][]int{codes}
		p.m.Columns[0].SplitPoints = nil
		p.c = Config{Shape: Shape{Leaves: 2}, Double: true, Regularization: Regularization{L2: 1, MinLeaf: rapid.IntRange(0, 3).Draw(t, "min_leaf")},
			Compatibility: Compatibility{Conventions: XGBoostExact, Values: [][]float64{numbers}}}
		best := p.bestGain(rows(n))
		grown := p.grow(t)
		root := grown.nodes[0]
		if split := grown.inner(root); split != (best > leastExact) {
			t.Fatalf("split: %v, by brute force a gain of %v", split, best)
		} else if !split {
			return
		}
		s := root.split
		if math.Abs(s.gain-best) > 1e-6*(1+best) {
			t.Fatalf("a gain of %v, by brute force %v", s.gain, best)
		}
		below, above := -1, -1
		for b, is := range present {
			if is && numbers[b] < s.splitPoint {
				below = b
			} else if is && above < 0 {
				above = b
			}
		}
		if below < 0 {
			t.Fatalf("no row is below %v", s.splitPoint)
		}
		want := float64(float32(float32(numbers[below]) + float32(math.Abs(numbers[below])+leastExact)))
		if above >= 0 {
			want = middle(numbers[below], numbers[above])
		}
		if math.Abs(s.splitPoint-want) > 1e-5*(1+math.Abs(want)) || s.bin < below || above >= 0 && s.bin >= above {
			t.Errorf("split at %v, bin %d, want %v between the bins %d and %d", s.splitPoint, s.bin, want, below, above)
		}
	})
}

func rows(n int) (all []int32) {
	for r := range int32(n) {
		all = append(all, r)
	}
	return all
}

// The largest power of two of a number is no more than it, and infinite ones stay.
func TestPowerBelow(t *testing.T) {
	for x, want := range map[float64]float64{1: 1, 1.99: 1, 2: 2, 0.75: 0.5, 5e-324: 5e-324, 1e300: math.Ldexp(1, 996), math.Inf(1): math.Inf(1)} {
		if got := powerBelow(x); got != want {
			t.Errorf("%v: %v, want %v", x, got, want)
		}
	}
}

// Rows without weight have the mean step 0.
func TestMeanSteps(t *testing.T) {
	g := &grown{}
	g.in = &inputs{sums: []sums{{unitG: 0.5}}}
	for _, c := range [][3]float64{{6, 2, -1.5}, {6, 0, 0}, {-6, 3, 1}, {6, -1, 0}} {
		if got := g.mean(c[0], c[1], 0); got != c[2] {
			t.Errorf("a sum of %v, weight %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
