package bins

import (
	"cmp"
	"runtime"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// Keys are sorted whatever bits they differ in, and equal ones stay in their order.
func TestSorts(t *testing.T) {
	s := rng.New(1)
	for _, n := range []int{0, 1, 2, 1000, radixFrom, 5000, 70000} {
		for name, draw := range map[string]func() uint64{
			"equal":     func() uint64 { return 7 },
			"few":       func() uint64 { return uint64(s.Intn(5)) << 40 },
			"all bits":  s.Uint64,
			"low bits":  func() uint64 { return 1<<63 | uint64(s.Intn(1000)) },
			"high bits": func() uint64 { return s.Uint64() << 30 },
			// The 33 highest bits decide little of the order.
			"close": func() uint64 { return uint64(s.Intn(2))<<63 | uint64(s.Intn(1<<29)) },
			"numbers": func() uint64 {
				return keyOf(s.Float64() - 0.5)
			},
		} {
			keys, pairs := make([]uint64, n), make([]keyed, n)
			for i := range keys {
				keys[i] = draw()
				pairs[i] = keyed{keys[i], float64(i)}
			}
			want, wantPairs := slices.Clone(keys), slices.Clone(pairs)
			slices.Sort(want)
			slices.SortStableFunc(wantPairs,
				func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
			if got, _ := sortKeys(keys, nil); !slices.Equal(got, want) {
				t.Errorf("%d keys, %s: not in order", n, name)
			}
			if got, _ := sortKeyed(pairs, nil); !slices.Equal(got, wantPairs) {
				t.Errorf("%d keys with weights, %s: not in order", n, name)
			}
		}
	}
}

// TestMemoryOfWorkers: a worker that bins columns takes 24 bytes a row: keys, memory to sort them
// in, and how many rows have each; and 8 for the weights of rows and 16 for keys with these.
func TestMemoryOfWorkers(t *testing.T) {
	const rows, columns, workers = 20_000, 16, 8
	all := make([][]float64, columns)
	for i := range all {
		all[i] = normal(rows, uint64(i))
	}
	f := frameOf(t, all...)
	weight := make([]float64, rows)
	for i := range weight {
		weight[i] = float64(1 + i%3)
	}
	taken := func(weight []float64, workers int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Make(t.Context(), f, nil, weight, Options{}, workers); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, c := range []struct {
		weight []float64
		most   float64
	}{{nil, 24}, {weight, 56}} {
		one := taken(c.weight, 1)
		if each := (taken(c.weight, workers) - one) / (workers - 1) / rows; each > c.most+3 {
			t.Errorf("a worker takes %.1f bytes a row, want %v", each, c.most)
		}
	}
}
