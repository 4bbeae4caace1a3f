package gbm

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
)

// training is one Fit: its stages, in the order in which a round passes them.
type training struct {
	*setup
	table       *table
	earlier     earlierRounds
	derivatives derivatives
	supports    *supports // nil: boosting is not ordered
	sampler     *rowSampler
	grower      grower
	scores      *scores
	ensemble    *ensemble
	watch       *watch
	meter       *meter // nil: nobody counts its work
	sum         uint32 // checksum of the data; 0: not computed yet
}

// Fit trains a model. If the context is cancelled, or the observer returns an error, it returns the
// rounds so far too; nil if there are none.
//
// While the number of rounds is chosen by cross-validation, the model so far is that of the first
// fold: trained on its rows, of the best number of rounds so far. A choice that was resumed has
// none, for its checkpoints hold no trees. Where the observer returns learn.Stop then, the best
// number so far is trained on all rows.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	if err := job.Check(f.frame, f.matrix.Rows); err != nil {
		return nil, err
	}
	c, err := (&user{f.learner, &f.frame.Schema, t.Task}).With(nil)
	if err != nil {
		return nil, err
	}
	if f.blocks == nil {
		return f.fit(ctx, c, t, job)
	}
	return f.fitBlocks(ctx, c, t, job)
}

// fitBlocks is fit with a file for the codes of a table that is read in blocks.
func (f *prepared) fitBlocks(ctx context.Context, c Config, t *data.Target,
	job learn.Job) (m model.Model, err error) {
	file, err := scratch.Create(f.env.Scratch)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	own, in := *f, *f.blocks
	in.file, own.blocks = file, &in
	return own.fit(ctx, c, t, job)
}

// fit chooses what is left to training, and trains.
func (f *prepared) fit(ctx context.Context, c Config, t *data.Target,
	job learn.Job) (model.Model, error) {
	job, weightless := f.dropWeightless(&c, t, job)
	f, t, err := f.weighClasses(ctx, &c, t, job)
	if err != nil {
		return nil, err
	}
	job, state, err := reopen(&c, job)
	if err != nil {
		return nil, err
	}
	p, err := decide(ctx, f, c, t, job, state)
	if short := (*interrupted)(nil); errors.As(err, &short) {
		return short.model, short.cause
	}
	if err != nil {
		return nil, err
	}
	if p.stopped {
		job.Observe = nil
	}
	p.weightless = weightless
	b, err := p.train(ctx, t, job)
	if b == nil {
		return nil, err
	}
	if err == nil && b.scores.valid != nil && b.config.EarlyStopping > 0 && job.HoldOut != nil {
		if err = b.scores.complete(ctx); err == nil {
			err = boosting.ReportHoldOut(&job, b.target, b.scores.valid)
		}
	}
	if b.watch.Rounds == 0 && err != nil {
		return nil, err
	}
	m, failed := b.finish()
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// begin builds the stages, each from those before it, and makes all ready for the first round.
func (f *prepared) begin(ctx context.Context, p plan, t *data.Target,
	job learn.Job) (*training, error) {
	s, both, err := newSetup(p, f, t, job)
	if err != nil {
		return nil, err
	}
	b := &training{setup: s}
	if b.table = p.table; b.table == nil {
		if b.table, err = newTable(ctx, s, f.matrix); err != nil {
			return nil, err
		}
	}
	if b.scores, err = newScores(ctx, s, b.table, both); err != nil {
		return nil, err
	}
	if b.ensemble, err = newEnsemble(s, b.table.fields, both.train.Objective); err != nil {
		return nil, err
	}
	if b.sampler, err = newRowSampler(s, &b.scores.rows); err != nil {
		return nil, err
	}
	several := s.config.MultiOutput && both.train.Objective.Outputs() > 1
	if b.supports, err = newSupports(s, b.table, b.scores); err != nil {
		return nil, err
	}
	b.derivatives = newDerivatives(s, b.table, b.scores, b.sampler, b.supports, several)
	if b.grower, err = newGrower(s, b.table, b.scores, b.derivatives, b.supports,
		several); err != nil {
		return nil, err
	}
	b.scores.divide(ctx, s.ranks)
	b.earlier = newEarlierRounds(s, b.table, b.scores, b.ensemble)
	if b.watch, err = newWatch(s, b.scores, len(b.table.matrices[0].Columns)); err != nil {
		return nil, err
	}
	return b, b.start(ctx)
}

// start gives rows their first scores: those of the start of the loss, of a model to continue, or
// of a checkpoint.
func (b *training) start(ctx context.Context) error {
	var m *model.Ensemble
	var err error
	from := b.job.Start
	if from != nil {
		if m, err = b.continued(); err != nil {
			return err
		}
		if from.State == nil {
			b.ensemble.extend(m, b.dart())
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

// finish removes the rounds behind the best one from the model, and describes it.
func (b *training) finish() (model.Model, error) {
	if best := b.watch.Best; best > 0 && b.config.EarlyStopping > 0 {
		b.ensemble.keepBest(min(best, b.watch.Rounds))
	}
	m := b.ensemble.model
	if err := b.describe(m); err != nil {
		return nil, err
	}
	return m, m.Validate()
}
