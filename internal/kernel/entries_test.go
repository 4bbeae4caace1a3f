package kernel

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// randomEntries returns tables of entries of up to 9 bits, for some columns and multiples of eight
// sums.
func randomEntries(r *rng.Stream, tables, columns, eights int) *Entries {
	e := &Entries{}
	for range tables {
		width, stride := r.Intn(10), 0
		for b := range 16 {
			column, low, size := r.Intn(columns), MaxCode+1, 0
			if b < width {
				low, size = r.Intn(40), r.Intn(40)
			}
			e.Column, e.Low = append(e.Column, uint16(column)), append(e.Low, uint16(low))
			e.Width = append(e.Width, uint16(size))
		}
		t := EntryTable{From: uint32(len(e.Value))}
		for s := range eights {
			if mask := uint8(r.Intn(256)); r.Intn(2) == 0 && mask > 0 {
				count := bits.OnesCount8(mask)
				e.Steps = append(e.Steps, EntryStep{Sums: uint32(8 * s), Mask: mask,
					Count: uint8(count)})
				stride += count
				t.Steps++
			}
		}
		t.Stride = uint32(stride)
		e.Tables = append(e.Tables, t)
		for range stride << width {
			e.Value = append(e.Value, math.Ldexp(r.Float64()-0.5, r.Intn(80)-40))
		}
	}
	e.Complete()
	return e
}

func checkEntries(t *testing.T, seed uint64, tables, columns, eights int) {
	r := rng.New(seed)
	e := randomEntries(r, tables, columns, eights)
	codes := make([]uint16, columns)
	for i := range codes {
		if codes[i] = uint16(r.Intn(60)); r.Intn(8) == 0 {
			codes[i] = NoCode
		}
	}
	numbers, twins := e.Numbers(), e.Numbers()
	e.Find(numbers, codes)
	e.findPlain(twins, codes)
	if !slices.Equal(numbers, twins) {
		t.Fatalf("seed %d: entries %d, in plain Go %d", seed, numbers, twins)
	}
	sums := make([]float64, 8*eights)
	for i := range sums {
		sums[i] = r.Float64() - 0.5
	}
	twin := slices.Clone(sums)
	e.Add(sums, numbers)
	e.addPlain(twin, numbers)
	for i, x := range sums {
		if math.Float64bits(x) != math.Float64bits(twin[i]) {
			t.Fatalf("seed %d, %d tables: sum %d is %v, in plain Go %v", seed, tables, i, x,
				twin[i])
		}
	}
}

func TestEntries(t *testing.T) { EachPath(t, testEntries) }

func testEntries(t *testing.T) {
	for seed := range uint64(60) {
		checkEntries(t, seed, int(seed)/2, 1+int(seed)*3/2, 1+int(seed)%5)
	}
}

func FuzzEntries(f *testing.F) {
	f.Add(uint64(1), uint8(9), uint8(3), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, tables, columns, eights uint8) {
		EveryPath(func() {
			checkEntries(t, seed, int(tables%64), 1+int(columns), 1+int(eights%8))
		})
	})
}
