package kernel

import "math"

// RowCoder computes the codes of the values of one row, each by the Coder of its column.
type RowCoder struct {
	slots []codedSlot
	keys  []uint64
}

// codedSlot is a code of the row.
type codedSlot struct {
	column  uint32 // the position of the value
	at      uint32 // where the keys of its Coder begin
	steps   uint32
	bias    int8 // what makes a code of a word's number
	missing int8 // the code of a missing value
	_       [2]uint8
}

// NewRowCoder returns a RowCoder without codes.
func NewRowCoder() *RowCoder { return &RowCoder{} }

// Add appends a code: that of the value at a position of rows, whose missing values go first or
// last.
func (r *RowCoder) Add(c *Coder, column int, last bool) {
	r.slots = append(r.slots, codedSlot{column: uint32(column), at: uint32(len(r.keys)),
		steps: uint32(c.steps), bias: int8(int(c.first) - len(c.keys)), missing: c.Missing(last)})
	r.keys = append(r.keys, c.keys...)
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
