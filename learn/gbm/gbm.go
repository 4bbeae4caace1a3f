// Package gbm owns the learner gbm: gradient boosting (Friedman 2001) of trees that the histogram
// engine grows by the second-order gain of Chen & Guestrin (2016).
//
// Prepare puts a table in bins (prepare.go). A Fit decides the number of rounds and the learning
// rate (plan), by cross-validation if need be (package rounds; roundSearch, beside which the final
// training may begin: finalTraining), and then builds the stages of a training. Each is a type that
// owns its state; begin (fit.go) builds each from those before it:
//
//	setup         the job: parameters, loss, weights, training set and validation set
//	table         columns in bins, and those derived from categories
//	scores        raw scores of both sets                          strategies: validScores
//	ensemble      the model so far
//	supports      models of the first rows of random orders, for ordered boosting
//	rowSampler    the rows of a round
//	derivatives   first and second derivatives of the loss         stored, rowwise, output
//	grower        the trees of a round                             scalar, vector; leafValues
//	earlierRounds the rounds that a round corrects                 plainRounds, dropout
//	watch         metrics of both sets, early stopping
//
// A round passes values from stage to stage (round.go):
//
//	         raw             g, h            rows          trees            model
//	scores ------> derivatives ---> rowSampler ---> grower -------> ensemble -----> watch
//	  ^                                                |                              |
//	  +------------- leaf values x learning rate ------+            stop, or the next round
//
// Before a round, earlierRounds subtracts the trees of dropped rounds from the scores; after it, it
// adds them again with new weights.
//
// The raw scores start at the best constant of the loss, or at the user's initial scores. The
// grower fits a tree to -g/h for each output, sets the values of its leaves, and adds it to the
// scores times the learning rate. The model is the sum of the trees up to the best round. The
// random numbers of a round depend on the seed and on the round alone, so a training that resumes
// from a checkpoint (checkpoint.go) ends at the same bytes.
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
