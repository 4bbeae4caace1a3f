package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model/internal/engine"
	"github.com/coppice-ml/coppice/tree"
)

// Combine is how the trees of an ensemble make one value per output.
type Combine uint8

// The ways to combine. Voting and weighted medians come with the learners that need them.
const (
	Sum  Combine = iota // bias + sum of weighted tree values
	Mean                // bias + weighted mean of the values of the trees that feed an output
	// as Mean; and the training values in the trees' leaves, pooled, have quantiles (see
	// Ensemble.Targets)
	Pool
)

// Ensemble is a model of trees: a single tree, a forest, a boosted sum, native or imported.
type Ensemble struct {
	Meta Spec
	// what the learner needs to continue with the model, for example to merge it with other shards;
	// predictions do not use it
	State  []byte
	Inputs input.Set // derived columns: feature len(Meta.Schema.Fields)+i of the trees is column i
	Trees  []*tree.Tree
	// which score each tree feeds; -1 = all of them (class counts, vectors); nil = all -1
	Output  []int32
	Combine Combine
	Weights []float64 // one per tree; nil = all 1
	Bias    []float64 // one per score; nil = 0
	Link    link.Link // from raw scores to the response; nil = identity

	// the first tree of each round of training, ascending from 0; nil = a round is one tree of each
	// output
	Rounds []int32
	Best   int     // rounds that predictions use if Options.Rounds is 0; 0 = all
	Origin *Origin // of a model of another tool; nil = of this module

	// Refused are the leaves without a prediction, ascending: predictors return a *ValueError for
	// rows that reach one of those in the rounds that they use
	Refused []Refused

	// Targets are, of a Pool, the training values that the ranks of its trees' samples are of:
	// ascending, all different. Where leaves predict the mean of their samples the response is the
	// mean of the pooled values.
	Targets []float64

	surveys engine.Surveys // of trees in a mapped file, that Bind need not visit again; or nil
}

// Spec returns the model's description.
func (e *Ensemble) Spec() *Spec { return &e.Meta }

// Outputs returns the number of classes, or of regression outputs.
func (e *Ensemble) Outputs() int {
	if e.Meta.Task.Classes() {
		return len(e.Meta.Classes)
	}
	return e.Scores()
}

// Scores returns the number of raw scores, before the link, of a row. It is Outputs, but a model of
// two classes may have one score alone: the second class's, and its probability is the link of it.
func (e *Ensemble) Scores() int {
	n := max(1, len(e.Bias))
	for i, t := range e.Trees {
		if e.OutputOf(i) < 0 {
			n = max(n, t.Leaf.Width)
		} else {
			n = max(n, int(e.OutputOf(i))+1)
		}
	}
	return n
}

// Responder returns the function that makes a row's response, Outputs numbers, of its raw scores,
// Scores numbers: the link of them, and of two classes with one score the fractions of both. The
// two slices may be one where they are as long.
func (e *Ensemble) Responder() func(dst, raw []float64) { return responseOf(e).function() }

// OutputOf returns the score that a tree feeds, -1 for all of them.
func (e *Ensemble) OutputOf(tree int) int32 {
	if e.Output == nil {
		return -1
	}
	return e.Output[tree]
}

// WeightOf returns the number that a tree's values are multiplied by, 1 where there are no weights.
func (e *Ensemble) WeightOf(tree int) float64 {
	if e.Weights == nil {
		return 1
	}
	return e.Weights[tree]
}

// Divisors returns what the weighted sum of each score is divided by before its start value is
// added: the sum of the weights of its trees, 1 if that is 0. It is nil if trees are summed.
func (e *Ensemble) Divisors() []float64 {
	d := e.weightSums()
	for k, sum := range d {
		if sum == 0 {
			d[k] = 1
		}
	}
	return d
}

// weightSums returns the sum of the weights of each score's trees, nil if trees are summed.
func (e *Ensemble) weightSums() []float64 {
	if e.Combine == Sum {
		return nil
	}
	d := make([]float64, e.Scores())
	for i := range e.Trees {
		w, o := e.WeightOf(i), e.OutputOf(i)
		for k := range d {
			if o < 0 || int(o) == k {
				d[k] += w
			}
		}
	}
	return d
}

// Validate checks that trees, outputs, weights, bias and schema fit together, and every tree.
// Codecs call it on what they read.
func (e *Ensemble) Validate() error { return e.validate(false) }

// ValidateMapped is Validate, and keeps for Bind what it found in trees that lie in a mapped file,
// because nothing can change their nodes. Nothing else may use the ensemble meanwhile.
func (e *Ensemble) ValidateMapped() error { return e.validate(true) }

func (e *Ensemble) validate(keep bool) error {
	if err := e.Meta.Validate(); err != nil {
		return err
	}
	if e.Combine > Pool {
		return fmt.Errorf("unknown way %d to combine trees", e.Combine)
	}
	if e.Output != nil && len(e.Output) != len(e.Trees) ||
		e.Weights != nil && len(e.Weights) != len(e.Trees) {
		return errors.New("outputs or weights do not fit the trees")
	}
	for i, t := range e.Trees {
		if t == nil {
			return fmt.Errorf("tree %d is nil", i)
		}
		// An output far beyond the trees would make a predictor allocate for outputs that nothing
		// feeds.
		if o := e.OutputOf(i); o < -1 ||
			int(o) >= max(len(e.Trees), len(e.Bias), len(e.Meta.Classes)) {
			return fmt.Errorf("tree %d feeds output %d in a model of %d trees", i, o, len(e.Trees))
		}
	}
	scores := responseOf(e).scores
	if e.Bias != nil && len(e.Bias) != scores {
		return fmt.Errorf("%d start values for %d outputs", len(e.Bias), scores)
	}
	if q := e.Meta.Quantiles; q != nil && len(q) != scores {
		return fmt.Errorf("%d quantiles for %d outputs", len(q), scores)
	}
	if e.Meta.Task == data.Anomaly && scores != 1 {
		return fmt.Errorf("%d outputs of a model of anomalies, want one score", scores)
	}
	if !finite(e.Weights) || !finite(e.Bias) {
		return errors.New("a weight or start value is not finite")
	}
	if err := e.validateMean(); err != nil {
		return err
	}
	if err := e.Inputs.Validate(e.Meta.Schema.Fields); err != nil {
		return err
	}
	if err := validateTrees(e, scores, keep); err != nil {
		return err
	}
	if err := validateOrigin(e); err != nil {
		return err
	}
	if err := e.validateRefused(); err != nil {
		return err
	}
	return validatePool(e)
}

// validateMean checks that the weights of a mean can be divided by. A pool has a check of its own.
func (e *Ensemble) validateMean() error {
	if e.Combine != Mean {
		return nil
	}
	for k, sum := range e.weightSums() {
		if sum == 0 || math.IsInf(sum, 0) {
			return fmt.Errorf("the trees of output %d have weight %g: no mean has that", k, sum)
		}
	}
	return nil
}

func finite(s []float64) bool {
	for _, x := range s {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
