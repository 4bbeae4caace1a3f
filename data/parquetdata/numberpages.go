package parquetdata

import (
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// appendNumbers appends the numbers of a page at once. It reports false, and appends nothing, where
// an integer is rounded, which needs a note.
func (d *decoder) appendNumbers(l *leaf, rows int) bool {
	const exact = 1 << 53 // up to here float64 has all integers
	n, b := d.values.n, d.values.b
	if l.kind == format.Int64 {
		for i := range n {
			if v := int64(binary.LittleEndian.Uint64(b[8*i:])); v < -exact || v > exact {
				return false
			}
		}
	}
	to := l.to.Extend(rows)
	found := to[:n]
	switch l.kind {
	case format.Double:
		for i := range found {
			v := math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			if v != v {
				v = math.NaN() // of one bit pattern
			}
			found[i] = v
		}
	case format.Float:
		for i := range found {
			v := float32At(uint64(binary.LittleEndian.Uint32(b[4*i:])))
			if v != v {
				v = math.NaN()
			}
			found[i] = v
		}
	case format.Int64:
		for i := range found {
			found[i] = float64(int64(binary.LittleEndian.Uint64(b[8*i:])))
		}
	case format.Int32:
		for i := range found {
			found[i] = float64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
	}
	if n < rows {
		spread(to, n, d.levels, math.NaN())
	}
	return true
}
