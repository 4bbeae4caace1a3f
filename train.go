package coppice

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Train fits one model to a data set. Without options it trains on all rows, with seed 0, on all
// processors.
//
//	m, err := coppice.Train(ctx, gbm.New(), train, coppice.Validation(valid), coppice.Seed(1))
//
// Date columns become numeric ones (data.Expand), and columns of texts are those that the training
// rows make (data.Frame.FitTexts). Of two classes the positive one is that of
// the target where it was chosen, else data.Target.ChoosePositive chooses it by the training rows.
//
// The model stores the seed and the hash of the training rows: model.TrainedOn. It stores what the
// rows are like, too (model.Profile), and some rows with its predictions (model.Golden). It stores
// metrics with intervals of the validation set, and of out-of-bag rows (model.Evaluation).
//
// A table that does not fit into memory is a data.BlockDataset. Learners with
// learn.Capabilities.Blocks read its features in blocks, several times:
//
//	table, err := csvdata.Open(csvdata.Options{}, "clicks.csv.zst").Blocks(ctx)
//	ds, err := data.Label("clicked").ApplyBlocks(ctx, table)
//	m, err := coppice.Train(ctx, gbm.New(), ds, coppice.Memory(2<<30))
//
// In memory are the labels, what the learner needs for each row, and as much of the table in bins
// as the limit of memory leaves; the rest is in a scratch file, which is removed at the end. Other
// learners refuse the table with an error that wraps memory.ErrLimit. A validation set is a choice
// of rows there (Job.Valid), not one of its own.
//
// Errors come before any work where they can. Examples are rows that the data set does not have,
// and a validation set that does not fit the training set. Others are a training that needs more
// than its limit of memory for rows x classes (learn.Env.CheckMemory), and a checkpoint for a
// learner that does not train in rounds. On a cancelled context Train returns the model so far, if
// there is one, and ctx.Err().
func Train(
	ctx context.Context, l learn.Learner, from data.AnyDataset, options ...Option,
) (m model.Model, err error) {
	t := training{job: learn.Job{CheckTime: true}}
	for _, o := range options {
		o(&t)
	}
	if t.job.Start != nil && !l.Capabilities().Resume {
		return nil, errors.New("the learner does not train in rounds, so it cannot resume from a " +
			"checkpoint")
	}
	for _, key := range slices.Sorted(maps.Keys(t.stored.notes)) {
		if err := model.CheckNote(key, t.stored.notes[key]); err != nil {
			return nil, err
		}
	}
	ds, err := t.on(from)
	if err != nil {
		return nil, err
	}
	end := t.logged(ctx, ds)
	defer func() { end(err) }()
	env := t.surroundings()
	if err := env.CheckMemory(l, &ds.Target, &t.job); err != nil {
		return nil, err
	}
	features := ds.Hashing(t.job.Rows)
	record := t.record(ds, features)
	f, err := l.Prepare(ctx, features, t.job.Rows, ds.Target.Weight, env)
	if err != nil {
		return nil, err
	}
	if err := record.checkMemory(); err != nil {
		return nil, err
	}
	target := ds.Target
	target.ChoosePositive(t.job.Rows)
	var unseen *learn.Unseen
	given := t.job.Unseen
	t.job.Unseen = func(u *learn.Unseen) error {
		if unseen = u; given != nil {
			return given(u)
		}
		return nil
	}
	m, err = f.Fit(ctx, &target, t.job)
	if m == nil {
		return nil, err
	}
	failed := record.store(ctx, m, err == nil)
	if err == nil {
		err = failed
	}
	if err == nil {
		err = t.evaluate(ctx, l, m, ds, unseen)
	}
	return m, err
}

// Env is what learners use of their surroundings: goroutines for Prepare, 0 = one per processor,
// and Open, for learners that combine trained models. It has no catalog: learners that take others
// by name are made with one (bag.New(catalog.Resolve)).
func Env(workers int) learn.Env { return learn.Env{Workers: workers, Open: Open} }

// TrainStructs fits one model to a slice of structs: data.FromStructs makes the table and roles
// take the label out of it.
//
//	m, err := coppice.TrainStructs(ctx, gbm.New(), customers, data.Label("churn"))
//
// NewPredictor predicts structs of the same type, or of another with the same fields. Errors are
// those of data.FromStructs, data.Roles.Apply and Train.
func TrainStructs[T any](
	ctx context.Context, l learn.Learner, rows []T, roles data.Roles, options ...Option,
) (model.Model, error) {
	table, err := data.FromStructs(rows)
	if err != nil {
		return nil, err
	}
	ds, err := roles.Apply(table)
	if err != nil {
		return nil, err
	}
	return Train(ctx, l, ds, options...)
}
