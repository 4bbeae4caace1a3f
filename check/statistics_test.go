package check

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1e-3, math.Abs(b)) }

// arrangements calls a function with each choice of m of n + m places.
func arrangements(n, m int, f func(fresh []bool)) {
	for set := range 1 << (n + m) {
		fresh, count := make([]bool, n+m), 0
		for i := range fresh {
			if fresh[i] = set>>i&1 == 1; fresh[i] {
				count++
			}
		}
		if count == m {
			f(fresh)
		}
	}
}

// Both exact tests are the fraction of all arrangements of rows.
func TestExactTests(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for m := 1; m <= 6; m++ {
			all := 0
			outside := make([]int, m+2) // at least so many are beyond the first and the last old row
			having := map[[2]int]int{}  // of some first rows at least k are new
			arrangements(n, m, func(fresh []bool) {
				all++
				first, last := -1, 0
				for i := range fresh {
					if !fresh[i] {
						if last = i; first < 0 {
							first = i
						}
					}
				}
				for k := 0; k <= first+len(fresh)-1-last; k++ {
					outside[k]++
				}
				k := 0
				for i := range fresh {
					if fresh[i] {
						k++
					}
					for least := 0; least <= k; least++ {
						having[[2]int{i + 1, least}]++
					}
				}
			})
			for k := 0; k <= m; k++ {
				if want, got := float64(outside[k])/float64(all), beyond(n, k, m); !near(got, want) {
					t.Errorf("%d of %d rows are beyond %d: %v, want %v", k, m, n, got, want)
				}
			}
			for c, count := range having {
				k, j := c[1], c[0]-c[1]
				if j < 0 || j > n || float64(k) <= float64(c[0]*m)/float64(n+m) {
					continue
				}
				if want, got := float64(count)/float64(all), more(j, n, k, m); !near(got, want) {
					t.Errorf("%d of %d and %d of %d rows: %v, want %v", j, n, k, m, got, want)
				}
			}
		}
	}
	if p := more(0, 1000, 0, 1000); p != 1 {
		t.Errorf("no row of either: %v", p)
	}
	if p := more(0, 1_000_000_000, 40, 1_000_000_000); math.Abs(p*0x1p40-1) > 1e-4 {
		t.Errorf("40 rows of long tables: %v, want 2^-40", p)
	}
}

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
