package metric

import "math"

// Outcomes are the weights of rows of two classes by what they are and what they are labeled: true
// and false positives, false and true negatives.
type Outcomes struct{ TP, FP, FN, TN float64 }

// addSample adds the rows of a sample of two classes.
func (o *Outcomes) addSample(s *Sample) {
	positive := s.positive()
	for i, c := range s.Class {
		o.Add(int(c) == positive, s.Label(i) == positive, s.weight(i))
	}
}

// Add puts rows of some weight among the outcomes.
func (o *Outcomes) Add(positive, labeled bool, weight float64) {
	switch {
	case positive && labeled:
		o.TP += weight
	case labeled:
		o.FP += weight
	case positive:
		o.FN += weight
	default:
		o.TN += weight
	}
}

// Recall is the fraction of the positive rows that are labeled positive; NaN without positive rows.
func (o Outcomes) Recall() float64 { return o.TP / (o.FN + o.TP) }

// Accuracy is the fraction of the rows that are labeled right; NaN without rows.
func (o Outcomes) Accuracy() float64 { return (o.TN + o.TP) / (o.TN + o.FP + o.FN + o.TP) }

// BalancedAccuracy is the mean of the recalls of both classes; NaN where one of them has no rows.
func (o Outcomes) BalancedAccuracy() float64 { return (o.TN/(o.TN+o.FP) + o.Recall()) / 2 }

// F1 is the harmonic mean of precision and recall of the positive class: 2 TP / (2 TP + FP + FN).
// It is NaN without rows that are positive or labeled so.
func (o Outcomes) F1() float64 { return 2 * o.TP / (2*o.TP + o.FP + o.FN) }

// MCC is Matthews's correlation coefficient of class and label, from -1 to 1; NaN where all rows
// are of one class or labeled as one.
func (o Outcomes) MCC() float64 {
	norm := math.Sqrt(o.TN+o.FP) * math.Sqrt(o.FN+o.TP) * math.Sqrt(o.TN+
		o.FN) * math.Sqrt(o.FP+o.TP)
	return (float64(o.TN*o.TP) - float64(o.FP*o.FN)) / norm
}
