package kernel

import (
	"bytes"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

func checkInterleave(t *testing.T, seed uint64, rows, fours, more int) {
	r := rng.New(seed)
	stride := 4*fours + more
	columns := make([][]uint8, 4*fours)
	for j := range columns {
		if r.Intn(4) == 0 {
			continue
		}
		columns[j] = make([]uint8, rows)
		for i := range columns[j] {
			columns[j][i] = uint8(r.Intn(256))
		}
	}
	dst := make([]uint8, rows*stride)
	for i := range dst {
		dst[i] = uint8(r.Intn(256))
	}
	twin := bytes.Clone(dst)
	Interleave(dst, stride, columns, rows)
	for j, c := range columns {
		if c == nil {
			columns[j] = make([]uint8, rows)
		}
	}
	interleave(twin, stride, columns, 0, rows)
	if !bytes.Equal(dst, twin) {
		t.Fatalf("seed %d, %d rows, %d columns, stride %d: got %v, byte by byte %v", seed, rows, len(columns), stride, dst, twin)
	}
}

func TestInterleave(t *testing.T) { EachPath(t, testInterleave) }

func testInterleave(t *testing.T) {
	for seed := range uint64(300) {
		checkInterleave(t, seed, int(seed*13%1200), int(seed%6), int(seed%5))
	}
}

func FuzzInterleave(f *testing.F) {
	f.Add(uint64(1), uint16(17), uint8(3), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, fours, more uint8) {
		EveryPath(func() {
			checkInterleave(t, seed, int(rows%2048), int(fours%40), int(more%16))
		})
	})
}

func BenchmarkInterleave(b *testing.B) {
	const rows, columns = 1024, 16
	all := make([][]uint8, columns)
	for j := range all {
		all[j] = make([]uint8, rows)
	}
	dst := make([]uint8, rows*columns)
	b.SetBytes(rows * columns)
	for b.Loop() {
		Interleave(dst, columns, all, rows)
	}
}
