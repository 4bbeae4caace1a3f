package bins

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// countLevels adds how many of some rows (nil = all) have each level.
func countLevels(count []uint32, code []uint32, rows []int32) {
	if rows == nil {
		for _, v := range code {
			if v < uint32(len(count)) {
				count[v]++
			}
		}
		return
	}
	for _, r := range rows {
		if v := code[r]; v < uint32(len(count)) {
			count[v]++
		}
	}
}

// setLevels gives every level that occurs a bin, in the order of the dictionary's codes. Of more
// than MaxBins of them the most frequent have one, of equally frequent ones the first; the others
// are as if missing, and so are codes that stand for no level.
func (c *Column) setLevels(count []uint32) {
	for v, n := range count {
		if n > 0 {
			c.Code = append(c.Code, uint32(v))
		}
	}
	if len(c.Code) > MaxBins {
		slices.SortStableFunc(c.Code,
			func(a, b uint32) int { return cmp.Compare(count[b], count[a]) })
		c.Code = slices.Clone(c.Code[:MaxBins])
		slices.Sort(c.Code)
	}
	c.Values = len(c.Code)
	c.Level = make([]int32, len(count))
	for i := range c.Level {
		c.Level[i] = -1
	}
	for i, v := range c.Code {
		c.Level[v] = int32(i)
	}
}

// levelCodes sets dst[i] to the bin of code[i], that of missing values for what has no bin unless
// that is apart.
func levelCodes[T uint8 | uint16](c *Column, dst []T, code []uint32) {
	missing, none := T(c.Values), T(c.Values)
	if c.Apart {
		none++
	}
	for i, v := range code {
		b := none
		if v == data.MissingCode {
			b = missing
		}
		if v < uint32(len(c.Level)) {
			if l := c.Level[v]; l >= 0 {
				b = T(l)
			}
		}
		dst[i] = b
	}
}
