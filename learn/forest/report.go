package forest

import (
	"github.com/coppice-ml/coppice/tree"
)

// Report is what one tree contributes to what is told of the forest. What is told is a fold over the reports in the order of
// the trees, so that a forest that was grown in parts tells the same as one that was not.
type Report struct {
	Gain []float64 // total impurity decrease by splits on each column
}

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	Rows        int           `json:"rows"` // training rows, with multiplicity
	Criterion   string        `json:"criterion"`
	Trees       int           `json:"trees"`
	Leaves      int           `json:"leaves"` // of all trees
	Depth       int           `json:"depth"`  // of the deepest tree
	Importances []Importances `json:"importances,omitempty"`
}

// summary folds the trees and their reports.
func (j *job) summary(trees []*tree.Tree, reports []Report) *Summary {
	s := &Summary{Rows: j.rows(), Criterion: j.config.Criterion.Name, Trees: len(trees)}
	for _, t := range trees {
		s.Leaves += t.NumLeaves()
		s.Depth = max(s.Depth, t.Depth())
	}
	if j.learner.wants(impurity) {
		s.Importances = append(s.Importances, byImpurity(&j.frame.Schema, reports))
	}
	return s
}
