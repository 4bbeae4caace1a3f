package bins

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/invariant"
)

// checked checks a matrix that was made: what growers take for granted, and cannot see.
func checked(m *Matrix) *Matrix {
	if !invariant.On {
		return m
	}
	end := 0
	for i := range m.Blocks {
		b := &m.Blocks[i]
		invariant.Check(int(b.First) == end, "block %d begins at row %d, the last one ends at %d", i,
			b.First, end)
		end += b.Rows
	}
	invariant.Check(end == len(m.Rows), "blocks have %d rows of %d", end, len(m.Rows))
	for i := range m.Columns {
		c := &m.Columns[i]
		if !c.Nominal() {
			s := c.SplitPoints
			invariant.Check(len(s) == max(0, c.Values-1) && slices.IsSorted(s) &&
				len(slices.Compact(slices.Clone(s))) == len(s), "column %d: %d bins between %v", i,
				c.Values, s)
			continue
		}
		for bin, code := range c.Code {
			invariant.Check(int(c.Level[code]) == bin, "column %d: bin %d has code %d of bin %d", i,
				bin, code, c.Level[code])
		}
	}
	return m
}
