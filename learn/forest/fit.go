package forest

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
)

// fit grows a forest. If the context is cancelled, or the observer returns an error, it returns the
// trees so far too, up to the first that is not finished; nil if there are none.
func (l *Learner) fit(ctx context.Context, from *prepared, t *data.Target,
	job learn.Job) (model.Model, error) {
	f, err := begin(l, from, t, job)
	if err != nil {
		return nil, err
	}
	err = f.grow(ctx)
	f.releaseMemory()
	settled := errors.Is(err, errSettled)
	if err = fitting.UnlessStop(err); settled {
		err = nil
	}
	if len(f.accumulators.trees) == 0 {
		return nil, err
	}
	m, failed := f.model(settled)
	if failed != nil {
		return nil, failed
	}
	if err == nil && job.OutOfBag != nil {
		err = job.OutOfBag(f.accumulators.outOfBag(f.pop.Rows))
	}
	if u := f.accumulators.unseen(); err == nil && job.Unseen != nil && u != nil {
		err = job.Unseen(u)
	}
	return m, err
}

// stages is the chain of stages of a Fit: see the package comment.
type stages struct {
	*setup
	sampler      *sampler
	ranking      *ranking // nil: no quantiles
	grower       *grower
	reporters    []reporter
	accumulators *accumulators
}

// reporter adds to the report of a finished tree, whose number is i.
type reporter interface {
	report(ctx context.Context, g *grown, b *bag, i, workers int) error
}

// begin builds the stages, each from those before it.
func begin(l *Learner, from *prepared, t *data.Target, job learn.Job) (*stages, error) {
	s, err := newSetup(l, from, t, job)
	if err != nil {
		return nil, err
	}
	f := &stages{setup: s}
	if f.sampler, err = newSampler(s); err != nil {
		return nil, err
	}
	if f.ranking, err = newRanking(s); err != nil {
		return nil, err
	}
	f.grower = newGrower(s, f.ranking)
	leavesOut := f.sampler.bags.LeavesOut()
	if f.accumulators, err = newAccumulators(s, leavesOut); err != nil {
		return nil, err
	}
	if err := s.check(leavesOut); err != nil {
		return nil, err
	}
	if leavesOut {
		f.reporters = append(f.reporters, newOutOfBag(s, f.accumulators))
	}
	if l.requests(corrected) {
		f.reporters = append(f.reporters, newCorrection(s))
	}
	return f, nil
}

// errSettled ends the training early.
var errSettled = errors.New("the out-of-bag error has settled")

// grow grows the trees, several at a time, and adds them to the accumulators in their order. Where
// there are fewer trees than workers, those left over help with the columns.
func (f *stages) grow(ctx context.Context) error {
	first, n := f.learner.numbers()
	workers := parallel.Workers(f.job.Workers)
	each := max(1, workers/n)
	return parallel.InOrder(ctx, n, workers,
		func(ctx context.Context, i int) (*grown, error) { return f.tree(ctx, first+i, each) },
		func(i int, g *grown) error {
			f.accumulators.add(g)
			if f.job.Observe != nil {
				if err := f.job.Observe(learn.Round{Stage: "grow", N: i + 1, Of: n}); err != nil {
					return err
				}
			}
			if i+1 < n && f.accumulators.settled() {
				return errSettled
			}
			return nil
		})
}

// tree grows tree number i with its report.
func (f *stages) tree(ctx context.Context, i, workers int) (*grown, error) {
	b, err := f.sampler.sample(i)
	if err != nil {
		return nil, err
	}
	defer f.sampler.keep(b)
	g, err := f.grower.grow(ctx, &b, i, workers)
	if err != nil {
		return nil, err
	}
	for _, r := range f.reporters {
		if err := r.report(ctx, g, &b, i, workers); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// releaseMemory releases the memory that trees leave to later ones.
func (f *stages) releaseMemory() {
	f.grower.series.empty()
	f.sampler.counts.empty()
	f.accumulators.scratches.empty()
}

// model makes a model of the trees so far.
func (f *stages) model(settled bool) (model.Model, error) {
	m := &model.Ensemble{Trees: f.accumulators.trees, Combine: model.Mean,
		Meta: model.NewSpec(f.learner.name, f.frame.Schema, f.target)}
	m.Meta.Decision.Costs, m.Meta.Task = f.costs, f.task
	if f.learner.Shard != "" {
		m.State = f.state(f.accumulators)
	}
	if f.ranking != nil {
		m.Combine, m.Targets = model.Pool, f.ranking.targets
	}
	return m, f.accumulators.describe(m, settled, parallel.Workers(f.job.Workers))
}
