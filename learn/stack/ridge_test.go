package stack

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/testing/reference"
)

func TestRidgeByScipy(t *testing.T) {
	z := reference.Read[struct {
		NNLS []struct {
			A     [][]float64
			B, X  []float64
			Alpha float64
		}
	}](t, "testdata/sklearn.json.gz")
	if len(z.NNLS) == 0 {
		t.Fatal("no frozen case")
	}
	for i, c := range z.NNLS {
		s := newSquare(len(c.X))
		for row, x := range c.A {
			s.add(x, c.B[row], 1)
		}
		for k, w := range s.solve(c.Alpha) {
			if math.Abs(w-c.X[k]) > 1e-9 {
				t.Errorf("problem %d: weight %d is %.12g, want %.12g", i, k, w, c.X[k])
			}
		}
	}
}

// At the least value no weight that is 0 has a slope downhill, and one that is not has none.
func TestRidgeIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "weights")
		s := newSquare(n)
		for range rapid.IntRange(1, 20).Draw(t, "rows") {
			x := rapid.SliceOfN(rapid.Float64Range(-2, 2), n, n).Draw(t, "x")
			s.add(x, rapid.Float64Range(-2, 2).Draw(t, "y"),
				rapid.Float64Range(0, 2).Draw(t, "weight"))
		}
		l2 := rapid.Float64Range(0.05, 3).Draw(t, "l2")
		w := s.solve(l2)
		for a := range w {
			slope := float64(l2*w[a]) - s.xy[a]
			for b := range w {
				slope += s.xx[a*n+b] * w[b]
			}
			if w[a] < 0 || slope < -1e-9 || w[a] > 0 && slope > 1e-9 {
				t.Fatalf("weight %d is %g, with slope %g", a, w[a], slope)
			}
		}
	})
}

func TestRidgeOfNothing(t *testing.T) {
	l := &level{members: 2, x: []float64{1, 5, 1, 5, 1, 5}, y: []float64{0.1, 0.1, 0.1},
		weight: []float64{1, 2, 0}}
	if w, constant := l.centred(1); w[0] != 0 || w[1] != 0 || constant != 0.1 {
		t.Errorf("weights %v, constant %g", w, constant)
	}
	if w := newSquare(2).solve(0); w[0] != 0 || w[1] != 0 {
		t.Errorf("weights %v of no row", w)
	}
}
