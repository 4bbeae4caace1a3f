package kernel_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzTakeRows compares TakeRows with its definition, and what stands behind dst with what it was.
func FuzzTakeRows(f *testing.F) {
	f.Add(uint64(1), 32, 100)
	f.Add(uint64(2), 16, 1)
	f.Add(uint64(3), 3, 9)
	f.Add(uint64(4), 8, 0)
	f.Fuzz(func(t *testing.T, seed uint64, stride, n int) {
		stride, n = 1+max(0, stride-1)%100, max(0, n)%300
		checkTakeRows[float32](t, seed, stride, n)
		checkTakeRows[float64](t, seed, stride, n)
	})
}

func checkTakeRows[T float32 | float64](t *testing.T, seed uint64, stride, n int) {
	s := rng.New(seed)
	table, rows := make([]T, 50*stride), make([]uint32, n)
	for i := range table {
		table[i] = T(s.Float64())
	}
	var want []T
	for i := range rows {
		rows[i] = uint32(s.Intn(50))
		want = append(want, table[int(rows[i])*stride:][:stride]...)
	}
	want = append(want, -1, -1)
	kernel.EveryPath(func() {
		got := slices.Repeat([]T{-1}, len(want))
		kernel.TakeRows(got, table, stride, rows)
		if !slices.Equal(got, want) {
			t.Fatalf("%d rows of %d: %v, want %v", n, stride, got, want)
		}
	})
}
