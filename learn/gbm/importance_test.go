package gbm_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// TestImportanceOnTitanic: by gain Embarked has a third of Sex and more, mostly in combinations;
// permuting it changes nothing.
func TestImportanceOnTitanic(t *testing.T) {
	ds := datatest.Read(t, "titanic/titanic.csv",
		data.Roles{Label: "Survived", Ignore: []string{"PassengerId", "Name"}})
	all := data.AllRows(ds.Rows())
	once := split.HoldOut{Kind: split.Stratified, Seed: 1, Test: 0.3}
	train, _, test, err := once.Sets(&ds.Target, all)
	if err != nil {
		t.Fatal(err)
	}
	l := gbm.New()
	if err := l.Params().Set([]string{"trees=60"}); err != nil {
		t.Fatal(err)
	}
	f, err := l.Prepare(context.Background(), ds.Frame, train, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Rows: train, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	gains, err := explain.Impurity(m.(*model.Ensemble))
	if err != nil {
		t.Fatal(err)
	}
	alone, within, total := 0.0, 0.0, 0.0
	for _, g := range gains {
		total += g.Value
		switch {
		case g.Feature == "Embarked":
			alone = g.Value
		case strings.Contains(g.Feature, "Embarked"):
			if len(g.Columns) < 2 {
				t.Errorf("%+v", g)
			}
			within += g.Value
		}
	}
	if math.Abs(total-1) > 1e-9 || within < alone || alone+within < 0.1 {
		t.Errorf("Embarked has %g of the gain alone and %g in combinations, of %g", alone, within,
			total)
	}
	got, err := explain.Permutation(context.Background(), m, ds, test,
		explain.PermutationOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	drops := map[string]float64{}
	for _, c := range got.Columns {
		drops[c.Name] = c.Drop
	}
	embarked, sex := drops["Embarked"], drops["Sex"]
	if math.Abs(embarked) > 0.01 || sex < 0.1 || got.Columns[0].Name != "Sex" {
		t.Errorf("Embarked drops the AUC by %g, Sex by %g", embarked, sex)
	}
}
