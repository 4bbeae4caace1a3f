package gbm

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/fit"
	"github.com/coppice-ml/coppice/model"
)

// Fit trains a model. If the context is cancelled, or the observer returns an error, it returns the
// rounds so far too; nil if there are none.
//
// While the number of rounds is chosen by cross-validation, the model so far is that of the first
// fold: trained on its rows, of the best number of rounds so far. A choice that was resumed has
// none, for its checkpoints hold no trees. Where the observer returns learn.Stop then, the best
// number so far is trained on all rows.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	if err := job.Check(f.Frame, f.Matrix.Rows); err != nil {
		return nil, err
	}
	c, err := (&user{f.learner, &f.Frame.Schema, t.Task}).With(nil)
	if err != nil {
		return nil, err
	}
	return fit.Fit(ctx, &f.Prepared, c, t, job)
}
