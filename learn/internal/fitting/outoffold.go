package fitting

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// foldStream separates the seeds of fits on folds from other uses of a job's seed.
const foldStream = 0x6f6f66 // "oof"

// OutOfFold fits a learner once for each fold, on the fold's training set alone, Prepare and the
// choice of columns of texts included.
// Each model predicts the test set of its fold. Meta-learners, scales and calibrators are fitted to
// these predictions, because no model was trained on the rows that it predicts.
//
//   - folds come from job.Plan.Folds or elsewhere. A row that is in two test sets is an error; rows
//     in no test set are absent from the result.
//   - The plan of fold i's fit is job.Plan.Within(i), its validation set is job.Valid, and its seed
//     is derived from job.Seed. The fields Rows, Start and OutOfBag of the job are ignored.
//   - job.Observe gets a Round of stage "fold" after each fold.
//   - Several folds are fitted at a time. The result is the same for any number of workers.
//
// The result has one entry for each of outputs, all predicted by the same models. Errors name the
// fold.
func OutOfFold(
	ctx context.Context, l learn.Learner, f *data.Frame, t *data.Target, folds []split.Fold,
	job learn.Job, env learn.Env, outputs ...model.Output,
) ([]*learn.HoldOut, error) {
	at, rows, err := tested(f, folds)
	if err != nil {
		return nil, err
	}
	workers := parallel.Workers(job.Workers)
	env.Workers = max(1, workers/len(folds))
	all := make([]*learn.HoldOut, len(outputs))
	for i := range all {
		all[i] = &learn.HoldOut{Rows: rows}
	}
	do := func(ctx context.Context, i int) ([]*learn.HoldOut, error) {
		m, err := fitFold(ctx, l, f, t, folds[i], i, job, env)
		tested := make([]*learn.HoldOut, len(outputs))
		for k := 0; k < len(outputs) && err == nil; k++ {
			tested[k], err = predictRows(m, f, data.Distinct(folds[i].Test), outputs[k],
				env.Workers)
		}
		if err != nil {
			return nil, fmt.Errorf("fold %d of %d: %w", i+1, len(folds), err)
		}
		return tested, nil
	}
	keep := func(i int, tested []*learn.HoldOut) error {
		for k, of := range tested {
			if err := place(all[k], of, at); err != nil {
				return fmt.Errorf("fold %d of %d: %w", i+1, len(folds), err)
			}
		}
		if job.Observe != nil {
			return job.Observe(learn.Round{Stage: "fold", N: i + 1, Of: len(folds)})
		}
		return nil
	}
	if err := parallel.InOrder(ctx, len(folds), workers, do, keep); err != nil {
		return nil, err
	}
	return all, nil
}

// predictRows predicts rows of a frame, which must be ascending and distinct.
func predictRows(
	m model.Model, f *data.Frame, rows []int32, output model.Output, workers int,
) (*learn.HoldOut, error) {
	h := &learn.HoldOut{Rows: rows}
	var err error
	h.Width, h.Values, err = PredictRows(m, f, rows, output, workers)
	return h, err
}

// place copies the predictions of into h; at is the place of each frame row in h.
func place(h, of *learn.HoldOut, at []int32) error {
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

// tested returns the rows of all test sets, ascending, and the place of each frame row among them.
func tested(f *data.Frame, folds []split.Fold) (at, rows []int32, err error) {
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
				return nil, nil, fmt.Errorf("row %d is tested in folds %d and %d", row,
					at[row], i+1)
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

func fitFold(
	ctx context.Context, l learn.Learner, f *data.Frame, t *data.Target, fold split.Fold, number int,
	job learn.Job, env learn.Env,
) (model.Model, error) {
	return env.Train(ctx, l, &data.Dataset{Frame: f, Target: *t}, learn.Job{Rows: fold.Train,
		Valid: job.Valid, Plan: job.Plan.Within(number),
		Seed: rng.New(job.Seed, foldStream, uint64(number)).Uint64(), Workers: env.Workers})
}

// PredictRows returns the predictions of a model for rows of a frame, width values for each.
func PredictRows(
	m model.Model, f *data.Frame, rows []int32, output model.Output, workers int,
) (width int, values []float64, err error) {
	p, err := m.Bind(&f.Schema, model.Options{Output: output, Workers: workers})
	if err != nil {
		return 0, nil, err
	}
	values = make([]float64, len(rows)*p.Width())
	return p.Width(), values, p.Predict(values, f, rows)
}
