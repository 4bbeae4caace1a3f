package vote

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
)

// knots is the largest number of different predictions that a scale keeps.
const knots = 1024

// scales makes the scales of all votes, of their predictions for rows that they were not trained
// on: on their own training rows, members that overfit would seem more confident than they are.
// With partitions or resamples those rows are the others; else the predictions are out-of-fold.
// Models that are trained already predict all rows, and so do members where no fold can be made.
func (j *job) scales(ctx context.Context) ([]committee.Scale, error) {
	var all []committee.Scale
	j.held = len(j.rows)
	predicted := map[*member][]*learn.HoldOut{}
	for i := range j.votes {
		v := &j.votes[i]
		held, err := j.unseen(ctx, v)
		if err != nil {
			return nil, v.of.failed(err)
		}
		predicted[v.of] = append(predicted[v.of], held)
		first := 0
		if j.target.Task.Classes() && held.Width == 2 {
			first = 1
		}
		j.held = min(j.held, len(held.Rows))
		for k := first; k < held.Width; k++ {
			one := make([]float64, len(held.Rows))
			for row := range one {
				one[row] = held.Values[row*held.Width+k]
			}
			all = append(all, committee.NewScale(one, knots))
		}
	}
	return all, j.reportUnseen(predicted)
}

// unseen returns the predictions of a vote for rows that it was not trained on.
func (j *job) unseen(ctx context.Context, v *vote) (*learn.HoldOut, error) {
	if v.of.Learner != nil && len(j.subsets) == 1 {
		plan := j.Plan.For(j.target, j.rows, j.learner.Folds, rng.New(j.Seed, forHolding).Uint64())
		if j.requested = j.learner.Folds; plan != nil {
			j.requested = j.Plan.Short(plan, j.learner.Folds)
			folds, err := plan.Folds(j.target, j.Rows)
			if err != nil {
				return nil, err
			}
			j.folds = len(folds)
			all, err := fitting.OutOfFold(ctx, v.of.Learner, v.of.frame, j.target, folds,
				learn.Job{Valid: j.Valid, Plan: plan, Seed: rng.New(j.Seed, forHolding, 1).Uint64(),
					Workers: j.workers}, j.env, model.Response)
			if err != nil {
				return nil, err
			}
			return all[0], nil
		}
	}
	held := &learn.HoldOut{Rows: j.rows}
	if v.of.Learner != nil && len(j.subsets) > 1 {
		if others := without(j.rows, data.Distinct(j.subsets[v.subset])); len(others) > 0 {
			held.Rows = others
		}
	}
	var err error
	held.Width, held.Values, err = fitting.PredictRows(v.model, v.of.frame, held.Rows,
		model.Response, j.workers)
	return held, err
}

// reportUnseen passes the predictions that scales were made of to Job.HoldOut, by member, except
// those of models that were trained already.
func (j *job) reportUnseen(predicted map[*member][]*learn.HoldOut) error {
	if j.HoldOut == nil {
		return nil
	}
	for i := range j.members {
		m := &j.members[i]
		if m.Learner == nil {
			continue
		}
		if err := j.HoldOut("member "+m.Name, mean(predicted[m], j.rows)); err != nil {
			return err
		}
	}
	return nil
}

// mean returns, for each row that has predictions, their mean. Rows are ascending and distinct.
func mean(predicted []*learn.HoldOut, rows []int32) *learn.HoldOut {
	out := &learn.HoldOut{Width: predicted[0].Width}
	next := make([]int, len(predicted)) // place of the next row of each
	for _, row := range rows {
		sum, n := make([]float64, out.Width), 0
		for i, h := range predicted {
			if next[i] == len(h.Rows) || h.Rows[next[i]] != row {
				continue
			}
			for k := range sum {
				sum[k] += h.Values[next[i]*out.Width+k]
			}
			next[i], n = next[i]+1, n+1
		}
		if n == 0 {
			continue
		}
		for k := range sum {
			sum[k] /= float64(n)
		}
		out.Rows, out.Values = append(out.Rows, row), append(out.Values, sum...)
	}
	return out
}

// without returns the rows that are not among others; both are ascending and distinct.
func without(rows, others []int32) []int32 {
	var left []int32
	at := 0
	for _, r := range rows {
		for at < len(others) && others[at] < r {
			at++
		}
		if at == len(others) || others[at] != r {
			left = append(left, r)
		}
	}
	return left
}
