package kernel

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

func checkAccumulate(t *testing.T, seed uint64, rows, slots int) {
	r := rng.New(seed)
	value, dst, ends := make([]float64, 2*slots), make([]float64, 2*rows+3), make([]int32, rows)
	for i := range value {
		value[i] = math.Ldexp(r.Float64()-0.5, r.Intn(80)-40)
	}
	for i := range dst {
		dst[i] = math.Ldexp(r.Float64()-0.5, r.Intn(80)-40)
	}
	for i := range ends {
		ends[i] = int32(r.Intn(slots))
	}
	twin, scale := append([]float64(nil), dst...), r.Float64()
	AccumulatePairs(dst, ends, value, scale)
	accumulatePairsPlain(twin, ends, value, scale)
	for i, x := range dst {
		if math.Float64bits(x) != math.Float64bits(twin[i]) {
			t.Fatalf("seed %d, %d rows: number %d is %v, in plain Go %v", seed, rows, i, x, twin[i])
		}
	}
}

func TestAccumulatePairs(t *testing.T) { EachPath(t, testAccumulatePairs) }

func testAccumulatePairs(t *testing.T) {
	for seed := range uint64(100) {
		checkAccumulate(t, seed, int(seed), 1+int(seed)/3)
	}
}

func FuzzAccumulatePairs(f *testing.F) {
	f.Add(uint64(1), uint16(9), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, slots uint8) {
		EveryPath(func() { checkAccumulate(t, seed, int(rows), 1+int(slots)) })
	})
}
