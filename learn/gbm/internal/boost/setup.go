package boost

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/loss"
	report "github.com/coppice-ml/coppice/model/training"
)

// Purposes of random numbers. A seed means the same for ever, so they never change.
const (
	purposeTree       = iota + 1 // columns and thresholds of a tree: with round and output
	purposeRows                  // rows of a round
	PurposeValid                 // the validation set
	purposeDrop                  // rounds that dropout removes
	purposeStatistics            // orders of the rows that target statistics are computed by
	PurposeFold                  // folds that choose the number of rounds, and their trainings
	PurposeRehearsal             // rows of the rehearsal
	PurposeTime                  // sets by which the order of time is measured
)

// Plan is a training whose rounds and settings are decided.
type Plan struct {
	Config    Config
	Choice    *report.Choice    // how cross-validation chose the number of rounds; nil: it did not
	Rehearsal *report.Rehearsal // how settings were chosen before; nil: they were not
	TimeOrder *report.TimeOrder // what was found of the order of time; nil: nothing
	Auto      bool              // the validation set chooses the number of rounds
	Table     *table.Table      // that of another training on the same rows; nil: it is made
	Alone     bool              // no other rank takes part, whoever prepared the table
	// seed of the training whose orders of the rows target statistics are computed by; 0: this
	// one's
	OrdersOf uint64
	// rows of weight 0 that were dropped
	Weightless int
}

// setup is the first stage: the job of one Fit. All other stages read it, and none changes it.
type setup struct {
	Plan
	table.Request
	loss    string // its name
	ownLoss bool   // the loss is the caller's own: its derivatives are stored, to be checked
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

// newSetup checks the labels, splits off the validation set, and binds the loss to both sets. Rows
// that are repeated, as in bootstrap samples, become one row of so much more weight: every later
// stage may take each row for another.
func newSetup(p Plan, f *table.Prepared, t *data.Target, job learn.Job) (*setup, *sets, error) {
	name, l, err := p.Config.LossOf(t)
	if err != nil {
		return nil, nil, err
	}
	rows, valid, err := boosting.SplitValidation(&job, p.Config.PlanTarget(t), f.Matrix.Rows,
		p.Config.ValidFraction, rng.Seed(job.Seed, PurposeValid))
	if err != nil {
		return nil, nil, err
	}
	if name == squared {
		if err := fitting.CheckLabelSizes(p.Config.Learner, f.Frame, t,
			fitting.LabelLimit(t, rows), rows, valid); err != nil {
			return nil, nil, err
		}
	}
	s := &setup{Plan: p, loss: name, Request: table.Request{Job: job, Frame: f.Frame,
		Rows: f.Matrix.Rows, Valid: valid, Blocks: f.Blocks, Memory: f.Env.Memory,
		Orders: rng.Seed(cmp.Or(p.OrdersOf, job.Seed), purposeStatistics)}}
	if !p.Alone {
		s.Group = f.Env.Ranks
	}
	c := &s.Config
	s.Columns = &c.Config
	s.Numbers = c.Linear || s.dart() || c.Permutations > 0
	if !slices.Equal(rows, s.Rows) {
		s.Rows = data.Distinct(rows)
	}
	if s.Target, err = s.weighed(t, rows, f.ClassWeighed); err != nil {
		return nil, nil, err
	}
	both, err := s.bind(l)
	if err == nil {
		s.ownLoss = boosting.OwnLoss(&s.Config.Loss)
		s.rowwise = !s.ownLoss && c.rowwise(both.train.Objective)
		s.Stored = !s.rowwise || c.Sampling != nil || c.LocalPoints
	}
	return s, both, err
}

// bind binds a loss to the labels of both sets.
func (s *setup) bind(l loss.Loss) (*sets, error) {
	var both sets
	var err error
	if both.train, err = boosting.NewSet(boosting.Training, l, s.Target, s.Rows); err != nil {
		return nil, err
	}
	if s.Valid != nil {
		both.valid, err = boosting.NewSet(boosting.Validation, l, s.Target, s.Valid)
		if err != nil {
			return nil, err
		}
	}
	return &both, nil
}

// weighed returns the target with the weight of each row times its repetitions among the rows to
// train on times the factor of its class, unless classes are weighed already. Where nothing changes
// it is the caller's target itself: a training without weights stays one.
func (s *setup) weighed(t *data.Target, rows []int32, classes bool) (*data.Target, error) {
	var class []uint32
	classWeight := s.Config.ClassWeight
	if classes {
		classWeight = data.ClassWeight{}
	}
	if classWeight.Given() && t.Class != nil {
		for _, r := range rows {
			class = append(class, t.Class[r])
		}
	}
	factor, err := weighting.ClassFactors(classWeight, t, class, nil)
	if err != nil {
		return nil, err
	}
	if factor == nil && len(s.Rows) == len(rows) {
		return t, nil
	}
	own := *t
	own.Weight = make([]float64, s.Frame.Rows())
	for _, r := range s.Valid {
		own.Weight[r] = t.WeightAt(r)
	}
	for _, r := range rows {
		own.Weight[r] += t.WeightAt(r)
	}
	if factor == nil {
		return &own, nil
	}
	for _, set := range [][]int32{s.Rows, s.Valid} {
		for _, r := range set {
			own.Weight[r] *= factor[t.Class[r]]
		}
	}
	return &own, nil
}

// dart reports whether rounds drop out earlier ones.
func (s *setup) dart() bool { return s.Config.Dropout != nil }

// workers returns how many workers loops over rows may use, at least 1.
func (s *setup) workers() int { return parallel.Workers(s.Job.Workers) }
