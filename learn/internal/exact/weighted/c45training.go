package weighted

import (
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// training is what C4.5 looks up in all rows of the tree.
type training struct {
	present [][]uint32 // numeric columns: the ranks that the rows have, ascending
	many    []bool     // categorical columns with so many levels that their gain means little
	allMany bool
}

// newTraining looks at the rows of the whole tree, as C4.5 does: its split points are values of the
// training table, whichever rows a node has. Columns of many categories do not enter the mean gain,
// unless there are no others, since their gain is large whatever the labels are.
func newTraining(l *lists) *training {
	c := &training{present: make([][]uint32, len(l.columns)), many: make([]bool, len(l.columns)),
		allMany: true}
	rows := float64(l.task.Pop.Copies())
	for i := range l.columns {
		switch w := &l.columns[i]; {
		case w.few.Rank != nil:
			c.present[i] = ranksOf(w.few.Rank, w.few.Values)
		case w.key != nil:
			c.present[i] = l.ranks(w.key)
		default:
			c.many[i] = !clearlyLess(float64(w.codes.Levels), float64(0.3*rows))
		}
		c.allMany = c.allMany && c.many[i]
	}
	return c
}

// ranks returns the distinct ranks among keys.
func (l *lists) ranks(key []uint32) []uint32 {
	ranks := make([]uint32, 0, len(key))
	for _, k := range key {
		if r := k >> l.task.Shift; r != l.task.MissingRank {
			ranks = append(ranks, r)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}

// ranksOf is ranks for a column of few values.
func ranksOf(few []uint8, values int) []uint32 {
	var seen [sorting.FewValues + 1]bool
	for _, k := range few {
		seen[k] = true
	}
	var ranks []uint32
	for k, is := range seen[:values] {
		if is {
			ranks = append(ranks, uint32(k))
		}
	}
	return ranks
}
