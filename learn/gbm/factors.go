package gbm

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// candidate is a choice of what was left to training.
type candidate struct {
	factor   string
	settings []string // that differ from the default; none: it is the default
	weight   float64  // of its trials, when work is allotted
	trials   []trial  // by fold
}

// folds returns on how many folds the candidate was trained: the first ones.
func (c *candidate) folds() int {
	n := 0
	for n < len(c.trials) && c.trials[n].done {
		n++
	}
	return n
}

// mostRounds returns the most rounds that the candidate was trained for.
func (c *candidate) mostRounds() int {
	most := 0
	for i := range c.trials {
		most = max(most, c.trials[i].Rounds)
	}
	return most
}

// work returns the work of the trials.
func (c *candidate) work() float64 {
	sum := 0.0
	for i := range c.trials {
		sum += c.trials[i].Work
	}
	return sum
}

// together returns the candidate with the settings of several, which are of different factors.
func together(of []*candidate) *candidate {
	both := &candidate{weight: 1}
	for _, c := range of {
		both.settings = append(both.settings, c.settings...)
		both.weight *= c.weight
	}
	return both
}

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
func factors() []func(r *rehearsal, usual *candidate) []*candidate {
	return []func(r *rehearsal, usual *candidate) []*candidate{columnSampling, categoryEncoding,
		treeSize}
}

// challengers returns the candidates that differ from the default in one factor each, by factor.
// What was given by hand is no factor.
func (r *rehearsal) challengers(usual *candidate) [][]*candidate {
	var all [][]*candidate
	for _, of := range factors() {
		if group := of(r, usual); len(group) > 0 {
			all = append(all, group)
		}
	}
	return all
}

// columnSampling offers all columns, and samples for each node instead of each tree. They are
// better where the target depends on many columns together: half of the columns do not hold all
// factors of a product.
func columnSampling(r *rehearsal, _ *candidate) []*candidate {
	l := r.plan.given
	columns := len(r.fitter.frame.Columns)
	if l.Colsample > 0 || l.ColsampleNode > 0 || l.ColsampleLevel < 1 ||
		l.ColsampleBy != ColsampleByTree || columns <= fewestColumns {
		return nil
	}
	half := max(0.5, float64(fewestColumns)/float64(columns))
	return []*candidate{
		{factor: "columns", settings: []string{"colsample=1"}, weight: 1.6},
		{factor: "columns", settings: []string{"colsample=1",
			fmt.Sprintf("colsample_node=%.4g", half)}, weight: 1.6},
	}
}

// categoryEncoding offers the ways to split categories other than the default.
func categoryEncoding(r *rehearsal, _ *candidate) []*candidate {
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
	var all []*candidate
	for _, c := range []Categories{CategoriesNative, CategoriesTarget, CategoriesOrdinal} {
		if c != r.plan.learner.Categories &&
			(c != CategoriesTarget || r.target.Task != data.Survival) {
			all = append(all, &candidate{factor: "categories",
				settings: []string{"categories=" + c.String()}, weight: 1})
		}
	}
	return all
}

// fewestLevels is the number of categories that a column has at least, if the encoding of
// categories is to make a difference.
const fewestLevels = 5

// treeSize offers smaller trees and larger ones.
func treeSize(r *rehearsal, usual *candidate) []*candidate {
	l := r.plan.given
	if l.Leaves >= 0 || l.Growth == GrowthSymmetric || l.Depth > 0 {
		return nil
	}
	return []*candidate{
		{factor: "leaves", settings: []string{"leaves=8"}, weight: 1.2},
		{factor: "leaves", settings: []string{"leaves=127"}, weight: 1.8},
	}
}
