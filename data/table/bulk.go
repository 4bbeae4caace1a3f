package table

import "math"

// Plain reports whether numbers go into the column as they are: none of them can mean a missing
// value, and none is needed as a text. Then AppendNumbers and AppendIntegers may append many.
func (c *Column) Plain() bool {
	return c.Storage == Numbers && c.KeptDict == nil && len(c.plan.missing) == 0
}

// AppendNumbers is AppendNumber for each of some numbers, in a plain column.
func (c *Column) AppendNumbers(values []float64) {
	from := len(c.Num)
	c.Num = append(c.Num, values...)
	for i, v := range c.Num[from:] {
		if v != v {
			c.Num[from+i] = math.NaN() // of one bit pattern
		}
	}
	c.rows += len(values)
}

// AppendIntegers is AppendInteger for each of some integers, in a plain column.
func (c *Column) AppendIntegers(values []int64) {
	for i, v := range values {
		if v < -exactMantissa || v > exactMantissa {
			for _, v := range values[i:] {
				c.AppendInteger(v)
			}
			return
		}
		c.Num = append(c.Num, float64(v))
		c.rows++
	}
}
