package hist

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// TestSortEnds compares both ends with those of a whole sort, of numbers with ties, of both zeros,
// in order and in reverse.
func TestSortEnds(t *testing.T) {
	type category struct {
		by  float64
		bin int32
	}
	s := rng.New(1)
	for round := range 400 {
		all := make([]category, s.Intn(400))
		for i := range all {
			all[i] = category{s.Float64() - 0.5, int32(i)}
			switch round % 5 {
			case 1:
				all[i].by = math.Copysign(float64(s.Intn(3)), all[i].by)
			case 2:
				all[i].by = float64(i) - 100
			case 3:
				all[i].by = -float64(i)
			case 4:
				all[i].by = math.Ldexp(all[i].by, s.Intn(2000)-1000)
			}
		}
		got := make([]ranked, len(all))
		for i, c := range all {
			got[i] = rank(c.by, c.bin)
		}
		most := min(s.Intn(1+len(all)), 1+s.Intn(50))
		sortEnds(got, most)
		slices.SortFunc(all, func(a, b category) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.bin, b.bin)) })
		for i := range most {
			if j := len(all) - 1 - i; got[i].bin != all[i].bin || got[j].bin != all[j].bin {
				t.Fatalf("round %d, %d of %d: place %d is %d, want %d, place %d is %d, want %d",
					round, most, len(all), i, got[i].bin, all[i].bin, j, got[j].bin, all[j].bin)
			}
		}
		slices.SortFunc(got, func(a, b ranked) int { return cmp.Compare(a.bin, b.bin) })
		for i := range got {
			if got[i].bin != int32(i) {
				t.Fatalf("round %d: category %d is lost", round, i)
			}
		}
	}
}

// TestSortEndsWithoutPartitions lets all partitions there may be be used up.
func TestSortEndsWithoutPartitions(t *testing.T) {
	r := make([]ranked, 5000)
	for i := range r {
		r[i] = rank(float64(i^i>>1), int32(i))
	}
	sortRanges(r, 0, len(r), len(r), 2)
	for i := range r[1:] {
		if r[i+1].before(r[i]) != 0 {
			t.Fatalf("places %d and %d are not in order", i, i+1)
		}
	}
}
