package reproductions

import (
	"context"
	"fmt"
	"slices"
)

// regressionGenerator is the appendix of regression: what is not published of the generator and of
// boosting, and how much depends on it.
var regressionGenerator = Reproduction{
	Name:  "regression-generator",
	Title: "Appendix of regression: other curves, numbers of rows and learning rates",
	Source: "lecture on ensembles, whose figures are those of single runs of a generator " +
		"that was not published",
	Slow: "1 min",
	Run: func(ctx context.Context, env *Env) (*Result, error) {
		f, err := regressionOf(ctx, regressionSize{sets: 100, rates: waveRates, others: 24,
			tried: waveGuesses(), seed: 1, workers: env.Workers})
		if err != nil {
			return nil, err
		}
		return f.appendix(), nil
	},
}

// appendix describes what other rates and generators give.
func (f *regressionFound) appendix() *Result {
	r := &Result{Text: []string{
		"With one column a forest samples none, and differs from bagged trees by the depth of " +
			"its trees alone: at depth 30 the two are the same. Boosting is `anyboost` with its " +
			"learning rate of 0.1.",
		"Boosting is the one whose risk has a least at some number of trees, and the learning " +
			"rate decides at which: 40 trees are too few at a small rate and too many at a large " +
			"one. The lecture has 40 boosted trees between bagged trees and the forest of depth " +
			"5. A table shows other rates, where it holds if both differences are above 0 by two " +
			"standard errors, and does not if one is as far below. That some rate has it shows " +
			"little, since the risk passes through every place.",
		f.guessText(),
		"A published risk that lies among our single training sets is one that the guess might " +
			"have given. That is so but for 10 and 50 trees of depth 3, which have less risk in " +
			"the lecture than on nearly all of our sets. Of other guesses, distance is the root " +
			"of the mean square of the differences from the published risks, those of boosting " +
			"left out.",
	}}
	deep, bag := f.risks[forest30].mean, f.risks[baggedTrees].mean
	apart := 0.0
	for i := range deep {
		apart = max(apart, deep[i]-bag[i], bag[i]-deep[i])
	}
	r.Findings = []Finding{{What: "in one column a forest of depth 30 is a bag of trees",
		Unpublished: true, Holds: apart < 1e-9,
		Found: fmt.Sprintf("their risks are equal at all %d numbers of trees", len(deep))}}
	r.Tables = []Numbers{f.riskTable(), f.rateTable(), f.singleTable(), f.guessTable()}
	r.Pictures = []Picture{Figure("", f.rateFigure())}
	return r
}

// riskTable shows the risk of each method at each number of trees.
func (f *regressionFound) riskTable() Numbers {
	t := Numbers{Title: fmt.Sprintf("Risk, mean of %d training sets", f.sets),
		Columns: []string{"trees"}}
	for _, trees := range waveCounts {
		t.Columns = append(t.Columns, fmt.Sprint(trees))
	}
	for _, m := range f.risks {
		cells := make([]string, len(t.Columns))
		cells[0] = m.name
		for i, trees := range m.trees {
			cells[1+slices.Index(waveCounts, trees)] = fmt.Sprintf("%.3f ± %.3f",
				m.mean[i], m.bar[i])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
