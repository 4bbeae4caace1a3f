package metric

import (
	"cmp"
	"slices"
)

// scores are a column of predictions of two classes, to be sorted. Without weights they take 8
// bytes for each row, since then the order of the rows does not matter. With weights they take 24.
type scores struct {
	all       []float64 // of class 0 from the start, of class 1 from the end; nil: there are weights
	low, high int       // what lies between is free
	weighted  []scored
	sorted    bool
}

type scored struct {
	score  float64
	weight float64
	row    int32
	class  uint8
}

// newScores has memory for so many rows.
func newScores(rows int, weighted bool) *scores {
	if weighted {
		return &scores{weighted: make([]scored, 0, rows)}
	}
	return &scores{all: make([]float64, rows), high: rows}
}

func (t *scores) add(s *Sample, column int) {
	if t.all == nil {
		for i, c := range s.Class {
			t.weighted = append(t.weighted,
				scored{s.Pred[2*i+column], s.weight(i), int32(len(t.weighted)), uint8(c)})
		}
		return
	}
	for i, c := range s.Class {
		if v := s.Pred[2*i+column]; c == 0 {
			t.all[t.low] = v
			t.low++
		} else {
			t.high--
			t.all[t.high] = v
		}
	}
}

// eachTie calls a function for the scores, ascending or descending, with the weights of both
// classes that have the score. The sums are in the order of the rows.
func (t *scores) eachTie(descending bool, f func(tied [2]float64)) {
	of := [2][]float64{t.all[:t.low], t.all[t.high:]}
	if !t.sorted {
		t.sorted = true
		slices.Sort(of[0])
		slices.Sort(of[1])
		slices.SortFunc(t.weighted, func(a, b scored) int {
			return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.row, b.row))
		})
	}
	if t.all == nil {
		eachWeightedTie(t.weighted, descending, f)
		return
	}
	for len(of[0])+len(of[1]) > 0 {
		now := next(&of, descending)
		var tied [2]float64
		for c := range of {
			left := of[c]
			for len(left) > 0 && left[end(len(left), descending)] == now {
				left = rest(left, descending)
			}
			tied[c], of[c] = float64(len(of[c])-len(left)), left
		}
		f(tied)
	}
}

// end returns the place of the first of n, or of the last if they are taken in descending order.
func end(n int, descending bool) int {
	if descending {
		return n - 1
	}
	return 0
}

// rest returns a list without the one at that end.
func rest[T any](list []T, descending bool) []T {
	if descending {
		return list[:len(list)-1]
	}
	return list[1:]
}

// next returns the next one of the scores of two classes, of which one has some.
func next(of *[2][]float64, descending bool) float64 {
	switch {
	case len(of[0]) == 0:
		return of[1][end(len(of[1]), descending)]
	case len(of[1]) == 0:
		return of[0][end(len(of[0]), descending)]
	case descending:
		return max(of[0][len(of[0])-1], of[1][len(of[1])-1])
	}
	return min(of[0][0], of[1][0])
}

func eachWeightedTie(order []scored, descending bool, f func(tied [2]float64)) {
	for len(order) > 0 {
		now := order[end(len(order), descending)].score
		left := order
		for len(left) > 0 && left[end(len(left), descending)].score == now {
			left = rest(left, descending)
		}
		equal := order[:len(order)-len(left)]
		if descending {
			equal = order[len(left):]
		}
		var tied [2]float64
		for _, r := range equal {
			tied[r.class] += r.weight
		}
		f(tied)
		order = left
	}
}
