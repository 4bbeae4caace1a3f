package table

import "slices"

// Plain reports whether numbers go into the column as they are: none of them can mean a missing
// value, and none is needed as a text. Then Extend may append many.
func (c *Column) Plain() bool {
	return c.Storage == Numbers && c.Kept.Dict == nil && !c.plan.Comparing()
}

// Extend appends n numbers to a plain column, which the caller writes. A missing value is
// math.NaN(), no other NaN.
func (c *Column) Extend(n int) []float64 {
	from := len(c.Num)
	c.Num = slices.Grow(c.Num, n)[:from+n]
	c.rows += n
	return c.Num[from:]
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
