package eval

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// forUnseen is a stream of choices of rows.
const forUnseen = 4

// The resamples of out-of-bag predictions are fewer and smaller than those of Intervals, as they
// are part of each training: of so many values together.
const (
	unseenResamples = 100
	unseenValues    = 1 << 18
)

// OutOfBag returns what a model stores of its out-of-bag predictions: their metrics with intervals,
// nil if they cannot be compared with labels. Of more than 2^22 values some rows are chosen, by the
// seed, which is that of the intervals too. The predictions for up to 10,000 rows are returned, row
// after row, for the profile.
//
// Errors are those of Intervals.
func OutOfBag(
	ctx context.Context, m model.Model, u *learn.Unseen, seed uint64, workers int,
) (e *model.Evaluation, predictions []float64, err error) {
	spec, t := m.Spec(), u.Target
	t.Classes = spec.Classes
	if u.Width != m.Outputs() || Fits(spec, &t) != nil {
		return nil, nil, nil
	}
	rows, values := unseen(u, &t, seed)
	if len(rows) == 0 {
		return nil, nil, nil
	}
	for _, i := range rng.New(seed, forUnseen, 1).Some(nil, len(rows), min(len(rows), recordedRows)) {
		predictions = append(predictions, values[int(i)*u.Width:][:u.Width]...)
	}
	if t.Task != spec.Task || spec.Quantiles != nil || spec.Task == data.Survival {
		return nil, predictions, nil
	}
	s := unbound(m, nil, &t, u.Width).labels(&t, rows)
	s.Pred = values
	choose(s, spec)
	all, _, err := Intervals(ctx, spec.Task, s, IntervalOptions{Seed: seed, Workers: workers,
		Resamples: unseenResamples, Rows: max(500, unseenValues/unseenResamples/s.Width)})
	if err != nil || all == nil {
		return nil, predictions, err
	}
	e = &model.Evaluation{Origin: model.OfOutOfBagRows, UsedFor: u.UsedFor, Rows: len(rows),
		Plan: "each row by the members that were not trained on it"}
	if at := spec.Positive(); at >= 0 {
		e.Positive = spec.Classes[at]
	}
	for _, i := range all {
		if wide := i.High - i.Low; wide-wide == 0 && i.Value-i.Value == 0 { // they are finite
			e.Metrics = append(e.Metrics,
				model.Evaluated{Name: i.Name, Value: i.Value, Low: new(i.Low), High: new(i.High)})
		}
	}
	return e, predictions, nil
}

// unseen returns rows that have predictions, ascending, and these.
func unseen(u *learn.Unseen, t *data.Target, seed uint64) (rows []int32, values []float64) {
	one := make([]float64, u.Width)
	for row := range int32(max(len(t.Class), len(slices.Concat(t.Y...)))) {
		if u.Predict(one, row) {
			rows = append(rows, row)
		}
	}
	if most := recordedValues / max(1, u.Width); len(rows) > most {
		rows = data.Pick(rows, rng.New(seed, forUnseen).Some(nil, len(rows), most))
	}
	values = make([]float64, len(rows)*u.Width)
	for i, row := range rows {
		u.Predict(values[i*u.Width:][:u.Width], row)
	}
	return rows, values
}
