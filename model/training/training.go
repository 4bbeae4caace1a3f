// Package training owns the summary of a training in one form for all learners: what reports print
// and pictures draw. Each learner stores what it found in a form of its own, as JSON in the Spec of
// its models, and describes that form by a Summary. So a report knows neither learners nor their
// forms: see catalog.Training.
package training

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/prune"
)

// Summary is what training found. What a learner does not have is zero.
type Summary struct {
	Rows       int // rows of positive weight that the model was trained on, with multiplicity
	Weightless int // rows of weight 0, which have no effect

	Criterion string // by which splits were chosen
	Pruning   string // how a tree was pruned, in words that follow its size
	Path      *Path  // the cost-complexity path of the tree before pruning

	Rounds int // of a model that was trained in rounds: how many it has
	// Members names the members of an ensemble of models, in order; nil: they have no names.
	Members []string

	Facts       []model.Fact        // lines for a report
	Tables      []model.Table       // tables below a report
	Importances []model.Importances // of the columns, of one or more kinds
	// SplitKind names what importances by splits are fractions of, which trees themselves store:
	// Impurity or Gain; "" is Impurity.
	SplitKind string
	History   *History // how the model developed; nil: training stored nothing of it
}

// The kinds of importances that are fractions of a sum over all splits.
const (
	Impurity = "impurity" // of the decrease of impurity
	Gain     = "gain"     // of the decrease of the loss that boosting minimises
)

// Path is the cost-complexity path of a tree (Breiman, Friedman, Olshen & Stone 1984, chapter 3).
type Path struct {
	Cost   string // of a subtree: error or impurity
	Method string // that chose a subtree: cv (one standard error), cv-min, ...
	Points []Point
}

// Point is one step of a cost-complexity path with its cross-validated error: of classes the
// fraction of misclassified weight, else the mean of the criterion's own loss.
type Point struct {
	prune.Step
	Error    *float64 `json:"cv_error,omitempty"` // nil: not cross-validated
	StdError *float64 `json:"cv_se,omitempty"`
	Chosen   bool     `json:"chosen,omitempty"`
}
