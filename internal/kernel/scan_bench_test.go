package kernel

import (
	"fmt"
	"math"
	"testing"
)

// benchForest returns 500 trees of as many leaves, and the codes of a tile of 28 columns.
func benchForest(leaves int) *scanned {
	const trees, columns = 500, 28
	s := &scanned{at: []int32{0}, codes: make([]int8, columns*ScanRows)}
	seed := uint64(1)
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed >> 33 % uint64(n))
	}
	for i := range s.codes {
		s.codes[i] = int8(next(256) - 128)
	}
	var grow func(first, leaves int)
	grow = func(first, leaves int) {
		if leaves == 1 {
			return
		}
		left := 1 + next(leaves-1)
		s.nodes = append(s.nodes, ScanNode{At: uint32(next(columns) * ScanRows),
			Above: int8(next(255) - 127), First: uint8(first), Last: uint8(first + left)})
		grow(first, left)
		grow(first+left, leaves-left)
	}
	for range trees {
		grow(0, leaves)
		s.at, s.leaves = append(s.at, int32(len(s.nodes))), append(s.leaves, leaves)
	}
	return s
}

// benchPaths runs a benchmark on each path that the processor has.
func benchPaths(b *testing.B, name, unit string, units int, f func()) {
	for _, p := range Paths() {
		if p.Missing != "" {
			continue
		}
		b.Run(name+"/"+p.Name, func(b *testing.B) {
			defer p.take()()
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*units), unit)
		})
	}
}

// BenchmarkScan finds the leaves of as many rows in 500 trees.
func BenchmarkScan(b *testing.B) {
	for _, leaves := range []int{31, 255} {
		s, leaf := benchForest(leaves), make([]uint8, 16*ScanRows)
		for _, rows := range []int{32, 64, 128, 256} {
			benchPaths(b, fmt.Sprintf("leaves=%d/rows=%d", leaves, rows), "ns/tree", 500, func() {
				for t := 0; t < 500; t += 16 {
					Scan(leaf, s.nodes, s.at[t:min(t+17, 501)], s.codes, rows, false)
				}
			})
		}
	}
}

// BenchmarkScanCuts finds the leaves of a tile in 500 trees.
func BenchmarkScanCuts(b *testing.B) {
	for _, leaves := range []int{31, 63, 255} {
		s := benchForest(leaves)
		bits := make([]RowBits, len(s.codes))
		for k := 0; k < len(s.codes); k += ScanRows {
			CodeBits(bits[k:k+256], s.codes[k:], -128)
		}
		var groups []CutGroup
		var nodes [][]CutNode
		for t := 0; t < 500; {
			g, n, next := s.cutGroup(t)
			groups, nodes, t = append(groups, g), append(nodes, n), next
		}
		leaf, cuts := make([]uint8, MaxCutTrees*ScanRows), new(Cuts)
		benchPaths(b, fmt.Sprintf("few/leaves=%d", leaves), "ns/tree", 32*len(groups[0].Trees), func() {
			for i := range 32 {
				ScanCuts(leaf, groups[i].Trees, nodes[i], bits, cuts)
			}
		})
		benchPaths(b, fmt.Sprintf("leaves=%d", leaves), "ns/tree", 500, func() {
			for i := range groups {
				ScanCuts(leaf, groups[i].Trees, nodes[i], bits, cuts)
			}
		})
	}
}

// BenchmarkCodeBits makes the bits of a column of 255 split points.
func BenchmarkCodeBits(b *testing.B) {
	codes, bits := make([]int8, ScanRows), make([]RowBits, 256)
	benchPaths(b, "points=255", "ns/column", 1, func() { CodeBits(bits, codes, -128) })
}

// BenchmarkCodes computes the codes of 256 random values.
func BenchmarkCodes(b *testing.B) {
	for _, n := range []int{7, 15, 31, 63, 127, 255} {
		points, x := make([]float64, n), make([]float64, ScanRows)
		for i := range points {
			points[i] = float64(i + 1)
		}
		for i := range x {
			x[i] = math.Mod(float64(i)*math.Phi, 1) * float64(n+1)
		}
		c, codes := NewCoder(points), make([]int8, ScanRows)
		benchPaths(b, fmt.Sprintf("points=%d", n), "ns/value", ScanRows, func() { c.Codes(codes, x) })
	}
}

// BenchmarkSum adds the values of the leaves of 256 rows in 500 trees of 31, 16 at a time.
func BenchmarkSum(b *testing.B) {
	const trees = 500
	value, leaf, at := make([]float64, 32*trees), make([]uint8, 16*ScanRows), []uint32{}
	for i := range value {
		value[i] = math.Mod(float64(i)*math.Phi, 1)
	}
	for i := range leaf {
		leaf[i] = uint8(math.Mod(float64(i)*math.Phi, 1) * 31)
	}
	small, large := NewLeafTables(trees, 31), NewLeafTables(trees, 63)
	for i := range trees {
		at = append(at, uint32(32*i))
		small.Set(i, value[32*i:][:31])
		large.Set(i, value[32*i:][:31])
	}
	sum := make([]float64, ScanRows)
	benchPaths(b, "leaves", "ns/tree", trees, func() {
		for t := 0; t < trees; t += 16 {
			SumLeaves(sum, leaf, value, at[t:min(t+16, trees)], ScanRows)
		}
	})
	for name, tables := range map[string]*LeafTables{"tables of 32": small, "tables of 64": large} {
		benchPaths(b, name, "ns/tree", trees, func() {
			for t := 0; t < trees; t += 16 {
				SumTables(sum, leaf, tables, t, min(t+16, trees), ScanRows)
			}
		})
	}
	benchPaths(b, "one row", "ns/tree", trees, func() { SumRow(0, leaf, value, at) })
}

// BenchmarkRowCoder computes the codes of rows of 28 values.
func BenchmarkRowCoder(b *testing.B) {
	const columns = 28
	points, x, dst := make([]float64, 255), make([]float64, 256*columns), make([]int8, columns)
	for i := range x {
		x[i] = math.Mod(float64(i)*math.Phi, 1)
	}
	for i := range points {
		points[i] = float64(i+1) / 256
	}
	c := NewCoder(points)
	for _, p := range Paths() {
		if p.Missing != "" {
			continue
		}
		b.Run(p.Name, func(b *testing.B) {
			defer p.take()()
			r := NewRowCoder()
			for k := range columns {
				r.Add(&c, k, true)
			}
			for i := 0; b.Loop(); i++ {
				r.Codes(dst, x[i%256*columns:][:columns])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/row")
		})
	}
}

// BenchmarkLanes takes a row through 512 trees of 31 leaves, and adds up their values. Few of the
// nodes, or all, are different ones.
func BenchmarkLanes(b *testing.B) {
	const groups = 16
	for _, columns := range []int{28, 60, 120} {
		const different = groups
		nodes := make([][]LaneNodes, different)
		seed := uint64(1)
		next := func(n int) int {
			seed = seed*6364136223846793005 + 1442695040888963407
			return int(seed >> 33 % uint64(n))
		}
		all := make([]LaneNodes, different*30)
		for i := range all {
			for t := range LaneTrees {
				all[i].Column[t], all[i].Above[t] = uint8(next(columns)), int8(next(255)-127)
				all[i].First[t] = uint8(next(i%30 + 1))
				all[i].Last[t] = all[i].First[t] + uint8(next(31-i%30)) + 1
			}
		}
		for g := range nodes {
			nodes[g] = all[30*g:][:30]
		}
		value, at := make([]float64, 62*(groups+2)*LaneTrees), make([]uint32, LanePairs)
		for i := range at {
			at[i] = uint32(62 * i)
		}
		var codes [MaxLaneCodes]int8
		for k := range codes {
			codes[k] = int8(next(256) - 128)
		}
		benchPaths(b, fmt.Sprintf("single/columns=%d", columns), "ns/row", 1, func() {
			var leaf [2][LanePairs]uint8
			s := LaneSum{Leaf: &leaf[1], Value: value, At: at[:LaneTrees]}
			for g := range groups {
				AddLanes((*[LaneTrees]uint8)(leaf[g%2][:]), nodes[g%different], &codes, columns, false, &s)
				s.Leaf, s.Value = &leaf[g%2], value[62*LaneTrees*g:]
			}
		})
		rows, leaves := [LaneRows][MaxLaneCodes]int8{codes, codes}, make([]uint8, LaneTrees*ScanRows)
		benchPaths(b, fmt.Sprintf("rows/columns=%d", columns), "ns/row", LaneRows, func() {
			for g := range groups {
				ScanLaneRows(leaves, nodes[g], &rows, columns)
			}
		})
		benchPaths(b, fmt.Sprintf("levels/columns=%d", columns), "ns/row", LaneRows, func() {
			for g := range groups {
				ScanLaneLevelRows(leaves, nodes[g][:6], &rows, columns)
			}
		})
		benchPaths(b, fmt.Sprintf("pairs/columns=%d", columns), "ns/row", 1, func() {
			var leaf [2][LanePairs]uint8
			s := LaneSum{Leaf: &leaf[1], Value: value, At: at}
			for g := 0; g < groups; g += 2 {
				AddLanePairs(&leaf[g/2%2], nodes[g%different], nodes[(g+1)%different], &codes, columns, &s)
				s.Leaf, s.Value = &leaf[g/2%2], value[62*LaneTrees*g:]
			}
		})
	}
}
