package learn

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// usualRowClassBytes is what learners hold that declare nothing: class counts in leaves, of which
// there are no more than rows, or what a model predicts of each row, and a copy of them.
const usualRowClassBytes = 16

// Train prepares and fits a learner once, on the rows of a job; nil = all. Nothing of other rows
// reaches the model, neither by Prepare nor by the choice of columns of texts (FitTexts of a
// data.Frame). Errors are those of CheckMemory, of Prepare and of Fit, which may return a model,
// too.
func (e Env) Train(
	ctx context.Context, l Learner, ds *data.Dataset, job Job,
) (model.Model, error) {
	if err := e.CheckMemory(l, &ds.Target, &job); err != nil {
		return nil, err
	}
	fitter, err := l.Prepare(ctx, ds.FitTexts(job.Rows, nil), job.Rows, ds.Target.Weight, e)
	if err != nil {
		return nil, err
	}
	return fitter.Fit(ctx, &ds.Target, job)
}

// CheckMemory returns an error that wraps memory.ErrLimit if training on the rows of a job would
// hold more than the limit of memory for rows x classes. It takes no time and is for callers of
// Prepare; Fit does not call it. Labels of one number or two classes are never refused.
func (e *Env) CheckMemory(l Learner, t *data.Target, j *Job) error {
	rows := int64(len(j.Rows) + len(j.Valid))
	if j.Rows == nil {
		rows = int64(len(t.Class))
	}
	bytes := l.Capabilities().RowClassBytes
	if bytes == 0 {
		bytes = usualRowClassBytes
	}
	return t.CheckMemory(e.Memory, "training", rows, bytes)
}
