package learntest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// TestValidUse: parameters decide what a validation set is used for, and learners of learners use
// it as their inner ones do.
func TestValidUse(t *testing.T) {
	for i, c := range []struct {
		name, settings, want string
	}{
		{"cart", "prune=none", ""},
		{"c45", "prune=pessimistic", ""},
		{"forest", "trees=5", ""},
		{"gbm", "trees=15 learning_rate=0.3", "early stopping"},
		{"gbm", "trees=15 early_stopping=0", "monitoring"},
		{"anyboost", "rounds=5 early_stopping=0", "monitoring"},
		{"network", "epochs=5", ""},
		{"adaboost", "rounds=3 base=cart base.depth=3 base.prune=auto", "monitoring"},
		{"calibrate", "base=cart", "pruning"},
		{"bag", "members=3 base=gbm base.trees=15 base.learning_rate=0.3", "early stopping"},
		{"vote", "members=a:cart,b:knn", "pruning"},
		{"stack", "members=a:cart,b:knn plan=blend", "fitting the meta-learner"},
		{"portfolio", "members=a:cart,b:knn budget=3", "early stopping and fitting the meta-learner"},
		{"stack", "members=a:cart,b:gbm members.b.trees=15 members.b.learning_rate=0.3",
			"pruning and early stopping"},
	} {
		t.Run(c.name+" "+c.settings, func(t *testing.T) {
			row, err := catalog.Find(c.name)
			if err != nil {
				t.Fatal(err)
			}
			newLearner := func() learn.Learner {
				l := row.New()
				if err := l.Params().Set(strings.Fields(c.settings)); err != nil {
					t.Fatal(err)
				}
				return l
			}
			if got := newLearner().Capabilities().Validation.String(); got != c.want {
				t.Errorf("the use of a validation set is %q, want %q", got, c.want)
			}
			learntest.Validation(t, i, newLearner)
		})
	}
}

// TestCatalog runs the suite on every learner there is; the short tier leaves out those that train
// many others.
func TestCatalog(t *testing.T) {
	for i, row := range catalog.Table() {
		t.Run(row.Name, func(t *testing.T) {
			if slices.Contains([]string{"portfolio", "stack", "vote", "calibrate"}, row.Name) {
				tier.NotShort(t, "trains several learners in folds, for each table")
			}
			for _, p := range row.New().Params() {
				if p.Value() != p.Default {
					t.Errorf("%s is %q at the start, its default is %q", p.Name, p.Value(),
						p.Default)
				}
			}
			learntest.Run(t, i, func() learn.Learner { return learntest.Small(row.New()) })
		})
	}
}
