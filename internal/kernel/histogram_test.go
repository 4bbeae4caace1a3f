package kernel

import (
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzHistogram compares the kernels that add rows to histograms with their plain twins, on tables
// of all shapes.
func FuzzHistogram(f *testing.F) {
	for _, seed := range []uint64{1, 2, 3, 4, 5, 6, 7, 8} {
		f.Add(seed, uint16(seed*37), uint8(seed), uint8(3*seed))
	}
	f.Add(uint64(1), uint16(263), uint8(0), uint8(15))  // no column
	f.Add(uint64(10), uint16(700), uint8(20), uint8(3)) // rows of two cache lines
	f.Add(uint64(2), uint16(900), uint8(39), uint8(4))  // and of three
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, blocks, spare uint8) {
		EveryPath(func() {
			s := rng.New(seed)
			n, k, k2 := 1+int(rows)%2000, int(blocks)%40, int(spare)%5
			if seed%4 == 0 {
				k2 = 0
			}
			layout := make([]Block, k)
			cells := 0
			limit := make([]int, k)
			for i := range layout {
				limit[i] = 1 + s.Intn(256)
				layout[i] = Block{At: uint32(cells), Step: uint32(limit[i] + s.Intn(9))}
				if seed%2 == 0 {
					layout[i].Step = EvenStep
				}
				cells += ColumnsPerBlock * int(layout[i].Step)
			}
			unused := 0
			if k > 0 {
				unused = int(rows) % ColumnsPerBlock
			}
			wide, most := make([]uint32, k2), make([]int, k2)
			for i := range wide {
				most[i] = 1 + s.Intn(3000)
				wide[i] = uint32(cells)
				cells += most[i]
			}
			stride := ColumnsPerBlock*k + 2*k2 + int(spare)%30
			codes := make([]uint8, n*stride)
			words, pairs := make([]int64, n), make([]float64, 2*n)
			var some []int32
			for r := range n {
				for j := range ColumnsPerBlock*k - unused {
					codes[r*stride+j] = uint8(s.Intn(limit[j/ColumnsPerBlock]))
				}
				for j := range k2 {
					code := s.Intn(most[j])
					codes[r*stride+ColumnsPerBlock*k+2*j], codes[r*stride+ColumnsPerBlock*k+2*j+1] = uint8(code), uint8(code>>8)
				}
				words[r] = int64(s.Uint64() >> 20)
				pairs[2*r], pairs[2*r+1] = s.Float64()-0.5, s.Float64()
				if s.Intn(3) > 0 {
					some = append(some, int32(r))
				}
			}
			packed := func(add func(*AddPacked, []int32)) []int64 {
				a := &AddPacked{Cells: make([]int64, cells), Blocks: layout, Unused: unused, Wide: wide, Codes: codes, Stride: stride, Words: words}
				add(a, some)
				for i := range unused {
					last := layout[k-1]
					a.Cells[last.At+last.Step*uint32(ColumnsPerBlock-1-i)] = 0
				}
				return a.Cells
			}
			compare := func() {
				if !slices.Equal(packed((*AddPacked).Rows), packed((*AddPacked).rows)) {
					t.Fatalf("%d of %d rows, blocks %v: other words than the plain loop", len(some), n, layout)
				}
			}
			compare()
			double := func(add func(*AddPairs, []int32)) []float64 {
				a := &AddPairs{Cells: make([]float64, 2*cells), Blocks: layout, Wide: wide, Codes: codes, Stride: stride, Pairs: pairs}
				add(a, some)
				return a.Cells
			}
			if !slices.Equal(double((*AddPairs).Rows), double((*AddPairs).rows)) {
				t.Fatalf("%d of %d rows, blocks %v: other pairs than the plain loop", len(some), n, layout)
			}
		})
	})
}

// BenchmarkAddPacked adds rows of six columns of a byte and two of two bytes, scattered like those
// of a leaf with some fraction of a million rows.
func BenchmarkAddPacked(b *testing.B) {
	const n, stride = 1_000_000, 12
	s := rng.New(1)
	values := []int{8, 13, 32, 21, 256, 256, 1, 1}
	codes, words := make([]uint8, n*stride), make([]int64, n)
	for r := range n {
		row := codes[r*stride:][:stride]
		for j, v := range values {
			row[j] = uint8(s.Intn(v))
		}
		for j := 8; j < stride; j += 2 {
			code := s.Intn(301)
			row[j], row[j+1] = uint8(code), uint8(code>>8)
		}
		words[r] = 1
	}
	even := AddPacked{Blocks: []Block{{0, EvenStep}, {4 * EvenStep, EvenStep}}, Unused: 2, Wide: []uint32{8 * EvenStep, 8*EvenStep + 312}}
	close := AddPacked{Blocks: []Block{{0, 40}, {160, EvenStep}}, Unused: 2, Wide: []uint32{160 + 4*EvenStep, 472 + 4*EvenStep}}
	for name, a := range map[string]AddPacked{"even": even, "close": close} {
		a.Codes, a.Stride, a.Words, a.Cells = codes, stride, words, make([]int64, 8*EvenStep+2*312)
		for _, oneIn := range []int{1, 4, 16, 128} {
			b.Run(fmt.Sprintf("%s/one-in-%d", name, oneIn), func(b *testing.B) {
				var some []int32
				for r := range n {
					if s.Intn(oneIn) == 0 {
						some = append(some, int32(r))
					}
				}
				for b.Loop() {
					a.Rows(some)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(some)), "ns/row")
			})
		}
	}
}

// FuzzPartition compares Part with putting the rows where they belong one by one, on codes of one
// byte and of two.
func FuzzPartition(f *testing.F) {
	for _, n := range []uint16{0, 1, 3, 4, 7, 1000} {
		f.Add(uint64(n), n, uint8(2), uint8(n))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, every, oneIn uint8) {
		EveryPath(func() {
			s := rng.New(seed)
			n := int(rows) % 5000
			narrow, wide, less := make([]uint8, n), make([]uint16, n), make([]uint16, n)
			side, sideWide, sideLess := make([]uint8, 256), make([]uint8, 3000), make([]uint8, 257+s.Intn(256))
			for _, sides := range [][]uint8{side, sideWide, sideLess} {
				for i := range sides {
					sides[i] = uint8(min(1, s.Intn(1+int(oneIn))))
				}
			}
			var some []int32
			for r := range n {
				narrow[r], wide[r], less[r] = uint8(s.Intn(256)), uint16(s.Intn(3000)), uint16(s.Intn(len(sideLess)))
				if s.Intn(1+int(every)%8) == 0 {
					some = append(some, int32(r))
				}
			}
			comparePartition(t, some, narrow, side)
			comparePartition(t, some, wide, sideWide)
			comparePartition(t, some, less, sideLess)
			if off := min(int(seed%4), n); off > 0 { // codes that do not begin on a word
				some = slices.DeleteFunc(some, func(r int32) bool { return int(r) >= n-off })
				comparePartition(t, some, narrow[off:], side)
				comparePartition(t, some, less[off:], sideLess)
			}
		})
	})
}

// TestPartitionOfScatteredRows partitions rows whose codes are at least a cache line from each
// other.
func TestPartitionOfScatteredRows(t *testing.T) { EachPath(t, testPartitionOfScatteredRows) }

func testPartitionOfScatteredRows(t *testing.T) {
	s := rng.New(5)
	narrow, wide := make([]uint8, 40_000), make([]uint16, 40_000)
	side, sideWide := make([]uint8, 256), make([]uint8, 600)
	for _, sides := range [][]uint8{side, sideWide} {
		for i := range sides {
			sides[i] = uint8(s.Intn(2))
		}
	}
	for i := range narrow {
		narrow[i], wide[i] = uint8(s.Intn(256)), uint16(s.Intn(600))
	}
	for _, distance := range []int{30, 70, 200} {
		var some []int32
		for r := s.Intn(distance); r < len(narrow); r += 1 + s.Intn(2*distance) {
			some = append(some, int32(r))
		}
		comparePartition(t, some, narrow, side)
		comparePartition(t, some, wide, sideWide)
	}
}

func comparePartition[C uint8 | uint16](t *testing.T, some []int32, codes []C, side []uint8) {
	t.Helper()
	var want [2][]int32
	for _, r := range some {
		want[side[codes[r]]] = append(want[side[codes[r]]], r)
	}
	compare := func() {
		rows := slices.Clone(some)
		first := Partition(rows, make([]int32, len(some)), codes, side)
		if !slices.Equal(rows[:first], want[0]) || !slices.Equal(rows[first:], want[1]) {
			t.Fatalf("%d rows: %v and %v", len(some), rows[:first], rows[first:])
		}
	}
	compare()
}

// BenchmarkPartition partitions rows that are scattered like those of a leaf with some fraction of
// a million rows.
func BenchmarkPartition(b *testing.B) {
	b.Run("bytes=1", func(b *testing.B) { benchmarkPartition[uint8](b, 256) })
	b.Run("bytes=2", func(b *testing.B) { benchmarkPartition[uint16](b, 300) })
}

func benchmarkPartition[C uint8 | uint16](b *testing.B, values int) {
	s := rng.New(1)
	codes, side := make([]C, 1_000_000), make([]uint8, values)
	for i := range codes {
		codes[i] = C(s.Intn(values))
	}
	for i := range side {
		side[i] = uint8(2 * i / values)
	}
	for _, oneIn := range []int{1, 16, 128} {
		b.Run(fmt.Sprintf("one-in-%d", oneIn), func(b *testing.B) {
			var some []int32
			for r := range codes {
				if s.Intn(oneIn) == 0 {
					some = append(some, int32(r))
				}
			}
			rows, spare := make([]int32, len(some)), make([]int32, len(some))
			for b.Loop() {
				copy(rows, some)
				Partition(rows, spare, codes, side)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(some)), "ns/row")
		})
	}
}
