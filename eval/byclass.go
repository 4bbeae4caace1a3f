package eval

import (
	"math"

	"github.com/coppice-ml/coppice/metric"
)

// ClassReport is how well one of several classes is predicted. Rows count by their weights, and
// undefined values are nil.
type ClassReport struct {
	Class     string   `json:"class,omitempty"` // "" of means
	Rows      int      `json:"rows"`            // of the class, without weights
	Precision *float64 `json:"precision"`       // fraction of rows predicted as the class that are of it
	Recall    *float64 `json:"recall"`          // fraction of rows of the class that are predicted as it
	F1        *float64 `json:"f1"`
	AUC       *float64 `json:"auc"` // of the class against all others
}

// ClassMeans are the means over classes of their values, as scikit-learn's classification_report
// has them: macro, in which classes count alike, and weighted, in which they count by their rows.
// Undefined precision and recall count 0 there, and an undefined AUC does not count.
type ClassMeans struct {
	Macro    ClassReport `json:"macro"`
	Weighted ClassReport `json:"weighted"`
}

// classReports returns those of each class, and their means.
func classReports(names []string, values []metric.ClassValues) ([]ClassReport, *ClassMeans) {
	if values == nil {
		return nil, nil
	}
	all := make([]ClassReport, len(values))
	rows := 0
	for i, v := range values {
		all[i] = ClassReport{names[i], v.Rows, known(v.Precision), known(v.Recall), known(v.F1), known(v.AUC)}
		rows += v.Rows
	}
	means := &ClassMeans{
		Macro:    meanOf(values, func(metric.ClassValues) float64 { return 1 }),
		Weighted: meanOf(values, func(v metric.ClassValues) float64 { return v.Weight }),
	}
	means.Macro.Rows, means.Weighted.Rows = rows, rows
	return all, means
}

// meanOf returns the mean of the classes that occur or are predicted.
func meanOf(values []metric.ClassValues, weight func(metric.ClassValues) float64) ClassReport {
	var sums, weights [4]float64
	for _, v := range values {
		if math.IsNaN(v.F1) {
			continue
		}
		for i, x := range []float64{v.Precision, v.Recall, v.F1, v.AUC} {
			if math.IsNaN(x) && i < 2 {
				x = 0
			}
			if w := weight(v); !math.IsNaN(x) {
				sums[i] += float64(w * x)
				weights[i] += w
			}
		}
	}
	of := func(i int) *float64 { return known(sums[i] / weights[i]) }
	return ClassReport{Precision: of(0), Recall: of(1), F1: of(2), AUC: of(3)}
}

// known returns a value, nil if it is undefined.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
