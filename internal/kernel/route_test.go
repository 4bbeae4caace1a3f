package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// checkPartition partitions random lists, and compares with the definition of a partition.
func checkPartition(t *testing.T, seed uint64, length int) {
	r := rng.New(seed)
	const rows = 1000
	width := 1 + int32(seed%2*7)
	x, codes, list := make([]float64, rows), make([]uint16, rows), make([]uint16, length)
	for i := range x {
		x[i], codes[i] = randomValue(r, true), CodeOf(randomValue(r, false), width)
	}
	for i := range list {
		list[i] = uint16(r.Intn(rows))
	}
	threshold := randomValue(r, true)
	var side [MaxWidth + 2]uint64
	for i := range width + 1 {
		side[i] = r.Uint64()
	}
	got, plain := make([]uint16, length), make([]uint16, length)
	check := func(what string, n, m int, first func(row uint16) bool) {
		if n != m || !slices.Equal(got, plain) {
			t.Fatalf("seed %d, list of %d by %s: %d go first, %v; in plain Go %d, %v", seed, length, what, n, got, m, plain)
		}
		want := slices.DeleteFunc(slices.Clone(list), func(row uint16) bool { return !first(row) })
		rest := slices.DeleteFunc(slices.Clone(list), first)
		slices.Reverse(rest)
		if want = append(want, rest...); n != length-len(rest) || !slices.Equal(got, want) {
			t.Fatalf("seed %d, list of %d by %s: %v, want %v", seed, length, what, got, want)
		}
	}
	check("threshold", partitionByPoint(got, list, x, threshold), partitionByPointPlain(plain, list, x, threshold), func(row uint16) bool { return x[row] <= threshold })
	check("set", partitionSet(got, list, codes, width, &side), partitionSetPlain(plain, list, codes, &side),
		func(row uint16) bool { return side[codes[row]/64]>>(codes[row]%64)&1 == 0 })
}

func TestPartition(t *testing.T) { EachPath(t, testPartition) }

func testPartition(t *testing.T) {
	for seed := range uint64(200) {
		checkPartition(t, seed, 1+int(seed))
	}
}

func FuzzRoute(f *testing.F) {
	f.Add(uint64(1), uint16(100))
	f.Fuzz(func(t *testing.T, seed uint64, length uint16) {
		EveryPath(func() { checkPartition(t, seed, 1+int(length)) })
	})
}

// TestCodeOf: codes at the edges of a width.
func TestCodeOf(t *testing.T) {
	for _, c := range []struct {
		x     float64
		width int32
		want  uint16
	}{{0, 1, 0}, {63, 1, 63}, {64, 1, 64}, {-1, 1, 64}, {math.NaN(), 1, 65}, {math.MaxUint32, 3, 192}, {math.NaN(), MaxWidth, 65409}} {
		if got := CodeOf(c.x, c.width); got != c.want {
			t.Errorf("value %v in a column of %d words has code %d, want %d", c.x, c.width, got, c.want)
		}
	}
}
