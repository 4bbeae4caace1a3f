package coppice

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// evaluate stores how good the model is on rows that it was not trained on, as far as there are
// any: those of the validation set, and those out of the bag. So does the profile with predictions.
func (t *training) evaluate(
	ctx context.Context, l learn.Learner, m model.Model, ds *data.BlockDataset, u *learn.Unseen,
) error {
	if u != nil {
		if err := StoreOutOfBag(ctx, m, u, t.job.Seed, t.job.Workers); err != nil {
			return err
		}
	}
	if len(t.job.Valid) == 0 {
		storeHoldOut(l, m)
		return nil
	}
	if t.stored.unevaluated || eval.Fits(m.Spec(), &ds.Target) != nil {
		return nil
	}
	sets := [][]int32{t.job.Valid}
	recorder := eval.NewRecorder(sets, t.job.Seed)
	reports, err := eval.EvaluateSets(ctx, m, ds, sets, eval.SetOptions{Scratch: t.env.Scratch,
		Options: model.Options{Workers: t.job.Workers, Memory: t.env.Memory}, Each: recorder.Each})
	if err != nil {
		return err
	}
	e, err := recorder.Record(ctx, 0, reports[0], model.OfValidation)
	if err != nil {
		return err
	}
	if e.UsedFor = l.Capabilities().Validation.Chosen().String(); e.UsedFor == "" {
		profile.AddPredictions(m, recorder.Predictions(0))
	}
	s := m.Spec()
	s.Evaluations = append([]model.Evaluation{e}, s.Evaluations...)
	return nil
}

// storeHoldOut stores how good the model was on rows that the learner itself held out.
func storeHoldOut(l learn.Learner, m model.Model) {
	empty, s := l.Capabilities().Summary, m.Spec()
	if empty == nil || len(s.Summary) == 0 {
		return
	}
	found := empty()
	if learn.ReadSummary(m, found) != nil {
		return
	}
	if e := found.Describe(m).Estimate; e != nil {
		s.Evaluations = append(s.Evaluations, *e)
	}
}

// StoreOutOfBag stores the out-of-bag metrics of a model in its Spec, and the distribution of these
// predictions in its profile. Train does so; it is for models that are merged of shards. The errors
// are those of eval.OutOfBag.
func StoreOutOfBag(
	ctx context.Context, m model.Model, u *learn.Unseen, seed uint64, workers int,
) error {
	e, predictions, err := eval.OutOfBag(ctx, m, u, seed, workers)
	if e != nil {
		s := m.Spec()
		s.Evaluations = append(s.Evaluations, *e)
	}
	if e == nil || e.UsedFor == "" {
		profile.AddPredictions(m, predictions)
	}
	return err
}
