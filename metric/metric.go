// Package metric owns what is reported about predictions: one file per metric, and the table of
// them. What training minimises are the losses of package loss. Text writes values of metrics for
// people.
//
// Conventions are scikit-learn's, and tests compare with it. All metrics honour observation
// weights, and sum in the order of the rows, so that the same predictions give the same bits.
//
// A Stream takes rows in blocks. What its metrics need of all rows, such as sorted scores, is in a
// scratch file beyond a bound.
package metric

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Sample is what metrics evaluate: rows with their true labels and predictions.
type Sample struct {
	Class []uint32 // classification: the true class of each row
	// regression: the true value of each row; rankings: its grade; survival: its time, or the lower
	// end of that
	Y     []float64
	Group []int64 // rankings: rows of one number are ranked together
	// survival: the upper end of each row's time, which may be +Inf; nil: see Event
	Upper []float64
	// survival: whether each row's event was observed at its time, 1, or not until then, 0; nil:
	// all were
	Event []uint8
	// regression: the level of each prediction of a row; nil: predictions are values
	Quantiles []float64
	// survival: predictions are hazards, the greater the earlier; else they are times
	Risk   bool
	Pred   []float64  // predictions, row after row: a probability for each class, or one value
	Width  int        // predictions per row: the number of classes, or of Quantiles, or 1
	Weight []float64  // observation weight of each row; nil = all 1
	Costs  data.Costs // what labels are chosen by; nil: the greatest probability
	// FirstPositive reports that of two classes the first is the positive one, to which precision
	// and recall refer; else it is the second.
	FirstPositive bool
	// the predicted class of each row where something else chose it, as a threshold does; nil:
	// Costs choose it
	Chosen []uint32
	// Compat follows XGBoost and LightGBM in rankings: a group without a row of a grade above 0
	// counts 1, and of MAP and MRR rows of equal predictions are in their worst order.
	Compat bool
	// Workers is among how many goroutines metrics of groups divide these, to the same value; 0 =
	// one
	Workers int
}

// SampleOf returns the true labels and weights of some rows of a target, and the fields beside
// them, without predictions. Of labels that are several numbers it takes the first.
func SampleOf(t *data.Target, rows []int32) *Sample {
	s := &Sample{Class: data.Pick(t.Class, rows), Weight: data.Pick(t.Weight, rows),
		Group: data.Pick(t.Group, rows), Upper: data.Pick(t.Upper, rows),
		Event: data.Pick(t.Event, rows), FirstPositive: t.Positive.First}
	if t.Class == nil {
		s.Y = data.Pick(t.Y[0], rows)
	}
	return s
}

// Rows returns the number of rows.
func (s *Sample) Rows() int {
	if s.Class != nil {
		return len(s.Class)
	}
	return len(s.Y)
}

// Check reports what makes a sample unfit for any metric: no rows, unequal lengths, classes without
// a prediction, labels, predictions or weights that are not finite, negative weights. The metrics
// themselves rely on it.
func (s *Sample) Check() error { return s.check(0) }

// check is Check of rows behind so many others, which errors count.
func (s *Sample) check(before int) error {
	n := s.Rows()
	switch {
	case s.Class != nil && s.Y != nil:
		return errors.New("labels are both classes and values")
	case n == 0:
		return errors.New("no rows to evaluate")
	case s.Width < 1 || s.Class == nil && s.Width != max(1, len(s.Quantiles)):
		return fmt.Errorf("%d predictions per row", s.Width)
	case len(s.Pred) != n*s.Width:
		return fmt.Errorf("%d predictions for %d rows of %d", len(s.Pred), n, s.Width)
	case s.Costs != nil && s.Class == nil:
		return errors.New("costs of labels for values")
	case s.Chosen != nil && (s.Class == nil || len(s.Chosen) != n):
		return fmt.Errorf("%d predicted classes for %d rows with classes", len(s.Chosen),
			len(s.Class))
	case s.Weight != nil && len(s.Weight) != n:
		return fmt.Errorf("%d weights for %d rows", len(s.Weight), n)
	}
	for _, other := range []struct {
		what string
		n    int
	}{{"groups", len(s.Group)}, {"upper ends", len(s.Upper)}, {"events", len(s.Event)}} {
		if other.n != 0 && other.n != n {
			return fmt.Errorf("%d %s for %d rows", other.n, other.what, n)
		}
	}
	if err := s.Costs.Check(s.Width); err != nil {
		return err
	}
	for _, classes := range [][]uint32{s.Class, s.Chosen} {
		for i, c := range classes {
			if int64(c) >= int64(s.Width) {
				return fmt.Errorf("row %d has class %d of %d", before+i+1, c, s.Width)
			}
		}
	}
	for i, w := range s.Weight {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return fmt.Errorf("row %d has weight %v", before+i+1, w)
		}
	}
	if i := slices.IndexFunc(s.Y, notFinite); i >= 0 {
		return fmt.Errorf("row %d has label %v", before+i+1, s.Y[i])
	}
	for i, u := range s.Upper {
		if !(u >= s.Y[i]) {
			return fmt.Errorf("row %d has a time from %v to %v", before+i+1, s.Y[i], u)
		}
	}
	if i := slices.IndexFunc(s.Pred, notFinite); i >= 0 {
		return fmt.Errorf("row %d has prediction %v", before+i/s.Width+1, s.Pred[i])
	}
	return nil
}

// unlike returns what only one of two samples has, "" if both have the same.
func (s *Sample) unlike(other *Sample) string {
	switch {
	case (s.Weight == nil) != (other.Weight == nil):
		return "weights"
	case (s.Group == nil) != (other.Group == nil):
		return "groups"
	case (s.Upper == nil) != (other.Upper == nil):
		return "upper ends"
	case (s.Event == nil) != (other.Event == nil):
		return "events"
	}
	return ""
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

func (s *Sample) weight(row int) float64 {
	if s.Weight == nil {
		return 1
	}
	return s.Weight[row]
}

// positive returns the positive one of two classes.
func (s *Sample) positive() int {
	if s.FirstPositive {
		return 0
	}
	return 1
}

// Label returns the predicted class of a row: the one that was chosen, else the one of the greatest
// probability or, with costs, of the least expected cost; of equal ones the first.
func (s *Sample) Label(row int) int {
	if s.Chosen != nil {
		return int(s.Chosen[row])
	}
	return s.Costs.Label(s.Pred[row*s.Width : (row+1)*s.Width])
}

// Undefined is the error of a metric that has no value for a sample. The metric is then left out of
// reports.
type Undefined struct {
	Metric string
	Reason string
}

func (e *Undefined) Error() string { return fmt.Sprintf("%s is undefined: %s", e.Metric, e.Reason) }

// Value is a metric's value on some sample.
type Value struct {
	Name  string
	Value float64
}

// Evaluate returns the metrics that fit a task, in the order of the table, without those that are
// undefined on the sample. If all are, the first of them is returned, too: it states why. The error
// is that of Sample.Check, or reports that the task has no metrics.
func Evaluate(task data.Task, s *Sample) (values []Value, none *Undefined, err error) {
	t, err := StreamOf(task, s)
	if err != nil {
		return nil, nil, err
	}
	return t.Values()
}

// mean is a weighted mean, summed in the order of add.
type mean struct{ sum, weight float64 }

func (m *mean) add(v, w float64) {
	m.sum += float64(v * w)
	m.weight += w
}

func (m *mean) value(metric string) (float64, error) {
	if m.weight == 0 {
		return 0, &Undefined{metric, "all weights are 0"}
	}
	return finite(metric, m.sum/m.weight)
}

// finite keeps sums that overflowed out of reports.
func finite(metric string, v float64) (float64, error) {
	if notFinite(v) {
		return 0, &Undefined{metric, "labels, predictions or weights are too large"}
	}
	return v, nil
}
