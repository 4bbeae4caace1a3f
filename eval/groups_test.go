package eval_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn/knn"
)

// TestFoldsOfCopies: the 200 groups of a table are three equal rows with one label of no relation
// to them. Whatever the plan, no model has a copy of a row that it is tested on, so that it is no
// better than chance: a nearest neighbour would find it.
func TestFoldsOfCopies(t *testing.T) {
	roles := data.Roles{Label: "y", Group: "grp", Task: data.Binary}
	f, err := csvdata.Open(csvdata.Options{}, "testdata/groups.csv").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ds, err := roles.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []split.Kind{split.Auto, split.Random, split.Stratified,
		split.Grouped, split.LeaveOneOut} {
		cv, err := eval.CrossValidate(t.Context(), knn.New(), ds, &split.Plan{Kind: kind, K: 10},
			eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if auc, ok := cv.Pooled.Metrics.Get("auc"); !ok || auc > 0.6 {
			t.Errorf("%s: the pooled AUC is %g", kind, auc)
		}
	}
}
