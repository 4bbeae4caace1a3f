package eval

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
)

// TestClassReports compares with precision_recall_fscore_support (zero_division=0) and with
// roc_auc_score of each class by scikit-learn 1.2.1, which has 0 where a value is undefined. No row
// is of one of the classes.
func TestClassReports(t *testing.T) {
	s := &metric.Sample{Width: 4, Class: []uint32{0, 0, 1, 1, 1, 3}, Weight: []float64{1, 2, 1, 1, 3, 2}, Pred: []float64{
		0.7, 0.1, 0.1, 0.1,
		0.3, 0.4, 0.2, 0.1,
		0.2, 0.6, 0.1, 0.1,
		0.1, 0.5, 0.1, 0.3,
		0.4, 0.3, 0.1, 0.2,
		0.1, 0.6, 0.1, 0.2}}
	r, err := newReport(data.Multiclass, []string{"a", "b", "none", "d"}, s)
	if err != nil || len(r.Classes) != 4 {
		t.Fatalf("%v, %d classes", err, len(r.Classes))
	}
	check := func(got *ClassReport, want ClassReport) {
		t.Helper()
		if got.Class != want.Class || got.Rows != want.Rows {
			t.Errorf("got %q of %d rows, want %q of %d", got.Class, got.Rows, want.Class, want.Rows)
		}
		for i, pair := range [][2]*float64{{got.Precision, want.Precision}, {got.Recall, want.Recall}, {got.F1, want.F1}, {got.AUC, want.AUC}} {
			if (pair[0] == nil) != (pair[1] == nil) || pair[0] != nil && math.Abs(*pair[0]-*pair[1]) > 1e-15 {
				t.Errorf("%q: value %d differs", want.Class, i)
			}
		}
	}
	check(&r.Classes[0], ClassReport{"a", 2, new(0.25), new(1 / 3.0), new(2 / 7.0), new(0.7142857142857143)})
	check(&r.Classes[1], ClassReport{"b", 3, new(1 / 3.0), new(0.4), new(4 / 11.0), new(0.4)})
	check(&r.Classes[2], ClassReport{"none", 0, nil, nil, nil, nil})
	check(&r.Classes[3], ClassReport{"d", 1, nil, new(0.0), new(0.0), new(0.6875)})
	check(&r.Means.Macro, ClassReport{"", 6, new(0.19444444444444442), new(0.24444444444444446), new(0.21645021645021645), new(0.6005952380952381)})
	check(&r.Means.Weighted, ClassReport{"", 6, new(0.24166666666666664), new(0.3), new(0.2675324675324675), new(0.5517857142857142)})
}
