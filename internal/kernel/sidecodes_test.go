package kernel

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSideCodes(t *testing.T) { EachPath(t, func(t *testing.T) { rapid.Check(t, checkSideCodes) }) }

func FuzzSideCodes(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkSideCodes(t) }) }))
}

// checkSideCodes looks every code up in a random table.
func checkSideCodes(t *rapid.T) {
	var table SideTable
	copy(table[:], rapid.SliceOfN(rapid.Uint8(), len(table), len(table)).Draw(t, "table"))
	rows, shift := rapid.IntRange(1, ScanRows).Draw(t, "rows"), rapid.Uint8().Draw(t, "shift")
	codes, got := make([]int8, ScanRows), make([]int8, ScanRows)
	for r := range codes {
		codes[r] = int8(uint8(r) + shift)
	}
	SideCodes(got, codes, &table, rows)
	for r, code := range codes[:rows] {
		first := table[uint8(code)/8]&(1<<(uint8(code)%8)) != 0
		if got[r] != int8(one(!first)) {
			t.Fatalf("code %d of a table %v: %d", uint8(code), table, got[r])
		}
	}
}
