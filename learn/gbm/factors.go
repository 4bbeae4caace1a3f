package gbm

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
)

// take sets parameters that were left to training.
func (l *Learner) take(settings []string) error {
	err := l.Params().Set(settings)
	if l.Categories == CategoriesTarget {
		l.sharePermutations()
	}
	return err
}

// settle gives parameters that were left to training their usual values for a task and a number of
// columns.
func (l *Learner) settle(task data.Task, columns int) {
	if l.Leaves < 0 {
		l.Leaves = usualLeaves
	}
	if l.ColsampleBy == ColsampleByTask && !task.Classes() && l.Colsample == 0 &&
		l.ColsampleNode == 0 && columns > fewestColumns {
		l.Colsample, l.ColsampleNode = 1, l.fractionOfColumns(columns)
	}
	if l.ColsampleNode == 0 {
		l.ColsampleNode = 1
	}
}

// factors lists what a rehearsal compares, each with its challengers.
func factors() []func(r *rehearsal) []*rounds.Candidate {
	return []func(r *rehearsal) []*rounds.Candidate{columnSampling, categoryEncoding,
		treeSize}
}

// challengers returns the candidates that differ from the default in one factor each, by factor.
// What was given by hand is no factor.
func (r *rehearsal) challengers() [][]*rounds.Candidate {
	var all [][]*rounds.Candidate
	for _, of := range factors() {
		if group := of(r); len(group) > 0 {
			all = append(all, group)
		}
	}
	return all
}

// columnSampling offers all columns, and samples for each node instead of each tree. They are
// better where the target depends on many columns together: half of the columns do not hold all
// factors of a product.
func columnSampling(r *rehearsal) []*rounds.Candidate {
	l := r.plan.given
	columns := len(r.fitter.frame.Columns)
	if l.Colsample > 0 || l.ColsampleNode > 0 || l.ColsampleLevel < 1 ||
		l.ColsampleBy != ColsampleByTree || columns <= fewestColumns {
		return nil
	}
	half := max(0.5, float64(fewestColumns)/float64(columns))
	return []*rounds.Candidate{
		{Factor: "columns", Settings: []string{"colsample=1"}, Weight: 1.6},
		{Factor: "columns", Settings: []string{"colsample=1",
			fmt.Sprintf("colsample_node=%.4g", half)}, Weight: 1.6},
	}
}

// categoryEncoding offers the ways to split categories other than the default.
func categoryEncoding(r *rehearsal) []*rounds.Candidate {
	if r.plan.given.Categories != CategoriesAuto {
		return nil
	}
	most := 0
	for i := range r.fitter.frame.Schema.Fields {
		if f := &r.fitter.frame.Schema.Fields[i]; f.Kind == data.Categorical {
			most = max(most, len(f.Levels))
		}
	}
	if most < fewestLevels {
		return nil
	}
	var all []*rounds.Candidate
	for _, c := range []Categories{CategoriesNative, CategoriesTarget, CategoriesOrdinal} {
		if c != r.plan.learner.Categories &&
			(c != CategoriesTarget || r.target.Task != data.Survival) {
			all = append(all, &rounds.Candidate{Factor: "categories",
				Settings: []string{"categories=" + c.String()}, Weight: 1})
		}
	}
	return all
}

// fewestLevels is the number of categories that a column has at least, if the encoding of
// categories is to make a difference.
const fewestLevels = 5

// treeSize offers smaller trees and larger ones.
func treeSize(r *rehearsal) []*rounds.Candidate {
	l := r.plan.given
	if l.Leaves >= 0 || l.Growth == GrowthSymmetric || l.Depth > 0 {
		return nil
	}
	return []*rounds.Candidate{
		{Factor: "leaves", Settings: []string{"leaves=8"}, Weight: 1.2},
		{Factor: "leaves", Settings: []string{"leaves=127"}, Weight: 1.8},
	}
}
