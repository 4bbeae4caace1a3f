package learn

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// HoldOut is what models say of rows that were held back from them.
type HoldOut struct {
	Rows   []int32   // frame rows that were held back, ascending and distinct
	Width  int       // values in a prediction
	Values []float64 // Width values for each of Rows
}

// foldStream sets the seeds of fits on folds apart from other uses of a job's seed.
const foldStream = 0x6f6f66 // "oof"

// OutOfFold fits a learner once for each fold, on its training part alone, Prepare included, and
// has each model predict the fold's test part: what comes out says of every row what a model says
// that has not seen its label. It is the material of whatever is learned from predictions, as the
// meta-learner of a stack and calibration are.
//
// folds are those that job.Plan.Folds dealt, or others; no row may be tested twice, rows that are
// never tested are absent from the result. job.Plan.Within(i) is the plan of fold i's fit,
// job.Valid its validation part, and its seed is drawn from job.Seed; job.Rows, Start and OutOfBag
// are not looked at. job.Observe is told of each fold as stage "fold". Folds are worked on several
// at a time; the result is the same for any number of workers. Errors name the fold.
//
// The result has one entry for each of outputs, all predicted by the same models.
func OutOfFold(ctx context.Context, l Learner, f *data.Frame, t *data.Target, folds []data.Fold, job Job, env Env, outputs ...model.Output) ([]*HoldOut, error) {
	at, rows, err := tested(f, folds)
	if err != nil {
		return nil, err
	}
	workers := parallel.Workers(job.Workers)
	env.Workers = max(1, workers/len(folds))
	all := make([]*HoldOut, len(outputs))
	for i := range all {
		all[i] = &HoldOut{Rows: rows}
	}
	do := func(ctx context.Context, i int) ([]*HoldOut, error) {
		m, err := fitFold(ctx, l, f, t, folds[i], i, job, env)
		tested := make([]*HoldOut, len(outputs))
		for k := 0; k < len(outputs) && err == nil; k++ {
			tested[k], err = predictRows(m, f, data.Distinct(folds[i].Test), outputs[k], env.Workers)
		}
		if err != nil {
			return nil, fmt.Errorf("fold %d of %d: %w", i+1, len(folds), err)
		}
		return tested, nil
	}
	keep := func(i int, tested []*HoldOut) error {
		for k, of := range tested {
			if err := all[k].place(of, at); err != nil {
				return fmt.Errorf("fold %d of %d: %w", i+1, len(folds), err)
			}
		}
		if job.Observe != nil {
			return job.Observe(Round{Stage: "fold", N: i + 1, Of: len(folds)})
		}
		return nil
	}
	if err := InOrder(ctx, len(folds), workers, do, keep); err != nil {
		return nil, err
	}
	return all, nil
}

// predictRows predicts rows of a frame, which must be ascending and distinct.
func predictRows(m model.Model, f *data.Frame, rows []int32, output model.Output, workers int) (*HoldOut, error) {
	h := &HoldOut{Rows: rows}
	var err error
	h.Width, h.Values, err = Predictions(m, f, rows, output, workers)
	return h, err
}

// place copies the predictions of some rows; at is the place of each frame row in h.
func (h *HoldOut) place(of *HoldOut, at []int32) error {
	if h.Values == nil {
		h.Width, h.Values = of.Width, make([]float64, of.Width*len(h.Rows))
	}
	if of.Width != h.Width {
		return fmt.Errorf("%d values for a row, %d before", of.Width, h.Width)
	}
	for j, row := range of.Rows {
		copy(h.Values[int(at[row])*h.Width:], of.Values[j*h.Width:(j+1)*h.Width])
	}
	return nil
}

// tested returns the rows that some fold tests, and the place of each frame row among them.
func tested(f *data.Frame, folds []data.Fold) (at, rows []int32, err error) {
	if len(folds) == 0 {
		return nil, nil, fmt.Errorf("there are no folds")
	}
	at = make([]int32, f.Rows())
	for i, fold := range folds {
		if err := f.CheckRows(fold.Test); err != nil {
			return nil, nil, fmt.Errorf("fold %d of %d: %w", i+1, len(folds), err)
		}
		for _, row := range data.Distinct(fold.Test) {
			if at[row] > 0 {
				return nil, nil, fmt.Errorf("row %d is tested in folds %d and %d", row, at[row], i+1)
			}
			at[row] = int32(i + 1)
		}
	}
	for row := range at {
		if at[row] > 0 {
			at[row] = int32(len(rows))
			rows = append(rows, int32(row))
		}
	}
	return at, rows, nil
}

func fitFold(ctx context.Context, l Learner, f *data.Frame, t *data.Target, fold data.Fold, number int, job Job, env Env) (model.Model, error) {
	fitter, err := l.Prepare(ctx, f, fold.Train, t.Weight, env)
	if err != nil {
		return nil, err
	}
	return fitter.Fit(ctx, t, Job{Rows: fold.Train, Valid: job.Valid, Plan: job.Plan.Within(number),
		Seed: rng.New(job.Seed, foldStream, uint64(number)).Uint64(), Workers: env.Workers})
}

// Predictions returns what a model says of rows of a frame, width values for each.
func Predictions(m model.Model, f *data.Frame, rows []int32, output model.Output, workers int) (width int, values []float64, err error) {
	p, err := m.Bind(&f.Schema, model.Options{Output: output, Workers: workers})
	if err != nil {
		return 0, nil, err
	}
	values = make([]float64, len(rows)*p.Width())
	return p.Width(), values, p.Predict(values, f, rows)
}
