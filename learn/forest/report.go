package forest

import (
	"github.com/coppice-ml/coppice/learn/oob"
	"github.com/coppice-ml/coppice/tree"
)

// Report is what one tree contributes to what is told of the forest. What is told is a fold over the reports in the order of
// the trees, so that a forest that was grown in parts tells the same as one that was not.
type Report struct {
	Gain     []float64 // total impurity decrease by splits on each column
	Out      []int32   // training rows out of its bag, by position, ascending
	Leaf     []int32   // node at which each of them ends
	Permuted []float64 // increase of the loss when a column's values, or those of a group, are permuted; nil without rows out of the bag
}

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	Rows        int           `json:"rows"` // training rows, with multiplicity
	Criterion   string        `json:"criterion"`
	Trees       int           `json:"trees"`
	Leaves      int           `json:"leaves"`        // of all trees
	Depth       int           `json:"depth"`         // of the deepest tree
	OutOfBag    *oob.Report   `json:"oob,omitempty"` // nil if no row is ever out of the bag
	Importances []Importances `json:"importances,omitempty"`
}

// summary folds the trees and their reports.
func (j *job) summary(trees []*tree.Tree, reports []Report, settled bool) *Summary {
	s := &Summary{Rows: j.rows(), Criterion: j.config.Criterion.Name, Trees: len(trees)}
	for _, t := range trees {
		s.Leaves += t.NumLeaves()
		s.Depth = max(s.Depth, t.Depth())
	}
	if j.tally != nil {
		s.OutOfBag = j.tally.Report()
		s.OutOfBag.Settled, s.OutOfBag.Optimistic = settled, j.learner.Prune == outOfBag
	}
	if j.learner.wants(impurity) {
		s.Importances = append(s.Importances, byImpurity(&j.frame.Schema, reports))
	}
	if j.learner.wants(permutation) {
		s.Importances = append(s.Importances, j.byPermutation(reports))
	}
	return s
}
