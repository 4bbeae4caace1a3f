package metric

// newMCC is Matthews's correlation coefficient of two classes and their labels, by weight:
// scikit-learn's matthews_corrcoef. It is 0 where all rows are labeled alike, and undefined where
// all are of one class.
func newMCC(*common) sum {
	return &outcomes{metric: "mcc", of: func(o Outcomes) (float64, error) {
		switch {
		case o.TP+o.FN == 0 || o.FP+o.TN == 0:
			return 0, &Undefined{"mcc", "all rows are of one class"}
		case o.TP+o.FP == 0 || o.FN+o.TN == 0:
			return 0, nil // what is constant correlates with nothing
		}
		return o.MCC(), nil
	}}
}
