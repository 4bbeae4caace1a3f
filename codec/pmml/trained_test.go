package pmml_test

import (
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

func trees() learn.Learner { return cart.New() }

func forests() learn.Learner {
	l := forest.New()
	l.Trees = 5
	return l
}

func boosting(loss string) func() learn.Learner {
	return func() learn.Learner {
		l := gbm.New()
		l.Trees, l.Categories, l.Loss.Name = 5, gbm.CategoriesNative, loss
		return l
	}
}

// Models of tables with missing values and categories are written, and read back with the same
// leaves and scores.
func TestTrained(t *testing.T) {
	tier.NotShort(t, "writes and reads a model of each learner")
	titanic := data.Roles{Label: "Survived", Ignore: []string{"PassengerId", "Name", "Ticket"}, Task: data.Binary}
	ames, soybean := data.Roles{Label: "Sale_Price"}, data.Roles{Label: "class"}
	bike := data.Roles{Label: "cnt", Task: data.Regression, Ignore: []string{"instant", "dteday", "casual", "registered"}}
	for _, c := range []struct {
		name, file string
		roles      data.Roles
		learner    func() learn.Learner
	}{
		{"tree", "titanic/titanic.csv", titanic, trees},
		{"forest", "titanic/titanic.csv", titanic, forests},
		{"boosted", "titanic/titanic.csv", titanic, boosting("")},
		{"tree of many classes", "soybean/soybean.csv", soybean, trees},
		{"forest of many classes", "soybean/soybean.csv", soybean, forests},
		{"boosted, many classes", "soybean/soybean.csv", soybean, boosting("")},
		{"regression tree", "ames/ames_housing.csv.gz", ames, trees},
		{"regression forest", "ames/ames_housing.csv.gz", ames, forests},
		{"boosted regression", "ames/ames_housing.csv.gz", ames, boosting("")},
		{"Poisson", "bike/hour.csv.gz", bike, boosting("poisson")},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := datatest.Read(t, c.file, c.roles)
			m, err := coppice.Train(t.Context(), c.learner(), ds, coppice.Seed(1), coppice.Workers(2))
			if err != nil {
				t.Fatal(err)
			}
			e, ok := model.AsTrees(m)
			if !ok {
				t.Fatalf("a model of type %T", m)
			}
			file, ok := encode(t, e)
			if !ok {
				t.Fatal("PMML cannot hold the model")
			}
			got, ref := readBack(t, file)
			probes := parity.Make(e, 1000)
			if _, err := parity.Written(t.Context(), e, ref, false, probes); err != nil {
				t.Error(err)
			}
			if _, err := parity.Compare(t.Context(), got, ref, false, parity.Make(got, 1000)); err != nil {
				t.Error(err)
			}
		})
	}
}
