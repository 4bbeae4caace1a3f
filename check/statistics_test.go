package check

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1e-3, math.Abs(b)) }

func TestHomogeneity(t *testing.T) {
	// of two degrees of freedom the tail of 16/3 is e^(-8/3)
	if p := homogeneity([]float64{10, 20, 30}, []float64{20, 20, 20}); !near(p, math.Exp(-8.0/3)) {
		t.Errorf("p = %v, want %v", p, math.Exp(-8.0/3))
	}
	if p := homogeneity([]float64{10}, []float64{9}); p != 1 {
		t.Errorf("one bin: p = %v", p)
	}
	if psi := stability([]float64{49.5, 49.5}, []float64{19.5, 79.5}); !near(psi, (0.2-0.5)*math.Log(0.4)+(0.8-0.5)*math.Log(1.6)) {
		t.Errorf("PSI %v", psi)
	}
}

func TestMerged(t *testing.T) {
	a, b := merged([]int{1, 2, 97, 100, 0, 3}, []int{1, 0, 99, 50, 50, 3})
	want := [2][]float64{{100, 100, 3}, {100, 50, 53}}
	for i, x := range [][]float64{a, b} {
		if len(x) != 3 || x[0] != want[i][0] || x[1] != want[i][1] || x[2] != want[i][2] {
			t.Errorf("bins %v, want %v", x, want[i])
		}
	}
}

// The example is that of Holm's method in R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
func TestAdjust(t *testing.T) {
	p := []float64{0.01, 0.04, 0.03, 0.005}
	adjust([]*float64{&p[0], &p[1], &p[2], &p[3]})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		if !near(p[i], want) {
			t.Errorf("p-values %v, the one at %d is to be %v", p, i, want)
		}
	}
}
