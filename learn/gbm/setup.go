package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/memory"
	report "github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/ranks"
)

// Purposes of random numbers. A seed means the same for ever, so they never change.
const (
	purposeTree       = iota + 1 // columns and thresholds of a tree: with round and output
	purposeRows                  // rows of a round
	purposeValid                 // the validation set
	purposeDrop                  // rounds that dropout removes
	purposeStatistics            // orders of the rows that target statistics are computed by
	purposeFold                  // folds that choose the number of rounds, and their trainings
	purposeRehearsal             // rows of the rehearsal
)

func seedOf(seed uint64, path ...uint64) uint64 { return rng.Seed(seed, path...) }

// plan is a training whose rounds and settings are decided.
type plan struct {
	config    Config
	choice    *report.Choice    // how cross-validation chose the number of rounds; nil: it did not
	rehearsal *report.Rehearsal // how settings were chosen before; nil: they were not
	auto      bool              // the validation set chooses the number of rounds
	table     *table            // that of another training on the same rows; nil: it is made
	ranks     ranks.Group       // that train together; nil: this process does alone
	// rows of weight 0 that were dropped
	weightless int
}

// setup is the first stage: the job of one Fit. All other stages read it, and none changes it.
type setup struct {
	plan
	job     learn.Job
	frame   *data.Frame
	target  *data.Target // weights include repetitions of rows and factors of classes
	loss    string       // its name
	rows    []int32      // of the training set, distinct and ascending
	valid   []int32      // of the validation set; nil: there is none
	blocks  *blocks      // has the values of the frame; nil: the frame has them
	memory  memory.Limit // of a table in blocks
	ownLoss bool         // the loss is the caller's own: its derivatives are stored, to be checked
	// whether growers take derivatives from the loss, of some rows at a time, unless rows are
	// sampled by them
	rowwise bool
}

// sets are the training set and the validation set, with the loss bound to their labels.
type sets struct {
	train *boosting.Set
	valid *boosting.Set // nil: there is none
}

// squared is the loss whose derivatives are as large as the labels.
const squared = "squared"

// newSetup checks the labels, splits off the validation set, and binds the loss to both sets.
func newSetup(p plan, f *prepared, t *data.Target, job learn.Job) (*setup, *sets, error) {
	name, l, err := p.config.lossOf(t)
	if err != nil {
		return nil, nil, err
	}
	rows, valid, err := boosting.SplitValidation(&job, p.config.planned(t), f.matrix.Rows,
		p.config.ValidFraction, seedOf(job.Seed, purposeValid))
	if err != nil {
		return nil, nil, err
	}
	if name == squared {
		if err := fitting.CheckLabelSizes(Name, f.frame, t, fitting.LabelLimit(t, rows), rows,
			valid); err != nil {
			return nil, nil, err
		}
	}
	s := &setup{plan: p, job: job, frame: f.frame, loss: name, rows: f.matrix.Rows, valid: valid,
		blocks: f.blocks, memory: f.env.Memory}
	if !slices.Equal(rows, s.rows) {
		s.rows = data.Distinct(rows)
	}
	if s.target, err = s.weighed(t, rows, f.classWeighed); err != nil {
		return nil, nil, err
	}
	both, err := s.bind(l)
	if err == nil {
		s.ownLoss = boosting.OwnLoss(&s.config.Loss)
		s.rowwise = !s.ownLoss && s.config.rowwise(both.train.Objective)
	}
	return s, both, err
}

// bind binds a loss to the labels of both sets.
func (s *setup) bind(l loss.Loss) (*sets, error) {
	var both sets
	var err error
	if both.train, err = boosting.NewSet(boosting.Training, l, s.target, s.rows); err != nil {
		return nil, err
	}
	if s.valid != nil {
		both.valid, err = boosting.NewSet(boosting.Validation, l, s.target, s.valid)
		if err != nil {
			return nil, err
		}
	}
	return &both, nil
}

// weighed returns the target with the weight of each row times its repetitions among the rows to
// train on times the factor of its class, unless classes are weighed already.
func (s *setup) weighed(t *data.Target, rows []int32, classes bool) (*data.Target, error) {
	var class []uint32
	classWeight := s.config.ClassWeight
	if classes {
		classWeight = ""
	}
	if classWeight != "" && t.Class != nil {
		for _, r := range rows {
			class = append(class, t.Class[r])
		}
	}
	factor, err := weighting.ClassFactors(classWeight, t, class, nil)
	if err != nil {
		return nil, err
	}
	if factor == nil && len(s.rows) == len(rows) {
		return t, nil
	}
	own := *t
	own.Weight = make([]float64, s.frame.Rows())
	for _, r := range s.valid {
		own.Weight[r] = t.WeightAt(r)
	}
	for _, r := range rows {
		own.Weight[r] += t.WeightAt(r)
	}
	if factor == nil {
		return &own, nil
	}
	for _, set := range [][]int32{s.rows, s.valid} {
		for _, r := range set {
			own.Weight[r] *= factor[t.Class[r]]
		}
	}
	return &own, nil
}

// dart reports whether rounds drop out earlier ones.
func (s *setup) dart() bool { return s.config.Dropout != nil }

// workers returns how many workers loops over rows may use, at least 1.
func (s *setup) workers() int { return parallel.Workers(s.job.Workers) }
