package metric

import (
	"cmp"
	"slices"
)

// AUC returns the area under the ROC curve of two classes: the probability that a random row of the
// positive class has a higher probability of it than a random row of the other class, equal ones
// counting half. Rows are sampled by weight. It is the rank statistic of Mann and Whitney, and the
// area under scikit-learn's ROC curve of trapezes. Which class is the positive one does not change
// it.
func AUC(s *Sample) (float64, error) {
	if s.Width != 2 {
		return 0, &Undefined{"auc", "it needs two classes"}
	}
	order := make([]scored, len(s.Class))
	for i := range order {
		order[i] = scored{s.Pred[2*i+1], int32(i)}
	}
	slices.SortFunc(order, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.row, b.row))
	})
	// weight[c] is the weight of class c so far, that is of lower scores; area counts pairs in the
	// right order.
	var weight [2]float64
	area := 0.0
	for from := 0; from < len(order); {
		to := from
		var tied [2]float64
		for ; to < len(order) && order[to].score == order[from].score; to++ {
			row := order[to].row
			tied[s.Class[row]] += s.weight(int(row))
		}
		area += float64(tied[1] * (weight[0] + float64(tied[0]/2)))
		weight[0] += tied[0]
		weight[1] += tied[1]
		from = to
	}
	if weight[0] == 0 || weight[1] == 0 {
		return 0, &Undefined{"auc", "all rows are of one class"}
	}
	return finite("auc", area/weight[0]/weight[1])
}

type scored struct {
	score float64
	row   int32
}
