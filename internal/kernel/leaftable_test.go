package kernel

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSumTables(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkSumTables) })
}

func FuzzSumTables(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkSumTables(t) }) }))
}

// checkSumTables holds sums against a loop over the trees of each row.
func checkSumTables(t *rapid.T) {
	trees, leaves := rapid.IntRange(0, 20).Draw(t, "trees"), rapid.IntRange(1, 64).Draw(t, "leaves")
	rows := rapid.IntRange(0, ScanRows).Draw(t, "rows")
	from := rapid.IntRange(0, trees).Draw(t, "from")
	value := rapid.SliceOfN(rapid.Float64(), 100, 100).Draw(t, "values")
	leaf, tables := make([]uint8, trees*ScanRows), NewLeafTables(trees, leaves)
	seed := rapid.Uint32().Draw(t, "seed")
	for i := range leaf {
		seed = seed*1664525 + 1013904223
		leaf[i] = uint8(seed >> 24 % uint32(leaves))
	}
	got, want := make([]float64, ScanRows), make([]float64, ScanRows)
	for r := range got {
		got[r], want[r] = float64(r)/7, float64(r)/7
	}
	for i := range trees {
		own := value[i : i+leaves]
		tables.Set(i, own)
		for r := range rows {
			if i >= from {
				want[r] += own[leaf[i*ScanRows+r]]
			}
		}
	}
	plain := append([]float64(nil), got...)
	leaf = leaf[from*ScanRows:]
	SumTables(got, leaf, tables, from, trees, rows)
	sumTablesPlain(plain, leaf, tables.words[4*tables.leaves*from:], tables.leaves, rows)
	for r := range rows {
		if bits := math.Float64bits(want[r]); math.Float64bits(got[r]) != bits ||
			math.Float64bits(plain[r]) != bits {
			t.Fatalf("row %d of %d: %v, %v in plain Go, want %v", r, rows, got[r], plain[r], want[r])
		}
	}
}
