package learn

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
)

// CheckLabels returns an error that names the row of the first label which a criterion cannot work
// on, among the rows to train on and among those for validation, which may all be 0.
func CheckLabels(row criterion.Definition, f *data.Frame, t *data.Target, pop *grow.Population, valid []int32) error {
	if row.Check == nil {
		return nil
	}
	locate := func(err error, rows []int32) error {
		var fault *criterion.LabelError
		if errors.As(err, &fault) && fault.At >= 0 {
			return fmt.Errorf("%s: %w", f.Locate(int(rows[fault.At])), err)
		}
		return err
	}
	if err := row.Check(pop.Y); err != nil {
		return locate(err, pop.Rows)
	}
	for _, r := range valid {
		if err := row.Check([]float64{1, t.Y[0][r]}); err != nil {
			return locate(err, []int32{r, r})
		}
	}
	return nil
}

// LabelLimit is the greatest size of labels whose weighed squares a learner can add up: for n rows,
// none of which weighs more than w, half of the root of the greatest float64 over max(1, nw). Then
// the square of the weighed sum of all labels, even if one row is drawn n times, is finite, and so
// are sums of squares of their differences.
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

// CheckLabelSizes returns a *SizeError of the first label among some rows that is above a limit or
// below its negative. Classes have no size.
func CheckLabelSizes(learner string, f *data.Frame, t *data.Target, most float64, parts ...[]int32) error {
	if t.Task.Classes() {
		return nil
	}
	for _, y := range t.Y {
		for _, rows := range parts {
			for _, r := range rows {
				if !(math.Abs(y[r]) <= most) {
					return &SizeError{learner, f.Locate(int(r)), "label", y[r], most, t.Weight != nil}
				}
			}
		}
	}
	return nil
}

// CheckWeightSizes returns a *SizeError of the first weight among some rows that is above a limit.
func CheckWeightSizes(learner string, f *data.Frame, t *data.Target, most float64, rows []int32) error {
	for _, r := range rows {
		if w := t.WeightAt(r); !(w <= most) {
			return &SizeError{learner, f.Locate(int(r)), "weight", w, most, false}
		}
	}
	return nil
}

// SizeError says that a label or a weight is so large that what a learner works out would not be
// finite.
type SizeError struct {
	Learner, Where string
	What           string  // label or weight
	Value, Most    float64 // the limit is on its size
	Weighed        bool    // it is a label, and rows have weights, by which the limit may fall
}

func (e *SizeError) Error() string {
	divide := "all " + e.What + "s"
	if e.Weighed {
		divide += ", or all weights,"
	}
	return fmt.Sprintf("%s: the %s %.6g is too large for %s, whose limit on these rows is %.2g: divide %s by some number",
		e.Where, e.What, e.Value, e.Learner, e.Most, divide)
}
