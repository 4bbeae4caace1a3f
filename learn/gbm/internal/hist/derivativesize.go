package hist

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// met is what a pass over the derivatives of some rows finds.
type met struct {
	size  pair // sums of |g| and of h
	fixed kernel.Fixed
}

// scale returns the scale at which the sums of n rows stay within the limits of words. It reports
// false where there is none.
func (m *met) scale(n int) (scale, bool) {
	if !(m.size.g > 0) || !(m.size.h > 0) || math.IsInf(m.size.g, 1) || math.IsInf(m.size.h, 1) {
		return scale{}, false
	}
	rounding := float64(n)
	s := scale{powerBelow((limitG - 1 - rounding) / m.size.g),
		powerBelow((limitH - 1 - rounding) / m.size.h)}
	return s, !math.IsInf(s.perG, 1) && !math.IsInf(s.perH, 1)
}

// joinMet completes what was met in the blocks first ... end-1 by what the other ranks have met in
// the others.
func joinMet(others *exchange, found []met, first, end int) {
	var own []byte
	for i := range found[first:end] {
		own = found[first+i].append(own)
	}
	i := 0
	for _, b := range others.gather(own) {
		for ; len(b) >= metBytes && i < len(found); i++ {
			found[i].read(b)
			b = b[metBytes:]
		}
	}
	if i != len(found) {
		others.fail(fmt.Errorf("derivatives of %d blocks of rows arrived, want %d", i, len(found)))
	}
}

// metBytes is the size of what was met in a block.
const metBytes = 8 * 8

func (m *met) append(b []byte) []byte {
	for _, v := range []uint64{math.Float64bits(m.size.g), math.Float64bits(m.size.h),
		uint64(m.fixed.G), uint64(m.fixed.H), uint64(m.fixed.Least), uint64(m.fixed.Most),
		uint64(m.fixed.Rows), uint64(m.fixed.Coarse)} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func (m *met) read(b []byte) {
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	m.size = pair{math.Float64frombits(at(0)), math.Float64frombits(at(1))}
	m.fixed = kernel.Fixed{G: int64(at(2)), H: int64(at(3)), Least: int64(at(4)),
		Most: int64(at(5)), Rows: int(at(6)), Coarse: int(at(7))}
}
