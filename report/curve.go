package report

import (
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/metric"
)

// curve counts the rows that thresholds on the probability of a class label so: what the ROC,
// precision-recall and lift curves are made of, and the confusion table of a threshold.
type curve struct {
	Class    string  `json:"class"`
	Positive float64 `json:"positive"` // weight of the rows of the class
	Negative float64 `json:"negative"` // weight of all others
	// Thresholds ascend from 0 to 1. TP and FP are the weights of the rows of a greater
	// probability, which are of the class, or not.
	Thresholds []number  `json:"thresholds"`
	TP         []float64 `json:"tp"`
	FP         []float64 `json:"fp"`
}

// The thresholds of a curve: equal steps, and as many quantiles of the probabilities.
const (
	steps      = 100 // of two classes
	classSteps = 40  // of each of several classes
)

// curvesOf returns the curve of the positive class of two, or of each of several.
func curvesOf(s *subject) []curve {
	if at := s.positive(); at >= 0 {
		return []curve{curveOf(s.sample, s.classes()[at], at, steps)}
	}
	var all []curve
	for k, name := range s.classes() {
		all = append(all, curveOf(s.sample, name, k, classSteps))
	}
	return all
}

func curveOf(s *metric.Sample, name string, class, steps int) curve {
	type scored struct{ probability, positive, negative float64 }
	rows := make([]scored, s.Rows())
	c := curve{Class: name}
	for i, of := range s.Class {
		w := 1.0
		if s.Weight != nil {
			w = s.Weight[i]
		}
		rows[i].probability = s.Pred[i*s.Width+class]
		if int(of) == class {
			rows[i].positive = w
			c.Positive += w
		} else {
			rows[i].negative = w
			c.Negative += w
		}
	}
	slices.SortFunc(rows, func(a, b scored) int {
		switch {
		case a.probability > b.probability:
			return -1
		case a.probability < b.probability:
			return 1
		}
		return 0
	})
	var thresholds []float64
	for i := range steps + 1 {
		thresholds = append(thresholds, float64(i)/float64(steps),
			rows[i*(len(rows)-1)/steps].probability)
	}
	slices.Sort(thresholds)
	thresholds = slices.Compact(thresholds)
	// sums run from the highest probability down, so thresholds are visited backwards
	c.Thresholds = numbers(thresholds)
	c.TP, c.FP = make([]float64, len(thresholds)), make([]float64, len(thresholds))
	next, tp, fp := 0, 0.0, 0.0
	for i := len(thresholds) - 1; i >= 0; i-- {
		above := sort.Search(len(rows), func(k int) bool {
			return rows[k].probability <= thresholds[i]
		})
		for ; next < above; next++ {
			tp += rows[next].positive
			fp += rows[next].negative
		}
		c.TP[i], c.FP[i] = tp, fp
	}
	return c
}
