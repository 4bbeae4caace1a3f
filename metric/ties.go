package metric

import (
	"cmp"
	"slices"
)

// eachTie calls a function for the scores of a column of predictions, ascending or descending, with
// the weights of both classes that have the score. The sums are in the order of the rows.
//
// Without weights it holds 8 bytes for each row, the sorted scores of each class, since then the
// order of the rows does not matter. With weights it holds 16.
func (s *Sample) eachTie(column int, descending bool, f func(tied [2]float64)) {
	if s.Weight != nil {
		s.eachWeightedTie(column, descending, f)
		return
	}
	scores := make([]float64, len(s.Class))
	low, high := 0, len(scores) // of class 0 from the start, of class 1 from the end
	for i, c := range s.Class {
		if v := s.Pred[2*i+column]; c == 0 {
			scores[low] = v
			low++
		} else {
			high--
			scores[high] = v
		}
	}
	of := [2][]float64{scores[:low], scores[low:]}
	slices.Sort(of[0])
	slices.Sort(of[1])
	if descending {
		slices.Reverse(of[0])
		slices.Reverse(of[1])
	}
	for len(of[0])+len(of[1]) > 0 {
		now := first(&of, descending)
		var tied [2]float64
		for c := range of {
			n := 0
			for n < len(of[c]) && of[c][n] == now {
				n++
			}
			tied[c], of[c] = float64(n), of[c][n:]
		}
		f(tied)
	}
}

// first returns the first one of the scores of two classes, of which one has some.
func first(of *[2][]float64, descending bool) float64 {
	switch {
	case len(of[0]) == 0:
		return of[1][0]
	case len(of[1]) == 0:
		return of[0][0]
	case descending:
		return max(of[0][0], of[1][0])
	}
	return min(of[0][0], of[1][0])
}

func (s *Sample) eachWeightedTie(column int, descending bool, f func(tied [2]float64)) {
	order := make([]scored, len(s.Class))
	for i := range order {
		order[i] = scored{s.Pred[2*i+column], int32(i)}
	}
	slices.SortFunc(order, func(a, b scored) int {
		if descending {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row))
		}
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.row, b.row))
	})
	for len(order) > 0 {
		n := 0
		var tied [2]float64
		for ; n < len(order) && order[n].score == order[0].score; n++ {
			row := order[n].row
			tied[s.Class[row]] += s.weight(int(row))
		}
		f(tied)
		order = order[n:]
	}
}

type scored struct {
	score float64
	row   int32
}
