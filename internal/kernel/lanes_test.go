package kernel

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestScanLanes(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkScanLanes) })
}

func FuzzScanLanes(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkScanLanes(t) }) }))
}

// laneGroup is a random group of trees for ScanLanes, and rows for it.
type laneGroup struct {
	columns int
	nodes   []LaneNodes
	trees   [LaneTrees][]ScanNode
	rows    [LaneRows][MaxLaneCodes]int8
	next    func(n int) int
}

// randomLanes samples a group.
func randomLanes(t *rapid.T) *laneGroup {
	g := &laneGroup{columns: rapid.IntRange(1, MaxLaneCodes).Draw(t, "columns")}
	most := rapid.IntRange(1, MaxScanLeaves).Draw(t, "leaves")
	seed := rapid.Uint64().Draw(t, "seed")
	g.next = func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	for r := range g.rows {
		for k := range g.columns {
			g.rows[r][k] = int8(g.next(256) - 128)
		}
	}
	g.nodes = make([]LaneNodes, most)
	for t := range g.trees {
		g.grow(t, 0, 1+g.next(most))
		for i, n := range g.trees[t] {
			g.nodes[i].Column[t] = uint8(n.At / ScanRows)
			g.nodes[i].Above[t] = n.Above
			g.nodes[i].First[t], g.nodes[i].Last[t] = n.First, n.Last
		}
	}
	return g
}

// grow appends the nodes of a tree, or of a part of one, with leaves from first on.
func (g *laneGroup) grow(t, first, leaves int) {
	if leaves == 1 {
		return
	}
	left := 1 + g.next(leaves-1)
	g.trees[t] = append(g.trees[t], ScanNode{At: uint32(g.next(g.columns) * ScanRows),
		Above: int8(g.next(255) - 127), First: uint8(first), Last: uint8(first + left)})
	g.grow(t, first, left)
	g.grow(t, first+left, leaves-left)
}

// leaves returns the leaves that a row reaches, by Scan.
func (g *laneGroup) leaves(r int) (want [LaneTrees]uint8) {
	tile := make([]int8, g.columns*ScanRows)
	for k := range g.columns {
		tile[k*ScanRows] = g.rows[r][k]
	}
	for t, nodes := range g.trees {
		leaf := make([]uint8, ScanRows)
		scanPlain(leaf, nodes, tile, 1)
		want[t] = leaf[0]
	}
	return want
}

// checkScanLanes holds ScanLanes against Scan of each tree for one row.
func checkScanLanes(t *rapid.T) {
	g := randomLanes(t)
	want := g.leaves(0)
	var got, plain [LaneTrees]uint8
	ScanLanes(&got, g.nodes, &g.rows[0], g.columns)
	scanLanesPlain(&plain, g.nodes, &g.rows[0])
	if got != want || plain != want {
		t.Fatalf("leaves %v, %v in plain Go, want %v", got, plain, want)
	}
}

func TestScanLaneRows(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkScanLaneRows) })
}

func FuzzScanLaneRows(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkScanLaneRows(t) }) }))
}

// checkScanLaneRows holds ScanLaneRows and ScanLaneLevelRows against the same for one row.
func checkScanLaneRows(t *rapid.T) {
	g := randomLanes(t)
	got, plain := make([]uint8, LaneTrees*ScanRows), make([]uint8, LaneTrees*ScanRows)
	ScanLaneRows(got, g.nodes, &g.rows, g.columns)
	scanLaneRowsPlain(plain, g.nodes, &g.rows)
	levels, levelsPlain := make([]uint8, LaneTrees*ScanRows), make([]uint8, LaneTrees*ScanRows)
	some := g.nodes[:min(len(g.nodes), mostLevels)]
	ScanLaneLevelRows(levels, some, &g.rows, g.columns)
	scanLaneLevelRowsPlain(levelsPlain, some, &g.rows)
	for r := range g.rows {
		var want, wantLevels [LaneTrees]uint8
		scanLanesPlain(&want, g.nodes, &g.rows[r])
		scanLaneLevelsPlain(&wantLevels, some, &g.rows[r])
		for tree := range want {
			at := tree*ScanRows + r
			if got[at] != want[tree] || plain[at] != want[tree] {
				t.Fatalf("row %d in tree %d: leaf %d, %d in plain Go, want %d", r, tree, got[at],
					plain[at], want[tree])
			}
			if levels[at] != wantLevels[tree] || levelsPlain[at] != wantLevels[tree] {
				t.Fatalf("row %d in levels of tree %d: leaf %d, %d in plain Go, want %d", r, tree,
					levels[at], levelsPlain[at], wantLevels[tree])
			}
		}
	}
	for at, number := range got {
		if at%ScanRows >= LaneRows && (number != 0 || levels[at] != 0) {
			t.Fatalf("row %d, which has no codes, is written", at%ScanRows)
		}
	}
}

func TestAddLanes(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkAddLanes) })
}

func FuzzAddLanes(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkAddLanes(t) }) }))
}

// checkAddLanes holds AddLanes against ScanLanes, ScanLaneLevels and SumRow.
func checkAddLanes(t *rapid.T) {
	g := randomLanes(t)
	levels := rapid.Bool().Draw(t, "levels")
	if levels {
		g.nodes = g.nodes[:min(len(g.nodes), mostLevels)]
	}
	value := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 300, 300).Draw(t, "values")
	at := rapid.SliceOfN(rapid.Uint32Range(0, 44), 0, LaneTrees).Draw(t, "at")
	var before [LanePairs]uint8
	var got, want [LaneTrees]uint8
	for i := range before {
		before[i] = uint8(g.next(256))
	}
	s := LaneSum{Sum: 0.7, Leaf: &before, Value: value, At: at}
	AddLanes(&got, g.nodes, &g.rows[0], g.columns, levels, &s)
	sum := 0.7
	for i, from := range at {
		sum += value[int(from)+int(before[i])]
	}
	if scanLanesPlain(&want, g.nodes, &g.rows[0]); levels {
		scanLaneLevelsPlain(&want, g.nodes, &g.rows[0])
	}
	if got != want || s.Sum != sum {
		t.Fatalf("leaves %v and sum %v, want %v and %v", got, s.Sum, want, sum)
	}
}

func TestAddLanePairs(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkAddLanePairs) })
}

func FuzzAddLanePairs(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkAddLanePairs(t) }) }))
}

// checkAddLanePairs holds AddLanePairs against ScanLanes and SumRow.
func checkAddLanePairs(t *rapid.T) {
	a, b := randomLanes(t), randomLanes(t)
	columns := max(a.columns, b.columns)
	for len(a.nodes) < len(b.nodes) {
		a.nodes = append(a.nodes, LaneNodes{})
	}
	for len(b.nodes) < len(a.nodes) {
		b.nodes = append(b.nodes, LaneNodes{})
	}
	codes := a.rows[0]
	for k := a.columns; k < columns; k++ {
		codes[k] = b.rows[0][k]
	}
	value := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 300, 300).Draw(t, "values")
	at := rapid.SliceOfN(rapid.Uint32Range(0, 44), 0, LanePairs).Draw(t, "at")
	var before, got [LanePairs]uint8
	for i := range before {
		before[i] = uint8(a.next(256))
	}
	s := LaneSum{Sum: 0.7, Leaf: &before, Value: value, At: at}
	AddLanePairs(&got, a.nodes, b.nodes, &codes, columns, &s)
	sum := 0.7
	for i, from := range at {
		sum += value[int(from)+int(before[i])]
	}
	var first, last [LaneTrees]uint8
	scanLanesPlain(&first, a.nodes, &codes)
	scanLanesPlain(&last, b.nodes, &codes)
	if want := slices.Concat(first[:], last[:]); !slices.Equal(got[:], want) || s.Sum != sum {
		t.Fatalf("leaves %v and sum %v, want %v and %v", got, s.Sum, want, sum)
	}
}
