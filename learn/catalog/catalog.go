// Package catalog owns the list of all learners: the one place that imports every learner's
// package.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/bayes"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/knn"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/learn/network"
	"github.com/coppice-ml/coppice/learn/portfolio"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/svm"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/param"
)

// Entry is a learner as it stands in the catalog.
type Entry struct {
	Name string
	Help string // one line: what it is
	New  func() learn.Learner
	// Aliases are the names that other tools use for it, which Find accepts too.
	Aliases []string
}

// unlike are programs whose names people type for a learner, with what to use.
var unlike = map[string]string{
	"xgboost":  "use gbm, with {compat} xgboost for the program's defaults",
	"xgb":      "use gbm, with {compat} xgboost for XGBoost's defaults",
	"lightgbm": "use gbm, with {compat} lightgbm for the program's defaults",
	"lgbm":     "use gbm, with {compat} lightgbm for LightGBM's defaults",
	"catboost": "use gbm, with {compat} catboost for the program's defaults",
	"ranger":   "use forest, whose trees have the same form",
	"rpart":    "use cart, with missing=surrogate for its surrogate splits",
}

// Default is the name of the best general learner there is.
const Default = gbm.Name

// Table returns all learners.
func Table() []Entry { return tableBy(Resolve) }

// tableBy returns the table with learners that find others by resolve.
func tableBy(resolve learn.Resolve) []Entry { return slices.Concat(grown(resolve), others()) }

// grown lists trees and what is made of them or of other learners, which are found by resolve.
func grown(resolve learn.Resolve) []Entry {
	return []Entry{
		{cart.Name, "classification and regression tree, pruned (Breiman et al. 1984)",
			func() learn.Learner { return cart.New() }, []string{"decision_tree", "tree"}},
		{forest.Name, "random forest: the mean of trees on bootstrap samples of the rows, with " +
			"feature sampling (Breiman 2001)",
			func() learn.Learner { return forest.New() }, []string{"random_forest", "rf"}},
		{forest.ExtraTrees,
			"extremely randomised trees: the mean of trees with random thresholds " +
				"(Geurts et al. 2006)",
			func() learn.Learner { return forest.NewExtraTrees() }, []string{"extra_trees"}},
		{gbm.Name, "gradient boosting: a sum of trees, each fitted to the gradient of the loss " +
			"(Friedman 2001, Chen & Guestrin 2016)",
			func() learn.Learner { return gbm.New() }, []string{"gradient_boosting", "gbdt"}},
		{anyboost.Name,
			"boosting in function space: any loss, with any learner for regression as " +
				"base (Friedman 2001, Mason et al. 1999)",
			func() learn.Learner { return anyboost.New(resolve) }, nil},
		{bag.Name, "bagging: the mean of models of any learner on samples of the rows or columns " +
			"(Breiman 1996, Ho 1998)",
			func() learn.Learner { return bag.New(resolve) }, []string{"bagging"}},
		{vote.Name, "voting: the mean, the majority or the mean rank of the predictions of " +
			"several learners or models",
			func() learn.Learner { return vote.New(resolve) }, []string{"voting"}},
		{adaboost.Name, "adaptive boosting of any learner, stumps by default: each round gives " +
			"more weight to misclassified rows (Freund & Schapire 1997)",
			func() learn.Learner { return adaboost.New(resolve) }, nil},
		{adaboost.LogitBoost, "boosting of the logistic likelihood by weighted regressions, " +
			"stumps by default (Friedman et al. 2000)",
			func() learn.Learner { return adaboost.NewLogitBoost(resolve) }, nil},
		{calibrate.Name, "calibration of any classifier: class probabilities and decision " +
			"threshold fitted to out-of-fold predictions (Platt 1999)",
			func() learn.Learner { return calibrate.New(resolve) }, []string{"calibration"}},
		{stack.Name, "stacking: several learners, combined by a meta-learner on their out-of-fold " +
			"predictions (Wolpert 1992, Breiman 1996)",
			func() learn.Learner { return stack.New(resolve) }, []string{"stacking"}},
		{portfolio.Name, "portfolio: configurations of several learners, of which greedy selection " +
			"makes an ensemble (Caruana et al. 2004)",
			func() learn.Learner { return portfolio.New(resolve) },
			[]string{"ensemble_selection", "automl"}},
		{isolation.Name, "isolation forest: scores anomalies, without a label (Liu, Ting & Zhou " +
			"2008)",
			func() learn.Learner { return isolation.New() },
			[]string{"isolation_forest", "iforest"}},
		{c45.ID3Name, "classification tree by information gain, categories only (Quinlan 1986)",
			func() learn.Learner { return c45.NewID3() }, nil},
		{c45.Name, "classification tree by gain ratio, pruned by estimated errors (Quinlan 1993)",
			func() learn.Learner { return c45.New() }, []string{"j48"}},
		{c45.RulesName, "if-then rules made from a tree, simplified and ordered (Quinlan 1993)",
			func() learn.Learner { return c45.NewRules() }, nil},
	}
}

// others lists learners without trees.
func others() []Entry {
	return []Entry{
		{knn.Name, "k nearest neighbours: the vote or the mean of the nearest training rows " +
			"(Cover & Hart 1967)",
			func() learn.Learner { return knn.New() }, []string{"nearest_neighbors"}},
		{linear.Name, "linear and ridge regression by least squares; for classes on their " +
			"indicators (Hoerl & Kennard 1970)",
			func() learn.Learner { return linear.New() }, []string{"ridge", "linear_regression"}},
		{svm.Name, "support vector machine: the largest margin, linear or with a kernel (Cortes & " +
			"Vapnik 1995)",
			func() learn.Learner { return svm.New() }, []string{"svc", "svr"}},
		{linear.LogisticName, "logistic regression for two or more classes (Berkson 1944, Cox 1958)",
			func() learn.Learner { return linear.NewLogistic() }, []string{"logistic_regression"}},
		{linear.CoxName, "linear proportional hazards, for times of events of which some are censored " +
			"(Cox 1972)",
			func() learn.Learner { return linear.NewCox() }, []string{"coxph", "proportional_hazards"}},
		{bayes.Name, "naive Bayes: for each class a normal distribution of each number and " +
			"frequencies of each category",
			func() learn.Learner { return bayes.New() }, []string{"naive_bayes"}},
		{network.Name, "neural network with one hidden layer (Rumelhart, Hinton & Williams 1986)",
			func() learn.Learner { return network.New() }, []string{"neural_network", "mlp"}},
	}
}

// names returns the names of all learners, in order.
func names() []string {
	return enum.NamesOf(Table(), func(r Entry) string { return r.Name })
}

// Find returns the entry of a name or an alias; an unknown one is an error that suggests the
// nearest.
func Find(name string) (Entry, error) {
	for _, r := range Table() {
		if r.Name == name || slices.Contains(r.Aliases, name) {
			return r, nil
		}
	}
	if advice := unlike[strings.ToLower(name)]; advice != "" {
		return Entry{}, fmt.Errorf("unknown learner %q: %s", name, option.Expand(advice))
	}
	if near := param.Nearest(name, names()); near != "" {
		return Entry{}, fmt.Errorf("unknown learner %q: did you mean %q?", name, near)
	}
	return Entry{}, fmt.Errorf("unknown learner %q: there are %s", name,
		strings.Join(names(), ", "))
}

// New returns a learner with default parameters by its name or an alias; an unknown one is the
// error of Find.
func New(name string) (learn.Learner, error) {
	_, l, err := Resolve(name)
	return l, err
}

// Resolve is the learn.Resolve of the catalog: learners that train others find them by it, as in
// bag.New(catalog.Resolve).
func Resolve(name string) (string, learn.Learner, error) {
	entry, err := Find(name)
	if err != nil {
		return "", nil, err
	}
	return entry.Name, entry.New(), nil
}

// Env returns an environment in which learners find each other by name.
func Env(workers int) learn.Env { return learn.Env{Workers: workers, Resolve: Resolve} }
