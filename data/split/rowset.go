package split

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// rowSet is a choice of rows in ascending order. All copies of a row (its multiplicity, as in a
// bootstrap sample) go to the same side. Copies on both sides of a split would let a model train on
// the rows that it is tested on.
//
//	all       3 5 5 5 8
//	distinct  3 5 8
type rowSet struct {
	all, distinct []int32
}

// newRowSet chooses rows of a target, of which those of weight 0 count as absent.
func newRowSet(t *data.Target, rows []int32) (rowSet, error) {
	rows = t.WithWeight(rows)
	if len(rows) == 0 {
		return rowSet{}, fmt.Errorf("there are no rows to split")
	}
	s := rowSet{all: rows}
	if !slices.IsSorted(rows) {
		s.all = slices.Clone(rows)
		slices.Sort(s.all)
	}
	if s.all[0] < 0 {
		return rowSet{}, fmt.Errorf("row number %d is negative", s.all[0])
	}
	s.distinct = s.all
	for i := 1; i < len(s.all); i++ {
		if s.all[i] == s.all[i-1] {
			s.distinct = slices.Compact(slices.Clone(s.all))
			break
		}
	}
	return s, nil
}

func (s *rowSet) last() int32 { return s.all[len(s.all)-1] }

// spread gives each of s.all the number of its distinct row.
func (s *rowSet) spread(numbers []int32) []int32 {
	if len(s.all) == len(s.distinct) {
		return numbers
	}
	wide := make([]int32, len(s.all))
	at := 0
	for i, row := range s.all {
		if row != s.distinct[at] {
			at++
		}
		wide[i] = numbers[at]
	}
	return wide
}
