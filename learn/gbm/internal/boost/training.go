package boost

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// Training is one Fit: its stages, in the order in which a round passes them.
type Training struct {
	setup       *setup
	table       *table.Table
	earlier     earlierRounds
	derivatives derivatives
	supports    *supports // nil: boosting is not ordered
	sampler     *rowSampler
	grower      grower
	scores      *scores
	ensemble    *ensemble
	watch       *watch
	sum         uint32 // checksum of the data; 0: not computed yet
}

// Begin builds the stages, each from those before it, and makes all ready for the first round.
func Begin(ctx context.Context, f *table.Prepared, p Plan, t *data.Target,
	job learn.Job) (*Training, error) {
	s, both, err := newSetup(p, f, t, job)
	if err != nil {
		return nil, err
	}
	b := &Training{setup: s}
	if b.table = p.Table; b.table == nil {
		if b.table, err = table.New(ctx, &s.Request, f.Matrix); err != nil {
			return nil, err
		}
	}
	if b.scores, err = newScores(ctx, s, b.table, both); err != nil {
		return nil, err
	}
	if b.ensemble, err = newEnsemble(s, b.table.Fields, both.train.Objective); err != nil {
		return nil, err
	}
	if b.sampler, err = newRowSampler(s, &b.scores.rows); err != nil {
		return nil, err
	}
	several := s.Config.MultiOutput && both.train.Objective.Outputs() > 1
	if b.supports, err = newSupports(s, b.table, b.scores); err != nil {
		return nil, err
	}
	b.derivatives = newDerivatives(s, b.table, b.scores, b.sampler, b.supports, several)
	if b.grower, err = newGrower(s, b.table, b.scores, b.derivatives, b.supports,
		several); err != nil {
		return nil, err
	}
	b.scores.divide(ctx, s.Group)
	b.earlier = newEarlierRounds(s, b.table, b.scores, b.ensemble)
	if b.watch, err = newWatch(s, b.scores, len(b.table.Matrices[0].Columns)); err != nil {
		return nil, err
	}
	return b, b.start(ctx)
}

// start gives rows their first scores: those of the start of the loss, of a model to continue, or
// of a checkpoint.
func (b *Training) start(ctx context.Context) error {
	var m *model.Ensemble
	var err error
	from := b.setup.Job.Start
	if from != nil {
		if m, err = b.continued(); err != nil {
			return err
		}
		if from.State == nil {
			b.ensemble.extend(m, b.setup.dart())
		}
	}
	if err := b.scores.start(ctx, b.setup, b.table, b.ensemble); err != nil {
		return err
	}
	if b.supports != nil {
		b.supports.start()
	}
	if from != nil && from.State != nil {
		return b.resume(m, from.State)
	}
	return nil
}

// Finish removes the rounds behind the best one from the model, and describes it.
func (b *Training) Finish() (model.Model, error) {
	if best := b.watch.Best; best > 0 && b.setup.Config.EarlyStopping > 0 {
		b.ensemble.keepBest(min(best, b.watch.Rounds))
	}
	m := b.ensemble.model
	if err := b.describe(m); err != nil {
		return nil, err
	}
	return m, m.Validate()
}

// SetPlan gives a training that began before its plan was decided that plan, and the observer of
// its rounds.
func (b *Training) SetPlan(p *Plan, observe func(learn.Round) error) {
	b.setup.Plan, b.setup.Job.Observe = *p, observe
	b.watch.Limit(p.Config.Trees)
}

// SetTimeOrder adds what was found of the order of time, nil = nothing, to what is stored of the
// training.
func (b *Training) SetTimeOrder(found *report.TimeOrder) { b.setup.TimeOrder = found }

// Rounds returns how many rounds are trained, without those of a model to continue.
func (b *Training) Rounds() int { return b.watch.Rounds }

// Exhausted reports whether nothing is left to be split.
func (b *Training) Exhausted() bool { return b.watch.Exhausted }

// LatestMetrics returns the metrics after the last round.
func (b *Training) LatestMetrics() []learn.Metric { return b.watch.Latest }

// FirstCurve returns the curve of the first metric of the validation set.
func (b *Training) FirstCurve() *report.LearningCurve { return b.watch.First() }

// ValidationSet returns the validation set with its raw scores, nil if there is none. Those of rows
// that other ranks have are there after Complete alone.
func (b *Training) ValidationSet() *boosting.Set { return b.scores.valid }

// Complete gets the scores of the rows that other ranks have.
func (b *Training) Complete(ctx context.Context) error { return b.scores.complete(ctx) }

// SharedTable returns the table, which trainings on the same rows may have in common.
func (b *Training) SharedTable() *table.Table { return b.table }

// Truncate removes all rounds behind the first n, and what was evaluated of them.
func (b *Training) Truncate(n int) {
	b.ensemble.keep(n)
	b.watch.Truncate(n)
}

// ReportFitted gives a job the raw scores of the training rows, if they are all here and made of
// the values that predictions are made of: derived columns of training rows leave out their own
// labels.
func (b *Training) ReportFitted(job *learn.Job) {
	if job.Fitted != nil && b.scores.others == nil && len(b.table.Inputs.Columns) == 0 {
		job.Fitted(b.scores.train.Rows, b.scores.train.Raw)
	}
}

// ReportHoldOut gives a job the predictions of the validation set that early stopping chose the
// rounds by, if there is one.
func (b *Training) ReportHoldOut(ctx context.Context, job *learn.Job) error {
	if b.ValidationSet() == nil || b.setup.Config.EarlyStopping == 0 ||
		job.HoldOut == nil && job.Folds == nil {
		return nil
	}
	if err := b.Complete(ctx); err != nil {
		return err
	}
	return boosting.ReportHoldOut(job, b.setup.Target, b.ValidationSet())
}
