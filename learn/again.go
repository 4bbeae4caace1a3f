package learn

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Refitter is a Fitter with a faster way to fit one Job again and again, to targets whose rows have other weights or labels each
// time, as boosting does.
type Refitter interface {
	Fitter
	// Again returns a function that fits as Fit(ctx, t, job) does with the seed in place of the job's, to the same bytes. It is
	// not safe for concurrent use.
	Again(job Job) Refit
}

// Refit fits a job to a target.
type Refit func(ctx context.Context, t *data.Target, seed uint64) (model.Model, error)

// Again returns a function that fits one Job to many targets, in the fastest way that the fitter has.
func Again(f Fitter, job Job) Refit {
	if r, ok := f.(Refitter); ok {
		return r.Again(job)
	}
	return func(ctx context.Context, t *data.Target, seed uint64) (model.Model, error) {
		own := job
		own.Seed = seed
		return f.Fit(ctx, t, own)
	}
}

// Unweighted is a Learner that does not look at Target.Weight. Boosting draws its rows by weight instead.
type Unweighted interface {
	Learner
	// IgnoresWeights reports whether Fit looks at no weights, with the parameters as they are.
	IgnoresWeights() bool
}

// TakesWeights reports whether a learner looks at Target.Weight, with the parameters as they are.
func TakesWeights(l Learner) bool {
	u, ok := l.(Unweighted)
	return !ok || !u.IgnoresWeights()
}
