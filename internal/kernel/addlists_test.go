package kernel

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzAddLists compares the kernel with its plain twin, on lists of all lengths.
func FuzzAddLists(f *testing.F) {
	for _, seed := range []uint64{1, 2, 3, 4, 5} {
		f.Add(seed, uint16(seed*37), uint8(4*seed))
	}
	f.Add(uint64(6), uint16(200), uint8(0)) // no places
	f.Add(uint64(7), uint16(3), uint8(9))   // few rows
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, most uint8) {
		s := rng.New(seed)
		n, cells := 1+int(rows)%900, 1+s.Intn(500)
		a := AddLists{Cells: make([]int64, cells), Start: []uint32{0}, Words: make([]int64, n)}
		var some []int32
		pairs := make([]float64, 2*n)
		for r := range n {
			for range s.Intn(int(most) + 1) {
				a.Places = append(a.Places, uint32(s.Intn(cells)))
			}
			a.Start = append(a.Start, uint32(len(a.Places)))
			a.Words[r] = int64(s.Uint64() >> 20)
			pairs[2*r], pairs[2*r+1] = s.Float64(), s.Float64()
			if s.Intn(3) > 0 {
				some = append(some, int32(r))
			}
		}
		want := a
		want.Cells = make([]int64, cells)
		want.rows(some)
		a.Rows(some)
		if !slices.Equal(a.Cells, want.Cells) {
			t.Fatalf("%d rows, lists of up to %d places: other sums", n, most)
		}
		got, naive := make([]float64, 2*cells), make([]float64, 2*cells)
		a.Pairs(got, pairs, some)
		for _, r := range some {
			for _, p := range a.Places[a.Start[r]:a.Start[r+1]] {
				naive[2*p] += pairs[2*r]
				naive[2*p+1] += pairs[2*r+1]
			}
		}
		if !slices.Equal(got, naive) {
			t.Fatalf("%d rows, lists of up to %d places: other sums of pairs", n, most)
		}
	})
}
