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
	Leaves      int           `json:"leaves"`                   // of all trees
	Depth       int           `json:"depth"`                    // of the deepest tree
	Settled     bool          `json:"settled,omitempty"`        // training stopped because the error out of the bag had settled
	OutOfBag    *oob.Estimate `json:"oob,omitempty"`            // nil if no row is ever out of the bag; classes are those of the largest share, whatever wrong labels cost
	Curve       *oob.Curve    `json:"oob_curve,omitempty"`      // the error over the number of trees
	Optimistic  bool          `json:"oob_optimistic,omitempty"` // that error is too low: the trees were cut back by the same rows
	Importances []Importances `json:"importances,omitempty"`
}

// summary folds the trees and their reports.
func (j *job) summary(trees []*tree.Tree, reports []Report) *Summary {
	s := &Summary{Rows: j.rows(), Criterion: j.config.Criterion.Name, Trees: len(trees)}
	for _, t := range trees {
		s.Leaves += t.NumLeaves()
		s.Depth = max(s.Depth, t.Depth())
	}
	if j.tally != nil {
		estimate, curve := j.tally.Estimate(), j.tally.Curve()
		s.OutOfBag, s.Curve, s.Optimistic = &estimate, &curve, j.learner.Prune == outOfBag
	}
	if j.learner.wants(impurity) {
		s.Importances = append(s.Importances, byImpurity(&j.frame.Schema, reports))
	}
	if j.learner.wants(permutation) {
		s.Importances = append(s.Importances, j.byPermutation(reports))
	}
	return s
}
