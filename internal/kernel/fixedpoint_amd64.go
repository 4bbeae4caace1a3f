//go:build amd64 && !purego

package kernel

import "math"

const fixLanes = 4

// sizes adds whole fours of numbers to the four sums, and returns how many it did.
func sizes(a, b *[fixLanes]float64, g, h []float64) int {
	n := len(g) &^ (fixLanes - 1)
	if !hasAVX2 || n == 0 {
		return 0
	}
	addSizes(a, b, &g[0], &h[0], n)
	return n
}

// addSizes does n numbers, a multiple of four above 0.
//
//go:noescape
func addSizes(a, b *[fixLanes]float64, first, second *float64, n int)

// fixing is what the assembly works on.
type fixing struct {
	packed      *int64
	g, h        *float64
	n           int // a multiple of four above 0
	perG, perH  float64
	coarse      float64
	sumG, sumH  [fixLanes]int64
	least, most [fixLanes]float64
	fine        [fixLanes]int64 // rows that are not coarse
}

// fixFours is Fix of whole fours of rows; it returns how many it did.
func fixFours(packed []int64, g, h []float64, perG, perH float64, coarse int64) (Fixed, int) {
	all := Fixed{Least: math.MaxInt64}
	n := len(packed) &^ (fixLanes - 1)
	if !hasAVX2 || n == 0 {
		return all, 0
	}
	f := fixing{packed: &packed[0], g: &g[0], h: &h[0], n: n, perG: perG, perH: perH,
		coarse: float64(coarse)}
	for i := range fixLanes {
		f.least[i] = math.Inf(1)
	}
	fixVectors(&f)
	all.Rows, all.Coarse = n, n
	for i := range fixLanes {
		all.G, all.H = all.G+f.sumG[i], all.H+f.sumH[i]
		all.Least, all.Most = min(all.Least, int64(f.least[i])), max(all.Most, int64(f.most[i]))
		all.Coarse -= int(f.fine[i])
	}
	return all, n
}

//go:noescape
func fixVectors(f *fixing)
