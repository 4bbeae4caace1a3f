package kernel

import (
	"testing"

	"pgregory.net/rapid"
)

func TestScanLevels(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkScanLevels) })
}

func FuzzScanLevels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkScanLevels(t) }) }))
}

const mostLevels = 8 // of a tree of 256 leaves

// checkScanLevels holds the forms of ScanLevels and ScanLaneLevels against the bits of a leaf's
// number.
func checkScanLevels(t *rapid.T) {
	small, low := rapid.Bool().Draw(t, "small"), -128
	if small {
		low = 0
	}
	columns := rapid.IntRange(1, MaxLaneCodes).Draw(t, "columns")
	rows := rapid.IntRange(1, ScanRows).Draw(t, "rows")
	seed := rapid.Uint64().Draw(t, "seed")
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	codes := make([]int8, columns*ScanRows)
	for i := range codes {
		codes[i] = int8(low + next(128-low))
	}
	var row [MaxLaneCodes]int8
	for k := range columns {
		row[k] = codes[k*ScanRows]
	}
	var nodes []ScanNode
	at, lanes := []int32{0}, make([]LaneNodes, mostLevels)
	for i := range lanes {
		for tree := range LaneTrees {
			lanes[i].Column[tree], lanes[i].Above[tree] = NoColumn, 1
		}
	}
	for tree := range LaneTrees {
		levels := next(mostLevels + 1)
		for i := range levels {
			column, above := next(columns), int8(low+1+next(127-low))
			nodes = append(nodes, ScanNode{At: uint32(column * ScanRows), Above: above})
			lane := &lanes[mostLevels-levels+i]
			lane.Column[tree], lane.Above[tree] = uint8(column), above
		}
		at = append(at, int32(len(nodes)))
	}
	got := make([]uint8, LaneTrees*ScanRows)
	ScanLevels(got, nodes, at, codes, rows, small)
	var alone, alonePlain [LaneTrees]uint8
	ScanLaneLevels(&alone, lanes, &row, columns)
	scanLaneLevelsPlain(&alonePlain, lanes, &row)
	for tree := range LaneTrees {
		levels := nodes[at[tree]:at[tree+1]]
		plain := make([]uint8, ScanRows)
		scanLevelsPlain(plain, levels, codes, rows)
		for r := range rows {
			want := uint8(0)
			for _, n := range levels {
				want = 2*want + uint8(one(codes[int(n.At)+r] >= n.Above))
			}
			if g := got[tree*ScanRows+r]; g != want || plain[r] != want {
				t.Fatalf("row %d of %d in tree %d: at leaf %d, %d in plain Go, want %d", r, rows,
					tree, g, plain[r], want)
			}
			if r == 0 && (alone[tree] != want || alonePlain[tree] != want) {
				t.Fatalf("tree %d, one row: at leaf %d, %d in plain Go, want %d", tree,
					alone[tree], alonePlain[tree], want)
			}
		}
	}
}
