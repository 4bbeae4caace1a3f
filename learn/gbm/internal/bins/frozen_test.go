package bins

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// Bins are the same on every machine, and stay so: another hash changes what every training prints.
func TestFrozen(t *testing.T) {
	const n = 6000
	s := rng.New(16)
	x, zeros, weight, level := normal(n, 17), make([]float64, n), make([]float64, n), make([]int, n)
	for i := range x {
		weight[i], level[i] = s.Float64(), s.Intn(20)
		if s.Intn(4) == 0 {
			zeros[i] = 1 / (s.Float64() - 0.5)
		}
	}
	f := frameOf(t, append(oneHot(level, 20), x, zeros)...)
	h := sha256.New()
	put := func(v any) {
		if err := binary.Write(h, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []Options{{Bundle: true}, {Bins: 20, MinInBin: 5}, {Bins: 1000},
		{Sample: 2000}, {Sketch: 0.03}} {
		for _, w := range [][]float64{nil, weight} {
			m, err := Make(context.Background(), f, nil, w, o, 2)
			if err != nil {
				t.Fatal(err)
			}
			put(m.Blocks[0].Packed)
			for i := range m.Columns {
				put(m.Columns[i].SplitPoints)
				put(m.Columns[i].First)
				put(m.Blocks[0].Codes[m.Columns[i].Group].Wide)
			}
		}
	}
	const want = "17eea75cd8554c613e346e8986d3902fc98441a6480b3abd4d01c78717a918f4"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}
