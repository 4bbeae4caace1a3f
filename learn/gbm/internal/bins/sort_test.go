package bins

import (
	"cmp"
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
