package data

import "slices"

// Relevant reports whether a metric has a value on some rows of a ranking: whether one of them is
// of a grade above 0 and weighs anything. Of other tasks it is true.
func (t *Target) Relevant(rows []int32) bool {
	return t.Task != Ranking || slices.ContainsFunc(rows, func(row int32) bool {
		return t.Y[0][row] > 0 && (t.Weight == nil || t.Weight[row] > 0)
	})
}
