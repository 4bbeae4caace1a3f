package tune

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Trial is one choice of learner and settings, with what was measured of it.
type Trial struct {
	Number  int    `json:"trial"` // from 0
	Learner string `json:"learner"`
	// Settings are KEY=VALUE, without those that the caller fixed; the first trial has none.
	Settings []string `json:"settings"`
	// Tests has the metric of each fold that was tested, in the order of the folds.
	Tests   []float64 `json:"tests"`
	Seconds float64   `json:"seconds"` // the sum over the trainings and tests
	Error   string    `json:"error,omitempty"`
}

// Mean returns the mean of the tests.
func (t *Trial) Mean() float64 { return mean(t.Tests) }

// whole reports whether a trial was tested on all folds.
func (t *Trial) whole(folds int) bool { return t.Error == "" && len(t.Tests) >= folds }

// work tests folds of a job until none is free. If others test all that are missing, it tests a
// fold of a later trial, and if there is none, it waits a moment. over is whether the time is, so
// that no later trial begins.
func (s *search) work(ctx context.Context, j *job, over bool) error {
	worked, err := s.testFolds(ctx, j)
	if worked || err != nil {
		return err
	}
	if j = s.ahead(j); j != nil && !over {
		if worked, err = s.testFolds(ctx, j); worked || err != nil {
			return err
		}
	}
	return s.study.wait(ctx)
}

// testFolds tests folds of a job on several workers. The first folds that it takes leave as many to
// each of the other searches. It reports whether there was one to take.
func (s *search) testFolds(ctx context.Context, j *job) (worked bool, err error) {
	missing, _ := s.study.state(j)
	searches := s.study.searches()
	workers := parallel.Workers(s.o.Workers)
	n := max(1, min(workers, (missing+searches-1)/searches))
	tested := make([]bool, n)
	err = parallel.Try(ctx, n, n, func(_, i int) error {
		for ctx.Err() == nil {
			fold, err := s.study.take(j)
			if fold < 0 || err != nil {
				return err
			}
			tested[i] = true
			if err := s.test(ctx, j, fold, max(1, workers/n)); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	return slices.Contains(tested, true), err
}

// test tests a fold of a job. A learner that fails is recorded, but for the first trial, which has
// the defaults: its error is returned.
func (s *search) test(ctx context.Context, j *job, fold, workers int) error {
	start := outside.Now()
	v, err := s.fold(ctx, j, fold, workers)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := result{place: place{j.Number, fold}, Learner: j.Learner, Settings: j.Settings,
		Test: value(v), Seconds: outside.Since(start).Seconds()}
	if err != nil {
		if err = fmt.Errorf("%s: %w", j.Learner, err); j.Number == 0 {
			return err
		}
		r.Error = err.Error()
	}
	return s.study.record(r)
}

// fold trains on the training rows of a fold, and tests on the others.
func (s *search) fold(ctx context.Context, j *job, i, workers int) (float64, error) {
	at := slices.IndexFunc(s.spaces, func(a space) bool { return a.candidate.Name == j.Learner })
	l, err := s.spaces[at].candidate.learner(j.Settings)
	if err != nil {
		return 0, err
	}
	f := s.folds[i]
	job := learn.Job{Rows: f.Train, Plan: s.plan.Within(i), Workers: workers,
		Seed: rng.Seed(s.o.Seed, forFold, uint64(i))}
	if l.Capabilities().ChoosesRounds {
		job.Valid = f.Test
	}
	env := s.o.Env.Alone()
	env.Workers, env.Memory = workers, s.o.Memory
	m, err := env.Train(ctx, l, s.ds, job)
	if err != nil {
		return 0, err
	}
	sample, err := eval.Sample(ctx, m, s.ds, f.Test,
		model.Options{Workers: workers, Memory: s.o.Memory})
	if err != nil {
		return 0, err
	}
	values, none, err := metric.Evaluate(m.Spec().Task, sample)
	if err != nil {
		return 0, err
	}
	if none != nil {
		return 0, none
	}
	if v, ok := eval.Metrics(values).Get(s.metric); ok {
		return v, nil
	}
	var names []string
	for _, v := range values {
		names = append(names, v.Name)
	}
	return 0, fmt.Errorf("the predictions of fold %d have no %s: choose another metric, of %s", i+1,
		s.metric, strings.Join(names, ", "))
}
