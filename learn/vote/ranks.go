package vote

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
)

// knots is how many different answers a scale keeps at most.
const knots = 1024

// scales makes the scales of all votes, of what they say of rows that they were not trained on: members that have learned their
// rows by heart would otherwise seem surer than they are. Where parts of the rows differ, those rows are the ones of other
// parts; else a member is trained again without each fold. Models that are trained already are asked about all rows, and so
// are members where nothing can be held back.
func (j *job) scales(ctx context.Context) ([]committee.Scale, error) {
	var all []committee.Scale
	j.held = len(j.rows)
	for i := range j.votes {
		v := &j.votes[i]
		width, values, err := j.answers(ctx, v)
		if err != nil {
			return nil, v.of.failed(err)
		}
		first := 0
		if j.target.Task.Classes() && width == 2 {
			first = 1
		}
		n := len(values) / width
		j.held = min(j.held, n)
		for k := first; k < width; k++ {
			one := make([]float64, n)
			for row := range one {
				one[row] = values[row*width+k]
			}
			all = append(all, committee.NewScale(one, knots))
		}
	}
	return all, nil
}

// answers returns what a vote says of rows that it has not seen.
func (j *job) answers(ctx context.Context, v *vote) (width int, values []float64, err error) {
	if v.of.Learner != nil && len(j.parts) == 1 {
		plan := j.Plan.For(j.target, j.rows, j.learner.Folds, rng.New(j.Seed, forHolding).Uint64())
		if plan != nil {
			folds, err := plan.Folds(j.target, j.Rows)
			if err != nil {
				return 0, nil, err
			}
			held, err := learn.OutOfFold(ctx, v.of.Learner, v.of.frame, j.target, folds,
				learn.Job{Valid: j.Valid, Plan: plan, Seed: rng.New(j.Seed, forHolding, 1).Uint64(), Workers: j.workers}, j.env, model.Response)
			if err != nil {
				return 0, nil, err
			}
			return held.Width, held.Values, nil
		}
	}
	rows := j.rows
	if v.of.Learner != nil && len(j.parts) > 1 {
		if others := without(j.rows, data.Distinct(j.parts[v.part])); len(others) > 0 {
			rows = others
		}
	}
	return learn.Predictions(v.model, v.of.frame, rows, model.Response, j.workers)
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
