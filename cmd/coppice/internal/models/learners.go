package models

import (
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// LearnersThat names the learners of the catalog that satisfy a condition with default parameters.
func LearnersThat(do func(learn.Learner) bool) []string {
	var names []string
	for _, row := range catalog.Table() {
		if do(row.New()) {
			names = append(names, row.Name)
		}
	}
	return names
}

// LeavesRowsOut reports whether a learner with its current parameters computes out-of-bag errors.
func LeavesRowsOut(l learn.Learner) bool {
	c := l.Capabilities()
	return c.OutOfBag && c.NoneOut == nil
}

// TrainsInRounds reports whether a learner with its current parameters trains in rounds.
func TrainsInRounds(l learn.Learner) bool { return l.Capabilities().Rounds }
