// Package training owns what trainings report: the Summary, one form for all learners, which
// reports print and pictures show.
//
// Each learner stores what it found in a form of its own, as JSON in the Spec of its models:
// learn.Summary. That form checks itself, by Checks, and describes itself by a Summary. So a report
// depends neither on learners nor on their forms. catalog.Training does both steps for any model:
//
//	model.Spec.Summary --> cart.Summary, forest.Summary, ... --> training.Summary --> report
//	JSON                   by the name of the learner            text, tables, figures
//
// Forms that several learners store are here too: Trained (rows), Boosting (rounds and learning
// curves), OutOfBag (out-of-bag errors), Importances.
package training

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/prune"
)

// Summary is what training found. Its Kind decides which fields a learner fills beside the facts;
// those that it does not have are zero.
//
//	Single   Facts, Tables, Members
//	Tree     Criterion, Pruning, Path
//	Bagged   Criterion, Importances, History over the members
//	Rounds   Rounds, Facts, History over the rounds
type Summary struct {
	Kind       Kind
	Rows       int // rows of positive weight that the model was trained on, with multiplicity
	Weightless int // rows of weight 0, which have no effect

	Criterion string // by which splits were chosen
	Pruning   string // how a tree was pruned, in words that follow its size
	Path      Path   // the cost-complexity path of the tree before pruning

	Rounds int // of a model that was trained in rounds: how many it has
	// Members names the members of an ensemble of models, in order; nil: they have no names.
	Members []string

	// Settings are the parameters that training chose, as NAME=VALUE.
	Settings    []string
	Brief       Brief         // how the settings were chosen, in few words
	Facts       []model.Fact  // lines for a report
	Tables      []model.Table // tables below a report
	Importances []Importances // of the columns, of one or more kinds
	Warning     *Warning      // of the order of time; nil: there is none
	// SplitKind names what importances by splits are fractions of, which trees themselves store:
	// Impurity or Gain; "" is Impurity.
	SplitKind string
	History   *History // how the model developed; nil: training stored nothing of it
	// how good the model was on rows that training itself held out; nil: there were none
	Estimate *model.Evaluation
}

// Warning is a finding of training about the table.
type Warning struct {
	Columns []string // that it is about
	Message string   // what was found, in a sentence
	Advice  string   // the remedy
}

// Kind is how a learner trains.
type Kind uint8

// The kinds.
const (
	Single Kind = iota // one fit, or members of several learners
	Tree               // one tree, which may be pruned
	Bagged             // members that are trained on samples, independently of each other
	Rounds             // members that are trained in rounds, each by the errors of those before it
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

// ImportancesOf returns the importances of a kind, nil where training stored none.
func (s *Summary) ImportancesOf(kind string) []Importance {
	for _, i := range s.Importances {
		if i.Kind == kind {
			return i.Columns
		}
	}
	return nil
}
