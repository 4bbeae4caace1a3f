package sorting

import (
	"cmp"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// TestByRank: ranks spread evenly, in a crowd, equal, and one after the other come in order with
// their rows.
func TestByRank(t *testing.T) {
	r := rng.New(4)
	for name, place := range map[string]func(i, n int) uint32{
		"even":        func(i, n int) uint32 { return uint32(i*1000 + r.Intn(1000)) },
		"equal":       func(i, n int) uint32 { return 9 },
		"few values":  func(i, n int) uint32 { return uint32(r.Intn(3) * 1000) },
		"consecutive": func(i, n int) uint32 { return uint32(i + 7) },
		"crowded": func(i, n int) uint32 {
			if i < n-2 {
				return uint32(i)
			}
			return 1<<31 - uint32(n-i)
		},
	} {
		for _, n := range []int{1, 2, insertionUpTo, insertionUpTo + 1, 500, 2048} {
			var b Buffer
			places := make([]uint32, n)
			for i := range places {
				places[i] = place(i, n)
			}
			r.Shuffle(n, func(i, j int) { places[i], places[j] = places[j], places[i] })
			var want []Entry
			for i, p := range places {
				want = append(want, Entry{Key: p, Pos: uint32(i)})
			}
			slices.SortFunc(want, func(a, b Entry) int {
				return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Pos, b.Pos))
			})
			if got := b.ByRank(places); !slices.Equal(got, want) {
				t.Errorf("%s: %d ranks are not in order", name, n)
			}
		}
	}
}
