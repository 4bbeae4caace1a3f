// Package gbm owns the learner gbm: gradient boosting (Friedman 2001) of trees that the histogram
// engine grows by the second-order gain of Chen & Guestrin (2016).
//
// Of a table without further settings it chooses rounds, leaves and the loss itself:
//
//	ds, err := csvdata.ReadDataset(ctx, "sales.csv", data.Label("sales"))
//	m, err := coppice.Train(ctx, gbm.New(), ds)
//
// Counts, with rounds that a validation set ends and a column in which predictions only rise:
//
//	l := gbm.New()
//	l.Loss = loss.Choice{Name: "poisson"}
//	l.Monotone = []param.Named{{Name: "promotion", Value: 1}}
//	m, err := coppice.Train(ctx, l, train, coppice.Validation(valid))
//
// Parameters by their names, also those of other tools, as a file or a form has them:
//
//	l := gbm.New()
//	err := l.Params().Set([]string{"n_estimators=200", "learning_rate=0.05", "num_leaves=31"})
//
// The learner has the user's parameters, and makes a configuration of them once. The rooms of a
// training stand below each other, and each sees those below it alone:
//
//	gbm               parameters, presets, what excludes what; Prepare
//	internal/fit      a Fit: trainings on folds, then the final one
//	internal/rounds   decides rounds and settings by the curves of trainings, which it never sees
//	internal/boost    the stages of a training and its rounds
//	internal/table    a table in bins, with target statistics: in memory, in blocks, on ranks
//	internal/hist     grows trees on bins
//	internal/bins, internal/encode
//
// Sparse columns stay sparse: time and memory are in proportion to their stored values.
package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "gbm"

// New returns the learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{made: true}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return slices.Concat(l.roundParams(), l.treeParams(), l.columnParams(), l.categoryParams(),
		l.rowParams(), l.compatParams())
}

// Capabilities implements learn.Learner. Of a validation set early stopping chooses the number of
// rounds; without it the set is evaluated after each round, and no more. For each row and class
// there are raw scores twice, two derivatives, and predictions of the folds that choose the rounds.
func (l *Learner) Capabilities() learn.Capabilities {
	c := learn.Capabilities{
		Summary:       func() learn.Summary { return new(Summary) },
		Tasks:         []data.Task{data.Ranking, data.Survival},
		Task:          boosting.LossTask(&l.Loss),
		Metric:        l.Loss.Metric(),
		Offset:        true,
		Validation:    learn.Validation{Monitoring: true},
		Rounds:        true,
		ChoosesRounds: l.Trees == 0 && l.EarlyStopping > 0,
		Chosen:        winnerOf,
		Resume:        true,
		Blocks:        true,
		RowClassBytes: 48,
		Presets:       presets(),
		Compats:       compats(),
		Conflicts:     l.conflicts(),
	}
	if o := l.Boosting.Ordered; o != nil { // scores, derivatives and labels of supporting models
		c.RowClassBytes += int64(150 * o.Permutations)
	}
	if l.EarlyStopping > 0 {
		c.Validation = learn.Validation{EarlyStopping: true}
	}
	return c
}
