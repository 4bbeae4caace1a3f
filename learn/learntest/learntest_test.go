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
	for _, c := range []struct {
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
			learntest.Validation(t, newLearner)
		})
	}
}

// TestCatalog runs the suite on every learner there is; the short tier leaves out those that train
// many others.
func TestCatalog(t *testing.T) {
	for _, row := range catalog.Table() {
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
			learntest.Run(t, func() learn.Learner { return learntest.Small(row.New()) })
		})
	}
}

// TestIntegerWeights: integer weights are repeated rows, where the method counts rows nowhere. Each
// learner of the catalog has settings with which that holds, or a reason why it cannot.
func TestIntegerWeights(t *testing.T) {
	single := "prune=none min_leaf=1"
	for _, row := range catalog.Table() {
		settings := map[string]string{
			"cart": single, "gbm": "trees=9 min_leaf=1 colsample=1",
			"anyboost": "rounds=9 base=cart base.prune=none base.min_leaf=1 base.depth=2",
			"adaboost": "rounds=5", "logitboost": "rounds=5",
			"vote": "members=cart members.cart.prune=none", "c45": "prune=none", "id3": "",
			"linear": "", "logistic": "", "cox": "", "svm": "tolerance=1e-9 gamma=0.2", "bayes": "",
		}
		excepted := map[string]string{
			"forest":     "bags draw rows, whatever their weights",
			"extratrees": "a missing value takes a side by the number of rows on it", "bag": "bags draw rows", "isolation": "samples draw rows",
			"calibrate": "copies of a row may be in different folds",
			"stack":     "copies of a row may be in different folds",
			"portfolio": "copies of a row may be in different folds",
			"rules":     "description lengths are scaled to the number of rows, as those of C4.5",
			"knn":       "k counts rows", "network": "batches count rows",
		}
		t.Run(row.Name, func(t *testing.T) {
			set, known := settings[row.Name]
			if reason := excepted[row.Name]; reason != "" {
				t.Skip(reason)
			}
			if !known {
				t.Fatal("the learner has neither settings nor a reason")
			}
			learntest.RepeatedRows(t, func() learn.Learner {
				return learntest.Made(t, row.New(), strings.Fields(set)...)
			})
		})
	}
}
