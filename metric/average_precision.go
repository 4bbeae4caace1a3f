package metric

import (
	"cmp"
	"slices"
)

// AveragePrecision returns the area under the curve of precision against recall (PR-AUC) of the
// positive class, in steps: the sum, over the thresholds from the highest down, of the precision
// times the gain in recall, by weight. It is scikit-learn's average_precision_score. The area under
// straight lines between the points, which is larger, is not it.
func AveragePrecision(s *Sample) (float64, error) {
	if s.Width != 2 {
		return 0, &Undefined{"average_precision", "it needs two classes"}
	}
	order, positive := make([]scored, len(s.Class)), s.positive()
	for i := range order {
		order[i] = scored{s.Pred[2*i+positive], int32(i)}
	}
	slices.SortFunc(order, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row, b.row))
	})
	hits, all, area := 0.0, 0.0, 0.0 // weights of the positive class and of both so far
	for from := 0; from < len(order); {
		to, more := from, 0.0
		for ; to < len(order) && order[to].score == order[from].score; to++ {
			w := s.weight(int(order[to].row))
			all += w
			if int(s.Class[order[to].row]) == positive {
				more += w
			}
		}
		if hits += more; more > 0 {
			area += float64(more * (hits / all))
		}
		from = to
	}
	if hits == 0 {
		return 0, &Undefined{"average_precision", "no row is of the positive class"}
	}
	return finite("average_precision", area/hits)
}
