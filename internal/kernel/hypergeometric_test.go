package kernel_test

import (
	"math"
	"math/bits"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// The tail is the fraction of all orders of rows, however it is asked for.
func TestHypergeometricTail(t *testing.T) {
	const all = 11
	for n := 1; n < all; n++ {
		m := all - n
		orders := 0.0
		after, outside := map[[2]int]float64{}, map[int]float64{} // orders with at least k such rows
		having := map[[2]int]float64{}
		for old := uint(0); old < 1<<all; old++ {
			if bits.OnesCount(old) != n {
				continue
			}
			orders++
			rest := old
			for j := range n {
				for k := range bits.TrailingZeros(rest) - j + 1 {
					after[[2]int{j, k}]++
				}
				rest &= rest - 1
			}
			for k := range bits.TrailingZeros(old) + all - bits.Len(old) + 1 {
				outside[k]++
			}
			for first := 1; first <= all; first++ { // these rows have it
				fresh := first - bits.OnesCount(old&(1<<first-1))
				for k := 1; k <= fresh; k++ {
					having[[2]int{first - k, k}]++
				}
			}
		}
		check := func(what string, j, k int, count float64) {
			if j >= n || k > m || float64(k) <= float64((j+k)*m)/all {
				return
			}
			if p := kernel.HypergeometricTail(j, n, k, m); math.Abs(p*orders-count) > 1e-9*count {
				t.Errorf("%s, j %d, n %d, k %d, m %d: %v, want %v of %v", what, j, n, k, m, p, count, orders)
			}
		}
		for at, count := range after {
			check("after an old row", at[0], at[1], count)
		}
		for at, count := range having {
			check("with something", at[0], at[1], count)
		}
		for k := 1; k <= m; k++ {
			check("outside", 1, k, outside[k])
		}
	}
	for _, c := range []struct {
		j, n, k, m int
		want       float64
	}{{0, 1000, 0, 1000, 1}, {2, 2, 5, 100, 1}, {1, 10, 3, 2, 0}, {1, 1, 5, 100, 1},
		{0, 1_000_000_000, 40, 1_000_000_000, 0x1p-40}} {
		if p := kernel.HypergeometricTail(c.j, c.n, c.k, c.m); math.Abs(p/max(c.want, 1e-300)-1) > 1e-4 && p != c.want {
			t.Errorf("%d of %d, %d of %d: %v, want %v", c.j, c.n, c.k, c.m, p, c.want)
		}
	}
}
