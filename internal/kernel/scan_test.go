package kernel

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// randomPoints samples up to n different split points, ascending.
func randomPoints(t *rapid.T, n int) []float64 {
	number := rapid.OneOf(rapid.Float64Range(-4, 4), rapid.Float64(),
		rapid.Map(rapid.IntRange(-300, 300), func(i int) float64 { return float64(i) / 8 }),
		rapid.SampledFrom([]float64{0, math.Inf(1), math.Inf(-1)}))
	points := rapid.SliceOfN(number, 0, n).Draw(t, "points")
	if rapid.Bool().Draw(t, "many") {
		for i := range n {
			points = append(points, float64(i)/4-10)
		}
	}
	slices.Sort(points)
	points = slices.Compact(points)
	return points[:min(n, len(points))]
}

func TestCodes(t *testing.T) { EachPath(t, func(t *testing.T) { rapid.Check(t, checkCodes) }) }

func FuzzCodes(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkCodes(t) }) }))
}

// checkCodes holds codes against comparisons of the values: at every split point they decide alike,
// and missing values go where they should.
func checkCodes(t *rapid.T) {
	points := randomPoints(t, MaxCodedPoints)
	c := NewCoder(points)
	near := append([]float64{math.NaN(), math.Copysign(0, -1), math.Inf(-1), math.Inf(1)}, points...)
	for _, p := range points {
		near = append(near, math.Nextafter(p, math.Inf(1)), math.Nextafter(p, math.Inf(-1)))
	}
	x := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(near), rapid.Float64()), 0, 40).Draw(t, "x")
	codes := make([]int8, len(x))
	missing := c.Codes(codes, x)
	if want := slices.ContainsFunc(x, math.IsNaN); missing != want {
		t.Fatalf("missing values %v, want %v", missing, want)
	}
	row := NewRowCoder()
	row.Add(&c, 1, true)
	row.Add(&c, 0, false)
	for i, v := range x {
		alone := make([]int8, 2)
		row.Codes(alone, []float64{v, v})
		for p := range points {
			want := !(v <= points[p])
			if got := codes[i] >= c.Above(points[p]); got != want {
				t.Fatalf("code %d of %v is above that of %v: %v", codes[i], v, points[p], got)
			}
			if got := alone[0] >= c.Above(points[p]); got != want {
				t.Fatalf("code %d of %v alone is above that of %v: %v", alone[0], v, points[p], got)
			}
			if got := alone[1] >= c.Above(points[p]); got != (v > points[p]) {
				t.Fatalf("code %d of %v alone, missing first, is above that of %v: %v", alone[1], v,
					points[p], got)
			}
			if c.Missing(false) >= c.Above(points[p]) || c.Missing(true) < c.Above(points[p]) {
				t.Fatalf("missing values have the codes %d and %d at split point %d of %d",
					c.Missing(false), c.Missing(true), p, len(points))
			}
		}
	}
}

// scanned is a random forest for Scan, and what it is about.
type scanned struct {
	nodes  []ScanNode
	at     []int32
	codes  []int8
	rows   int
	leaves []int
}

// randomScan samples trees with up to most leaves, whose codes are at least low.
func randomScan(t *rapid.T, most, low int) *scanned {
	columns := rapid.IntRange(1, 5).Draw(t, "columns")
	s := &scanned{at: []int32{0}, rows: rapid.IntRange(1, ScanRows).Draw(t, "rows")}
	s.codes = make([]int8, columns*ScanRows)
	seed := rapid.Uint64().Draw(t, "seed")
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	for i := range s.codes {
		s.codes[i] = int8(low + next(128-low))
	}
	var grow func(first, leaves int)
	grow = func(first, leaves int) {
		if leaves == 1 {
			return
		}
		left := 1 + next(leaves-1)
		s.nodes = append(s.nodes, ScanNode{At: uint32(next(columns) * ScanRows),
			Above: int8(low + 1 + next(127-low)), First: uint8(first), Last: uint8(first + left)})
		grow(first, left)
		grow(first+left, leaves-left)
	}
	for range rapid.IntRange(1, 4).Draw(t, "trees") {
		n := rapid.IntRange(1, most).Draw(t, "leaves")
		grow(0, n)
		s.at, s.leaves = append(s.at, int32(len(s.nodes))), append(s.leaves, n)
	}
	return s
}

// walk follows one row from node to node.
func (s *scanned) walk(tree, row int) uint8 {
	nodes := s.nodes[s.at[tree]:s.at[tree+1]]
	first, last := 0, s.leaves[tree]-1
	for i := 0; first < last; {
		n := &nodes[i]
		if s.codes[int(n.At)+row] >= n.Above {
			i += int(n.Last) - first
			first = int(n.Last)
		} else {
			i++
			last = int(n.Last) - 1
		}
	}
	return uint8(first)
}

func TestScan(t *testing.T) { EachPath(t, func(t *testing.T) { rapid.Check(t, checkScan) }) }

func FuzzScan(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkScan(t) }) }))
}

// checkScan holds the forms of Scan against a walk from node to node.
func checkScan(t *rapid.T) {
	most, low, small := MaxScanLeaves, -128, rapid.Bool().Draw(t, "small")
	if small {
		most, low = SmallLeaves, 0
	}
	s := randomScan(t, most, low)
	trees := len(s.leaves)
	got, plain := make([]uint8, trees*ScanRows), make([]uint8, trees*ScanRows)
	Scan(got, s.nodes, s.at, s.codes, s.rows, small)
	for i := range trees {
		leaf := plain[i*ScanRows:][:ScanRows]
		scanPlain(leaf, s.nodes[s.at[i]:s.at[i+1]], s.codes, s.rows)
		words := slices.Clone(leaf)
		if small {
			clear(words)
			scanWords(words, s.nodes[s.at[i]:s.at[i+1]], s.codes, s.rows)
		}
		for r := range s.rows {
			want := s.walk(i, r)
			if g := got[i*ScanRows+r]; g != want || leaf[r] != want || words[r] != want {
				t.Fatalf("row %d of %d in tree %d of %d leaves: at leaf %d, %d in plain Go, %d in "+
					"words, want %d", r, s.rows, i, s.leaves[i], g, leaf[r], words[r], want)
			}
		}
	}
}

func TestSumLeaves(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkSumLeaves) })
}

func FuzzSumLeaves(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkSumLeaves(t) }) }))
}

// checkSumLeaves holds sums against a loop over the trees of each row.
func checkSumLeaves(t *rapid.T) {
	trees := rapid.IntRange(0, 20).Draw(t, "trees")
	rows := rapid.IntRange(0, ScanRows).Draw(t, "rows")
	value := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 300, 300).Draw(t, "values")
	leaf := make([]uint8, trees*ScanRows)
	seed := rapid.Uint32().Draw(t, "seed")
	for i := range leaf {
		seed = seed*1664525 + 1013904223
		leaf[i] = uint8(seed >> 24)
	}
	at := rapid.SliceOfN(rapid.Uint32Range(0, 44), trees, trees).Draw(t, "at")
	got, want := make([]float64, ScanRows), make([]float64, ScanRows)
	for r := range got {
		got[r], want[r] = float64(r)/7, float64(r)/7
		for i := range at {
			if r < rows {
				want[r] += value[int(at[i])+int(leaf[i*ScanRows+r])]
			}
		}
	}
	SumLeaves(got, leaf, value, at, rows)
	if rows > 0 {
		alone := make([]uint8, trees)
		for i := range alone {
			alone[i] = leaf[i*ScanRows]
		}
		if sum := SumRow(0, alone, value, at); math.Float64bits(sum) != math.Float64bits(want[0]) {
			t.Fatalf("%v in %d trees, one row: %v, want %v", alone, trees, sum, want[0])
		}
	}
	for r := range got {
		if math.Float64bits(got[r]) != math.Float64bits(want[r]) {
			t.Fatalf("row %d of %d: %v, want %v", r, rows, got[r], want[r])
		}
	}
}
