package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// ranksOf returns the ranks of a block of a random descent: those of columns of numbers a second
// time for nodes that send missing values to the first child.
func (d *Descent) ranksOf(rows, columns, numbers int) *Ranks {
	k := NewRanks(columns)
	k.Resize(rows, 2*columns)
	for c := range columns {
		x := make([]float64, rows)
		for r := range x {
			x[r] = d.X[r/TileRows*d.Tile+int(d.Place[16*c+1])+r%TileRows]
		}
		for rule := range 16 {
			k.Place(c, rule, c)
		}
		if c < numbers {
			k.PutNumbers(c, c, x)
			k.CopyNumbers(columns+c, c)
			k.Place(c, 0, columns+c)
			continue
		}
		k.PutCodes(c, x)
	}
	k.Seal()
	return k
}

// checkLists partitions random sections of random lists, and compares with the definition of a
// partition.
func checkLists(t *testing.T, seed uint64, length int) {
	r := rng.New(seed)
	const rows, columns = 1000, 3
	x := make([]uint16, rows*panel+slack)
	for i := range x {
		x[i] = uint16(r.Intn(300))
	}
	list := make([]uint16, length+slack+40)
	for i := range list {
		list[i] = uint16(4 * r.Intn(rows))
	}
	lo, stride := r.Intn(40), []int{panel, strip}[r.Intn(2)]
	hi := lo + length
	base, word := uint16(r.Intn(302)), r.Uint64()
	spare, codes := make([]uint16, len(list)), x[r.Intn(panel):]
	small := slices.Clone(codes)
	for i := range small {
		small[i] &= 63
	}
	check := func(what string, fast, plain func(rows []uint16) int, second func(row uint16) bool) {
		got, twin := slices.Clone(list), slices.Clone(list)
		n, m := fast(got), plain(twin)
		want := slices.Clone(list)
		firsts := slices.DeleteFunc(slices.Clone(list[lo:hi]), second)
		copy(want[lo:], firsts)
		copy(want[lo+len(firsts):], slices.DeleteFunc(slices.Clone(list[lo:hi]), func(row uint16) bool { return !second(row) }))
		if n != len(firsts) || !slices.Equal(got, want) {
			t.Fatalf("seed %d, %d rows from %d on by %s: %d go first, %v; want %d, %v", seed, length, lo, what, n, got, len(firsts), want)
		}
		if m != n || !slices.Equal(twin, want) {
			t.Fatalf("seed %d, %d rows from %d on by %s, in plain Go: %d go first, %v; want %d, %v", seed, length, lo, what, m, twin, n, want)
		}
	}
	check("rank", func(rows []uint16) int { return partitionRanks(rows, spare, lo, hi, codes, stride, base) },
		func(rows []uint16) int { return partitionRanksPlain(rows, spare, lo, hi, codes, stride, base) },
		func(row uint16) bool { return codes[stride*int(row)/4] >= base })
	check("word", func(rows []uint16) int { return partitionLevels(rows, spare, lo, hi, small, stride, word) },
		func(rows []uint16) int { return partitionLevelsPlain(rows, spare, lo, hi, small, stride, word) },
		func(row uint16) bool { return word>>small[stride*int(row)/4]&1 == 1 })
}

func TestPartitionLists(t *testing.T) { EachPath(t, testPartitionLists) }

func testPartitionLists(t *testing.T) {
	for seed := uint64(0); seed < 300; seed += uint64(tier.Count(3, 1, 1)) {
		checkLists(t, seed, 1+int(seed))
	}
}

func FuzzPartitionLists(f *testing.F) {
	f.Add(uint64(1), uint16(100))
	f.Fuzz(func(t *testing.T, seed uint64, length uint16) {
		EveryPath(func() { checkLists(t, seed, 1+int(length)) })
	})
}

// TestUpTo: buckets find the same as counting, in columns of few and of many values, with
// infinities and large gaps.
func TestUpTo(t *testing.T) { EachPath(t, testUpTo) }

func testUpTo(t *testing.T) {
	for seed := range uint64(tier.Count(40, 200, 200)) {
		r := rng.New(seed)
		x := make([]float64, 1+r.Intn(3000))
		for i := range x {
			switch seed % 4 {
			case 0:
				x[i] = randomValue(r, true)
			case 1:
				x[i] = float64(r.Intn(90))
			case 2:
				x[i] = math.Ldexp(r.Float64()-0.5, r.Intn(600)-300)
			default:
				x[i] = 7
			}
		}
		k := NewRanks(1)
		k.Resize(len(x), 1)
		k.PutNumbers(0, 0, x)
		for range 100 {
			threshold := x[r.Intn(len(x))]
			if r.Intn(3) == 0 {
				threshold = []float64{math.Nextafter(threshold, 0), randomValue(r, true), math.Inf(1), math.Inf(-1)}[r.Intn(4)]
			}
			n := k.scale[0].upTo(threshold)
			for i, v := range x {
				if code := k.X[panel*i]; (v <= threshold) != (int32(code) <= n) {
					t.Fatalf("seed %d: value %v has code %d, and %d values are up to %v", seed, v, code, n, threshold)
				}
			}
		}
	}
}
