package table

import (
	"encoding/binary"
	"math"
	"slices"
)

// Plain reports whether numbers go into the column as they are: none of them can mean a missing
// value, and none is needed as a text. Then Extend may append many.
func (c *Column) Plain() bool {
	return c.Storage == Numbers && c.Kept.Dict == nil && !c.plan.Comparing()
}

// Form is how a file stores numbers, of which the lowest byte is first.
type Form uint8

// The forms.
const (
	NoForm Form = iota // another one
	Double
	Single
	Int64
	Int32
)

// Width returns the bytes of a number.
func (f Form) Width() int { return [...]int{0, 8, 4, 8, 4}[f] }

// Extend appends n values to a plain column: first the numbers that b holds, of which there may be
// fewer, then any. It returns all of them, and the caller sets those that are not in b. A missing
// value is math.NaN(), no other NaN. It reports false, and appends nothing, where an integer is
// rounded, which needs a note.
func (c *Column) Extend(n int, b []byte, form Form) ([]float64, bool) {
	const exact = 1 << 53 // up to here float64 has all integers
	if form == Int64 {
		for i := 0; i+8 <= len(b); i += 8 {
			if v := int64(binary.LittleEndian.Uint64(b[i:])); v < -exact || v > exact {
				return nil, false
			}
		}
	}
	from := len(c.Num)
	c.Num = slices.Grow(c.Num, n)[:from+n]
	c.rows += n
	to := c.Num[from:]
	found := to[:len(b)/form.Width()]
	switch form {
	case Double:
		for i := range found {
			v := math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			if v != v {
				v = math.NaN() // of one bit pattern
			}
			found[i] = v
		}
	case Single:
		for i := range found {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
			if v != v {
				v = math.NaN()
			}
			found[i] = v
		}
	case Int64:
		for i := range found {
			found[i] = float64(int64(binary.LittleEndian.Uint64(b[8*i:])))
		}
	case Int32:
		for i := range found {
			found[i] = float64(int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
	}
	return to, true
}

// Memo is what a column stores for each of some values that repeat, such as those of a dictionary.
type Memo struct {
	storage    Storage
	known      []bool
	num        []float64
	code, kept []uint32
}

// Begin forgets all values, which are now as many and those of a column.
func (m *Memo) Begin(c *Column, values int) {
	m.storage = c.Storage
	m.known = slices.Grow(m.known[:0], values)[:values]
	clear(m.known)
	switch c.Storage {
	case Numbers:
		m.num = slices.Grow(m.num[:0], values)[:values]
	case Codes:
		m.code = slices.Grow(m.code[:0], values)[:values]
	}
	if c.Kept.Dict != nil {
		m.kept = slices.Grow(m.kept[:0], values)[:values]
	}
}

// AppendTo appends values to a column by their numbers. one appends a value that the memo does not
// have yet, by any method of the column; where the value comes again it becomes what that stored.
func (m *Memo) AppendTo(c *Column, values []uint32, one func(value uint32)) {
	for {
		values = values[m.appendKnown(c, values):]
		if len(values) == 0 {
			return
		}
		one(values[0])
		if m.storage != c.Storage { // its numbers became texts
			m.Begin(c, len(m.known))
		}
		m.learn(c, values[0])
		values = values[1:]
	}
}

// learn stores the value of the last row.
func (m *Memo) learn(c *Column, value uint32) {
	m.known[value] = true
	switch c.Storage {
	case Numbers:
		m.num[value] = c.Num[len(c.Num)-1]
	case Codes:
		m.code[value] = c.Code[len(c.Code)-1]
	}
	if c.Kept.Dict != nil {
		m.kept[value] = c.Kept.Codes[len(c.Kept.Codes)-1]
	}
}

// appendKnown appends values up to the first that is not known, and returns how many.
func (m *Memo) appendKnown(c *Column, values []uint32) int {
	n := 0
	for n < len(values) && m.known[values[n]] {
		n++
	}
	switch values := values[:n]; c.Storage {
	case Numbers:
		c.Num = appendOf(c.Num, m.num, values)
	case Codes:
		c.Code = appendOf(c.Code, m.code, values)
	}
	if c.Kept.Dict != nil {
		c.Kept.Codes = appendOf(c.Kept.Codes, m.kept, values[:n])
	}
	c.rows += n
	return n
}

// appendOf appends what a table has for some values.
func appendOf[T any](to, table []T, values []uint32) []T {
	from := len(to)
	to = slices.Grow(to, len(values))[:from+len(values)]
	for i, v := range values {
		to[from+i] = table[v]
	}
	return to
}
