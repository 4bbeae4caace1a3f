package fitting

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// LabelLimit is the greatest size of labels whose weighed squares a learner can add up: for n rows,
// none of which weighs more than w, half of the root of the greatest float64 over max(1, nw). Then
// the square of the weighed sum of all labels, even if one row is sampled n times, is finite, and
// so are sums of squares of their differences.
func LabelLimit(t *data.Target, rows []int32) float64 {
	heaviest := 1.0
	if t.Weight != nil {
		heaviest = 0
		for _, r := range rows {
			heaviest = max(heaviest, t.Weight[r])
		}
	}
	return math.Sqrt(math.MaxFloat64) / 2 / max(1, heaviest*float64(len(rows)))
}

// CheckLabelSizes returns a *learn.LimitError of the first label among some rows that is above a
// limit or below its negative. Classes have no size.
func CheckLabelSizes(
	learner string, f *data.Frame, t *data.Target, most float64, sets ...[]int32,
) error {
	if t.Task.Classes() {
		return nil
	}
	for _, y := range t.Y {
		for _, rows := range sets {
			for _, r := range rows {
				if !(math.Abs(y[r]) <= most) {
					all := "all labels"
					if t.Weight != nil { // by which the limit falls
						all += ", or all weights,"
					}
					return tooLarge(learner, f.Locate(int(r)), "label", y[r], most, all)
				}
			}
		}
	}
	return nil
}

// CheckWeightSizes returns a *learn.LimitError of the first weight among some rows that is above a
// limit.
func CheckWeightSizes(
	learner string, f *data.Frame, t *data.Target, most float64, rows []int32,
) error {
	for _, r := range rows {
		if w := t.WeightAt(r); !(w <= most) {
			return tooLarge(learner, f.Locate(int(r)), "weight", w, most, "all weights")
		}
	}
	return nil
}

func tooLarge(learner, where, what string, value, most float64, all string) error {
	return &learn.LimitError{Learner: learner, Reason: fmt.Sprintf("%s: the %s %.6g is too large "+
		"for %s, whose limit on these rows is %.2g: divide %s by some number", where, what, value,
		learner, most, all)}
}
