package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// checkPartitionRows partitions random rows.
func checkPartitionRows(t *testing.T, seed uint64, length int) {
	r := rng.New(seed)
	values, list := make([]float64, 1000), make([]int32, length)
	for i := range values {
		values[i] = randomValue(r, true)
	}
	for i := range list {
		list[i] = int32(r.Intn(len(values)))
	}
	splitPoint, missingFirst := randomValue(r, true), seed%2 == 1
	goesFirst := func(row int32) bool {
		if x := values[row]; !math.IsNaN(x) {
			return x <= splitPoint
		}
		return missingFirst
	}
	want := slices.DeleteFunc(slices.Clone(list), func(row int32) bool { return !goesFirst(row) })
	first := len(want)
	rest := slices.DeleteFunc(slices.Clone(list), goesFirst)
	slices.Reverse(rest)
	want = append(want, rest...)
	got, plain := make([]int32, length), make([]int32, length)
	if n := PartitionBySplitPoint(got, list, values, splitPoint, missingFirst); n != first || !slices.Equal(got, want) {
		t.Fatalf("seed %d, list of %d: %d go first, %v, want %v", seed, length, n, got, want)
	}
	if n := partitionRows(plain, list, values, splitPoint, missingFirst); n != first || !slices.Equal(plain, want) {
		t.Fatalf("seed %d, list of %d in plain Go: %d go first, %v, want %v", seed, length, n, plain, want)
	}
}

// checkPartitionCodes partitions random rows by their codes.
func checkPartitionCodes(t *testing.T, seed uint64, length int) {
	r := rng.New(seed, 2)
	codes, list, sides := make([]uint32, 1000), make([]int32, length), &Sides{r.Uint64(), r.Uint64()}
	for i := range codes {
		codes[i] = []uint32{uint32(r.Intn(130)), math.MaxUint32 - uint32(r.Intn(3)), uint32(r.Uint64())}[r.Intn(3)]
	}
	for i := range list {
		list[i] = int32(r.Intn(len(codes)))
	}
	goesFirst := func(row int32) bool {
		bit := 127
		switch code := codes[row]; {
		case code == math.MaxUint32-1:
			bit = 0
		case code == math.MaxUint32:
			bit = 1
		case code < 126:
			bit = 2 + int(code)
		}
		return sides[bit/64]>>(bit%64)&1 == 1
	}
	want := slices.DeleteFunc(slices.Clone(list), func(row int32) bool { return !goesFirst(row) })
	first := len(want)
	rest := slices.DeleteFunc(slices.Clone(list), goesFirst)
	slices.Reverse(rest)
	want = append(want, rest...)
	got, plain := make([]int32, length), make([]int32, length)
	if n := PartitionBySet(got, list, codes, sides); n != first || !slices.Equal(got, want) {
		t.Fatalf("seed %d, list of %d: %d go first, %v, want %v", seed, length, n, got, want)
	}
	if n := partitionRowsBySet(plain, list, codes, sides); n != first || !slices.Equal(plain, want) {
		t.Fatalf("seed %d, list of %d in plain Go: %d go first, %v, want %v", seed, length, n, plain, want)
	}
}

func TestPartitionRows(t *testing.T) { EachPath(t, testPartitionRows) }

func testPartitionRows(t *testing.T) {
	for seed := uint64(0); seed < 200; seed += uint64(tier.Count(3, 1, 1)) {
		checkPartitionRows(t, seed, 1+int(seed))
		checkPartitionCodes(t, seed, 1+int(seed))
	}
}

func FuzzPartitionRows(f *testing.F) {
	f.Add(uint64(1), uint16(100))
	f.Fuzz(func(t *testing.T, seed uint64, length uint16) {
		EveryPath(func() {
			checkPartitionRows(t, seed, 1+int(length))
			checkPartitionCodes(t, seed, 1+int(length))
		})
	})
}
