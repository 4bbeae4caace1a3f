package eval

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
)

// foldTest is the predictions of a fold's model for the fold's test rows.
type foldTest struct {
	Task   data.Task
	Sample *metric.Sample
	Error  string // of another rank
}

func foldError(fold, of int, err error) error {
	return fmt.Errorf("fold %d of %d: %w", fold+1, of, err)
}

// testFolds trains and tests a learner on each fold. Several ranks take them by turns, and send
// each other what they have predicted:
//
//	folds     1  2  3  4  5
//	rank 0    x     x     x
//	rank 1       x     x
func (o *Options) testFolds(
	ctx context.Context, l learn.Learner, ds *data.Dataset, plan *split.Plan, folds []split.Fold,
) ([]foldTest, error) {
	g := ranks.Of(o.Ranks)
	all := make([]foldTest, len(folds))
	for i := g.Rank(); i < len(folds); i += g.Size() {
		err := o.testFold(ctx, l, ds, folds[i], i, plan.Within(i), &all[i])
		if err != nil {
			err = foldError(i, len(folds), err)
		} else if o.Observe != nil {
			err = o.Observe(learn.Round{Stage: "fold", N: i + 1, Of: len(folds)})
		}
		if err != nil {
			all[i].Error = err.Error()
			if g.Size() > 1 { // the others wait for it
				_, failed := exchange(ctx, g, all)
				err = errors.Join(err, failed)
			}
			return nil, err
		}
	}
	if g.Size() == 1 {
		return all, nil
	}
	return exchange(ctx, g, all)
}

// testFold trains on one fold's training rows, and predicts its test rows.
func (o *Options) testFold(
	ctx context.Context, l learn.Learner, ds *data.Dataset, f split.Fold, number int,
	within *split.Plan, t *foldTest,
) error {
	m, err := o.train(ctx, l, ds, f, number, within)
	if err != nil {
		return err
	}
	t.Task = m.Spec().Task
	t.Sample, err = Sample(ctx, m, ds, f.Test, model.Options{Workers: o.Workers, Memory: o.Memory})
	return err
}

// exchange completes the folds by those of the other ranks. It returns the error of the first fold
// that has one on another rank.
func exchange(ctx context.Context, g ranks.Group, all []foldTest) ([]foldTest, error) {
	own := map[int]foldTest{}
	for i := g.Rank(); i < len(all); i += g.Size() {
		if own[i] = all[i]; all[i].Error != "" {
			break
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(own); err != nil {
		return nil, err
	}
	sent, err := g.Gather(ctx, b.Bytes())
	if err != nil {
		return nil, err
	}
	for rank, b := range sent {
		if rank == g.Rank() {
			continue
		}
		var others map[int]foldTest
		if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&others); err != nil {
			return nil, fmt.Errorf("the folds of rank %d: %w", rank, err)
		}
		for i, t := range others {
			if i < 0 || i >= len(all) || i%g.Size() != rank {
				return nil, fmt.Errorf("rank %d has sent fold %d", rank, i+1)
			}
			all[i] = t
		}
	}
	for i := range all {
		switch {
		case all[i].Error != "" && i%g.Size() != g.Rank():
			return nil, errors.New(all[i].Error)
		case all[i].Sample == nil && i%g.Size() != g.Rank():
			return nil, fmt.Errorf("fold %d is missing", i+1)
		}
	}
	return all, nil
}
