package kernel

import (
	"testing"

	"pgregory.net/rapid"
)

func TestScanLanes(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkScanLanes) })
}

func FuzzScanLanes(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkScanLanes(t) }) }))
}

// checkScanLanes holds ScanLanes against Scan of each tree for one row.
func checkScanLanes(t *rapid.T) {
	columns := rapid.IntRange(1, MaxLaneCodes).Draw(t, "columns")
	most := rapid.IntRange(1, MaxScanLeaves).Draw(t, "leaves")
	seed := rapid.Uint64().Draw(t, "seed")
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	var codes [MaxLaneCodes]int8
	tile := make([]int8, columns*ScanRows)
	for k := range columns {
		codes[k] = int8(next(256) - 128)
		tile[k*ScanRows] = codes[k]
	}
	nodes := make([]LaneNodes, most)
	var want [LaneTrees]uint8
	for tree := range LaneTrees {
		var trees []ScanNode
		var grow func(first, leaves int)
		grow = func(first, leaves int) {
			if leaves == 1 {
				return
			}
			left := 1 + next(leaves-1)
			trees = append(trees, ScanNode{At: uint32(next(columns) * ScanRows),
				Above: int8(next(255) - 127), First: uint8(first), Last: uint8(first + left)})
			grow(first, left)
			grow(first+left, leaves-left)
		}
		grow(0, 1+next(most))
		for i, n := range trees {
			nodes[i].Column[tree] = uint8(n.At / ScanRows)
			nodes[i].Above[tree] = n.Above
			nodes[i].First[tree], nodes[i].Last[tree] = n.First, n.Last
		}
		leaf := make([]uint8, ScanRows)
		scanPlain(leaf, trees, tile, 1)
		want[tree] = leaf[0]
	}
	var got, plain [LaneTrees]uint8
	ScanLanes(&got, nodes, &codes, columns)
	scanLanesPlain(&plain, nodes, &codes)
	if got != want || plain != want {
		t.Fatalf("leaves %v, %v in plain Go, want %v", got, plain, want)
	}
}
