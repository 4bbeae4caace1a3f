package kernel

import (
	"math"
	"slices"
)

// RowCoder computes the codes of the values of one row, each by the Coder of its column.
type RowCoder struct {
	slots []codedSlot
	keys  []uint64
	// where permutes is true: for each slot the keys 15, 31, 47 and so on, pivots of them, and then
	// all keys, ascending
	sorted []uint64
}

// pivots is the number of keys in a vector of them, and of such vectors of a slot.
const pivots = 16

// codedSlot is a code of the row.
type codedSlot struct {
	column  uint32 // the position of the value
	at      uint32 // where the keys of its Coder begin
	steps   uint32
	bias    int8 // what makes a code of a word's number
	missing int8 // the code of a missing value
	first   int8 // the least code
	_       uint8
	pivots  uint32 // where those of the slot begin
}

// NewRowCoder returns a RowCoder without codes.
func NewRowCoder() *RowCoder { return &RowCoder{} }

// Add appends a code: that of the value at a position of rows, whose missing values go first or
// last.
func (r *RowCoder) Add(c *Coder, column int, last bool) {
	r.slots = append(r.slots, codedSlot{column: uint32(column), at: uint32(len(r.keys)),
		steps: uint32(c.steps), bias: int8(int(c.first) - len(c.keys)),
		missing: c.Missing(last), first: c.first,
		pivots: uint32(len(r.sorted))})
	r.keys = append(r.keys, c.keys...)
	if permutes {
		r.sort(c)
	}
}

// sort appends the keys of a Coder to sorted.
func (r *RowCoder) sort(c *Coder) {
	keys := make([]uint64, pivots, pivots+len(c.keys)+pivots)
	keys = append(keys, slices.Sorted(slices.Values(c.keys[1:]))...)
	for len(keys)%pivots > 0 {
		keys = append(keys, math.MaxUint64)
	}
	for i := range pivots {
		if keys[i] = math.MaxUint64; pivots*(i+1) < len(keys)-pivots {
			keys[i] = keys[pivots+pivots*i+pivots-1]
		}
	}
	r.sorted = append(r.sorted, keys...)
}

// Codes writes the codes of a row, and reports whether the value of any is missing.
func (r *RowCoder) Codes(dst []int8, row []float64) (missing bool) {
	if len(r.slots) == 0 {
		return false
	}
	dst = dst[:len(r.slots)]
	return r.codes(dst, row)
}

// codesPlain is the twin of the assembly.
func (r *RowCoder) codesPlain(dst []int8, row []float64) (missing bool) {
	for i := range r.slots {
		s := &r.slots[i]
		x := row[s.column]
		if math.IsNaN(x) {
			missing = true
			dst[i] = s.missing
			continue
		}
		key, n := orderedKey(x), 1
		keys := r.keys[s.at:]
		for range s.steps {
			n = 2*n + int(one(keys[n] < key))
		}
		dst[i] = int8(n) + s.bias
	}
	return missing
}
