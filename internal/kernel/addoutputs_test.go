package kernel

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// checkAddOutputs compares the cells of two columns, and of the first alone, with those that each
// output and column has by itself.
func checkAddOutputs(t *testing.T, seed uint64, rows, codes int) {
	r := rng.New(seed)
	var column [2][]uint8
	var words [OutputsAtOnce][]int64
	for range rows {
		for j := range column {
			column[j] = append(column[j], uint8(255-r.Intn(codes)))
		}
		for k := range words {
			words[k] = append(words[k], int64(r.Uint64())>>9)
		}
	}
	turned := make([]int64, OutputsAtOnce*rows+1)
	TurnOutputs(turned, &words)
	var got, want [2]OutputCells
	for i := range got[0] {
		got[0][i], got[1][i] = int64(i), int64(-i)
	}
	want = got
	for j := range column {
		for i, code := range column[j] {
			for k := range words {
				want[j][OutputsAtOnce*int(code)+k] += words[k][i]
			}
		}
	}
	AddOutputs(&got[0], &got[1], column[0], column[1], turned)
	for j := range got {
		if !slices.Equal(got[j][:], want[j][:]) {
			t.Fatalf("seed %d, %d rows, %d codes: other cells of column %d", seed, rows, codes, j)
		}
	}
	twin := want
	addOutputs(&twin[0], column[0], turned)
	AddOutputs(&want[0], nil, column[0], nil, turned)
	if twin != want {
		t.Fatalf("seed %d, %d rows, %d codes: other cells of one column", seed, rows, codes)
	}
}

func TestAddOutputs(t *testing.T) { EachPath(t, testAddOutputs) }

func testAddOutputs(t *testing.T) {
	for seed := range uint64(60) {
		checkAddOutputs(t, seed, int(seed), 1+int(seed*seed)%256)
	}
}

func FuzzAddOutputs(f *testing.F) {
	f.Add(uint64(1), uint16(9), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, codes uint8) {
		EveryPath(func() { checkAddOutputs(t, seed, int(rows), 1+int(codes)) })
	})
}

func BenchmarkAddOutputs(b *testing.B) {
	r := rng.New(1)
	const rows = 2048
	codes, words := [2][]uint8{make([]uint8, rows), make([]uint8, rows)}, make([]int64, 4*rows)
	for i := range rows {
		codes[0][i], codes[1][i] = uint8(r.Intn(255)), uint8(r.Intn(255))
	}
	var cells [2]OutputCells
	for b.Loop() {
		AddOutputs(&cells[0], &cells[1], codes[0], codes[1], words)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*2*rows), "ns/cell")
}
