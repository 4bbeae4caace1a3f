package metric

import (
	"cmp"
	"slices"
)

// AveragePrecision returns the mean precision over the rows of the second class: of each, the share of that class among the
// rows that score no less, by weight. It is scikit-learn's average_precision_score, the area under the curve of precision
// against recall in steps.
func AveragePrecision(s *Sample) (float64, error) {
	if s.Width != 2 {
		return 0, &Undefined{"average_precision", "it needs two classes"}
	}
	order := make([]scored, len(s.Class))
	for i := range order {
		order[i] = scored{s.Pred[2*i+1], int32(i)}
	}
	slices.SortFunc(order, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row))
	})
	hits, all, area := 0.0, 0.0, 0.0 // weights of the second class and of both so far
	for from := 0; from < len(order); {
		to, more := from, 0.0
		for ; to < len(order) && order[to].score == order[from].score; to++ {
			w := s.weight(int(order[to].row))
			all += w
			if s.Class[order[to].row] == 1 {
				more += w
			}
		}
		if hits += more; more > 0 {
			area += float64(more * (hits / all))
		}
		from = to
	}
	if hits == 0 {
		return 0, &Undefined{"average_precision", "no row is of the second class"}
	}
	return finite("average_precision", area/hits)
}
