package eval

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
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
	spec := m.Spec()
	known := unseenOf(m, u, seed)
	if known == nil {
		return nil, nil, nil
	}
	n := len(known.rows)
	for _, i := range rng.New(seed, forUnseen, 1).Some(nil, n, min(n, recordedRows)) {
		predictions = append(predictions, known.values[int(i)*u.Width:][:u.Width]...)
	}
	s := known.sample(m, u.Width)
	if s == nil {
		return nil, predictions, nil
	}
	all, _, err := Intervals(ctx, spec.Task, s, IntervalOptions{Seed: seed, Workers: workers,
		Resamples: unseenResamples, Rows: max(500, unseenValues/unseenResamples/s.Width)})
	if err != nil || all == nil {
		return nil, predictions, err
	}
	e = &model.Evaluation{Origin: model.OfOutOfBagRows, UsedFor: u.UsedFor, Rows: n,
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

// ReportUnseen reports how good such predictions are, as OutOfBag does but without intervals. It is
// nil if they cannot be compared with labels. Errors are those of metric.Evaluate.
func ReportUnseen(m model.Model, u *learn.Unseen, seed uint64) (*Report, error) {
	known := unseenOf(m, u, seed)
	if known == nil {
		return nil, nil
	}
	s := known.sample(m, u.Width)
	if s == nil {
		return nil, nil
	}
	return newReport(m.Spec().Task, m.Spec().Classes, s)
}

// unseen is rows that have predictions, ascending, and these.
type unseen struct {
	target data.Target
	rows   []int32
	values []float64
}

// unseenOf returns the rows with predictions, nil if there are none to be compared with labels.
func unseenOf(m model.Model, u *learn.Unseen, seed uint64) *unseen {
	k := &unseen{target: u.Target}
	k.target.Classes = m.Spec().Classes
	if u.Width != m.Outputs() || Fits(m.Spec(), &k.target) != nil {
		return nil
	}
	one := make([]float64, u.Width)
	for row := range int32(max(len(k.target.Class), len(slices.Concat(k.target.Y...)))) {
		if u.Predict(one, row) {
			k.rows = append(k.rows, row)
		}
	}
	if len(k.rows) == 0 {
		return nil
	}
	if most := recordedValues / max(1, u.Width); len(k.rows) > most {
		k.rows = data.Pick(k.rows, rng.New(seed, forUnseen).Some(nil, len(k.rows), most))
	}
	k.values = make([]float64, len(k.rows)*u.Width)
	for i, row := range k.rows {
		u.Predict(k.values[i*u.Width:][:u.Width], row)
	}
	return k
}

// sample is what metrics are computed of, nil where such predictions are not those of the task.
func (k *unseen) sample(m model.Model, width int) *metric.Sample {
	spec := m.Spec()
	if k.target.Task != spec.Task || spec.Quantiles != nil && len(spec.Quantiles) != width {
		return nil
	}
	s := unbound(m, nil, &k.target, width).labels(&k.target, k.rows)
	s.Pred = k.values
	choose(s, spec)
	return s
}
