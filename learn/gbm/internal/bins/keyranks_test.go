package bins

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// keysOf returns keys of so many numbers of some distribution.
func keysOf(r *rng.Stream, n, kind int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		x := r.Float64() - 0.5
		switch kind {
		case 1:
			x = math.Round(300 * x) // many equal ones
		case 2:
			x = 1 / (x * x * x)
		case 3:
			x = 1 + 1e-9*x
			if i == 0 {
				x = -1e300
			}
		case 4:
			x = float64(int(1000*x*x)) + float64(r.Intn(2))*1e9
		case 5:
			if x < 0 {
				x = 3 // heavy
			}
		}
		keys[i] = keyOf(x + 0)
	}
	return keys
}

func checkRanks(t *testing.T, seed uint64) {
	t.Helper()
	r := rng.New(seed)
	n, most, least := 1+r.Intn(20_000), 2+r.Intn(300), r.Intn(80)
	keys := keysOf(r, n, int(seed%6))
	sorted := slices.Sorted(slices.Values(keys))
	var d mass
	d.reset(false)
	d.addKeys(sorted)
	d.finish()
	want := d.splitPoints(most, least)
	got, ok := newRanks(keys, make([]uint64, n)).splitPoints(most, least)
	if heavy := len(heavy(d.weight, most)) > 0; ok == heavy {
		t.Fatalf("seed %d, %d keys, %d bins: ok is %v, and there are heavy values: %v", seed, n,
			most, ok, heavy)
	}
	if ok && !slices.Equal(got, want) {
		t.Fatalf("seed %d, %d keys, %d bins of at least %d: split points %v, want %v", seed, n,
			most, least, got, want)
	}
}

func TestRanks(t *testing.T) {
	for seed := range uint64(200) {
		checkRanks(t, seed)
	}
}

// Keys are put in ranges once, however many ranks are requested, and a range is sorted once.
func TestSpansAreDividedOnce(t *testing.T) {
	const n = 5000
	keys := keysOf(rng.New(3), n, 0)
	sorted := slices.Sorted(slices.Values(keys))
	r := newRanks(keys, make([]uint64, n))
	if got := r.at(7); got != sorted[7] || len(r.root.ends) < 2 {
		t.Fatalf("rank 7 is %d, want %d; %d ranges", got, sorted[7], len(r.root.ends))
	}
	ends, one := &r.root.ends[0], r.sortedAt(7)
	r.keys[one.lo] ^= 1 << 62 // a range that is in order is not looked at again
	for _, rank := range []int{7, n - 1, n / 2} {
		if got := r.at(rank); rank != one.lo && got != sorted[rank] || &r.root.ends[0] != ends {
			t.Errorf("rank %d is %d, want %d, or the keys are divided again", rank, got, sorted[rank])
		}
	}
	if r.heavy(&r.root, 3) || &r.root.ends[0] != ends || r.keys[one.lo] == sorted[one.lo] {
		t.Error("the keys are divided again, or in order again")
	}
	if !r.sortedAt(n / 3).sorted {
		t.Error("a range is not sorted")
	}
}

// Columns of many rows take ranks, and those of weighted rows a sort.
func TestRanksGiveTheSplitPointsOfASort(t *testing.T) {
	r := rng.New(7)
	x, one := make([]float64, 2*ranksFrom), make([]float64, 2*ranksFrom)
	for i := range x {
		x[i], one[i] = 1/(r.Float64()-0.5), 1
		if i%10 == 0 {
			x[i] = math.NaN()
		}
	}
	copy(x[ranksFrom+ranksFrom/2:], x) // equal ones
	o := Options{MinInBin: 3}
	got, want := splitPointsOf(t, x, nil, o), splitPointsOf(t, x, one, o)
	if len(want) != DefaultBins-1 || !slices.Equal(got, want) {
		t.Errorf("split points %v, want %v", got, want)
	}
}

func FuzzRanks(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkRanks(t, seed) })
}
