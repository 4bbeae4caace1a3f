package draw

import (
	"context"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// partition draws a model by its predictions.
func (o *command) partition(ctx context.Context, w io.Writer, in *input) error {
	columns, err := o.find(in.model.Spec())
	if err != nil {
		return err
	}
	s, err := in.scene()
	if err != nil {
		return err
	}
	options := plot.RegionOptions{Columns: columns, Rounds: o.rounds, Trees: o.trees}
	if options.Reweigh, err = in.reweigh(ctx); err != nil {
		return err
	}
	return plot.Regions(w, s, options)
}

// reweigher is a learner that weighs the rows anew in each round.
type reweigher interface {
	Reweigh(ctx context.Context, m model.Model, ds *data.Dataset, rounds []int) (
		[]training.Reweighted, error)
}

// reweigh returns the function that weighs the rows of the table as the model's learner does; nil
// if the learner weighs none.
func (in *input) reweigh(ctx context.Context) (
	func(rounds []int) ([]training.Reweighted, error), error) {
	l, err := catalog.New(in.model.Spec().Learner)
	if err != nil {
		return nil, nil // a model of another tool
	}
	weighs, ok := l.(reweigher)
	if !ok {
		return nil, nil
	}
	if err := l.Params().UnmarshalJSON(in.model.Spec().Params); err != nil {
		return nil, err
	}
	return func(rounds []int) ([]training.Reweighted, error) {
		return weighs.Reweigh(ctx, in.model, in.ds, rounds)
	}, nil
}
