package models

import (
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// LearnersThat names the learners of the catalog that do something, with default parameters.
func LearnersThat(do func(learn.Learner) bool) []string {
	var names []string
	for _, row := range catalog.Table() {
		if do(row.New()) {
			names = append(names, row.Name)
		}
	}
	return names
}

// LeavesRowsOut reports whether a learner reports out-of-bag errors, with the parameters as they
// are.
func LeavesRowsOut(l learn.Learner) bool {
	c := l.Capabilities()
	return c.OutOfBag && c.NoneOut == nil
}

// TrainsInRounds reports whether a learner trains in rounds, with the parameters as they are.
func TrainsInRounds(l learn.Learner) bool { return l.Capabilities().Rounds }
