package learn

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
)

// CheckTask returns the *TaskError with which a fitter refuses a target, nil if it does not:
// learners that train others check all of them before they train the first. It fits with a
// cancelled context, because the errors of a target come before any work.
func CheckTask(f Fitter, t *data.Target, rows []int32) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := f.Fit(ctx, t, Job{Rows: rows, Workers: 1})
	var wrong *TaskError
	if errors.As(err, &wrong) {
		return err
	}
	return nil
}

// CheckTaskUnprepared is CheckTask for a learner that is to be prepared on other rows or columns
// later: it prepares one row. Errors other than of the task are ignored.
func CheckTaskUnprepared(ctx context.Context, l Learner, f *data.Frame, t *data.Target, row int32,
	env Env) error {
	env.Workers = 1
	fitter, err := l.Prepare(ctx, f, []int32{row}, t.Weight, env)
	if err != nil {
		return nil
	}
	return CheckTask(fitter, t, []int32{row})
}
