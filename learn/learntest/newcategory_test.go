package learntest_test

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// newCategories lists what is trained of each learner, by its name, and what is checked. Rounding
// is the tolerance where sums of a vector's places depend on the names of the categories.
func newCategories() map[string]map[string]learntest.NewCategory {
	const rounding = 1e-6
	oneTree := learntest.NewCategory{Tree: true}
	ensemble := learntest.NewCategory{Quartiles: true}
	numbers := learntest.NewCategory{Tree: true, Equal: true, Numbers: true}
	equal := learntest.NewCategory{Tree: true, Equal: true}
	divided := learntest.NewCategory{Tree: true, Tolerance: 1e-9}
	boosted := learntest.NewCategory{Quartiles: true, Tolerance: 1e-9}
	vectors := learntest.NewCategory{Quartiles: true, Tolerance: rounding}
	return map[string]map[string]learntest.NewCategory{
		"cart": {
			"prune=none":                               oneTree,
			"prune=none min_leaf=1":                    oneTree,
			"prune=none min_leaf=1 missing=majority":   oneTree,
			"prune=none min_leaf=1 missing=surrogate":  oneTree,
			"prune=none min_leaf=1 missing=fractional": oneTree,
			"prune=none depth=1":                       oneTree,
			"prune=none depth=3":                       equal,
			"prune=none depth=4":                       numbers,
			"prune=none depth=4 missing=majority":      numbers,
			"prune=none depth=3 missing=majority":      equal,
			"prune=none depth=3 missing=surrogate":     equal,
			"prune=cv":                                 oneTree,
		},
		"forest": {
			"trees=15":                                     ensemble,
			"trees=15 missing=majority":                    ensemble,
			"trees=1 sample=none":                          oneTree,
			"trees=1 sample=none min_leaf=3":               oneTree,
			"trees=1 sample=none depth=3":                  equal,
			"trees=1 sample=none depth=4":                  numbers,
			"trees=1 sample=none depth=3 missing=majority": equal,
			// ranges of codes, whose names are information: the rule holds, other names are others
			"trees=1 sample=none subset_levels=5 level_fraction=0": {Tree: true, Ordered: true},
			"trees=1 sample=none subset_levels=5 level_fraction=0 depth=3": {Tree: true, Equal: true,
				Ordered: true},
			"trees=4": {Categories: 20}, // of which nodes sample some
		},
		"extratrees": {
			"trees=1 sample=none subset_levels=5": {Tree: true, Ordered: true},
			"trees=1 sample=none depth=3":         equal,
			"trees=1 sample=none depth=4":         numbers,
			"trees=4":                             {Categories: 20},
			"trees=15":                            ensemble,
			"trees=1 sample=none":                 oneTree,
			"trees=1 sample=none min_leaf=3":      oneTree,
		},
		"id3":        {"": divided},    // fractional rows, as the algorithm says
		"c45":        {"": divided},    // the same
		"rules":      {"": {}},         // no condition holds for a new category: the default class
		"isolation":  {"trees=15": {}}, // scores of anomalies, of which those of training are no measure
		"anyboost":   {"rounds=6": ensemble},
		"bag":        {"members=6": ensemble},
		"adaboost":   {"rounds=6 base.depth=2": ensemble},
		"logitboost": {"rounds=6": ensemble},
		"vote": {"members=forest,extratrees members.forest.trees=5 " +
			"members.extratrees.trees=5": ensemble},
		"stack": {"members=forest,extratrees folds=2 members.forest.trees=3 " +
			"members.extratrees.trees=3": ensemble},
		"portfolio": {"members=forest,knn budget=2 folds=2 members.forest.trees=3": ensemble},
		"calibrate": {"folds=2": ensemble},
		"knn":       {"": vectors},
		"linear":    {"": vectors},
		"svm":       {"": vectors},
		"logistic":  {"": vectors},
		"cox":       {"": vectors},
		"bayes":     {"": vectors},
		"network":   {"epochs=5": vectors},
		"gbm": {
			"trees=1 learning_rate=1 categories=native":     divided,
			"trees=15 learning_rate=0.3":                    boosted,
			"trees=15 learning_rate=0.3 categories=native":  boosted,
			"trees=15 learning_rate=0.3 categories=target":  boosted,
			"trees=15 learning_rate=0.3 categories=both":    boosted,
			"trees=15 learning_rate=0.3 categories=ordinal": {Quartiles: true, Ordered: true},
		},
	}
}

// TestNewCategory: every learner predicts a category that training had not by the one rule,
// whatever the categories are called.
func TestNewCategory(t *testing.T) {
	checks := newCategories()
	for _, row := range catalog.Table() {
		if checks[row.Name] == nil {
			t.Errorf("%s has no check of what it predicts for a new category", row.Name)
		}
		for settings, check := range checks[row.Name] {
			t.Run(strings.TrimSpace(row.Name+" "+settings), func(t *testing.T) {
				t.Parallel()
				newLearner := func() learn.Learner {
					return learntest.Made(t, row.New(), strings.Fields(settings)...)
				}
				check.Run(t, newLearner)
				check.Cases(t, newLearner)
			})
		}
	}
}
