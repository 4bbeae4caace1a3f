package coppice

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// Train prepares a data set for a learner and fits one model. job.Rows chooses the training rows,
// nil = all rows that are not in job.Valid. A training that would hold more than job.Memory for
// rows x classes is refused before any work (learn.Job.CheckMemory). Date columns become numeric
// ones (data.ExpandDates), as job.Start has them if it is there. On a cancelled context it returns
// the model so far, if there is one, and ctx.Err(). A learner that is no learn.Resumable takes no
// job.Start. Of two classes the positive one is that of the target, else data.Target.ChoosePositive
// chooses it by the training rows. A row of the job that the data set does not have is a
// *data.RowError.
func Train(ctx context.Context, l learn.Learner, ds *data.Dataset, job learn.Job) (model.Model, error) {
	if _, ok := l.(learn.Resumable); !ok && job.Start != nil {
		return nil, errors.New("the learner does not train in rounds, so it cannot go on from a checkpoint")
	}
	if err := job.Check(ds.Frame, []int32{}); err != nil {
		return nil, err
	}
	var like *data.Schema
	if job.Start != nil {
		like = &job.Start.Model.Spec().Schema
	}
	ds, err := ds.Expanded(like)
	if err != nil {
		return nil, err
	}
	if job.Rows == nil {
		job.Rows = without(ds.Rows(), job.Valid)
	}
	if err := job.CheckMemory(l, &ds.Target); err != nil {
		return nil, err
	}
	f, err := l.Prepare(ctx, ds.Frame, job.Rows, ds.Target.Weight, Env(job.Workers))
	if err != nil {
		return nil, err
	}
	t := ds.Target
	t.ChoosePositive(job.Rows)
	return f.Fit(ctx, &t, job)
}

// Env is what learners use of their surroundings: the catalog, to find each other in, and Open, for
// models that are trained.
func Env(workers int) learn.Env {
	env := catalog.Env(workers)
	env.Open = Open
	return env
}

// without returns the rows below n that are not held back.
func without(n int, held []int32) []int32 {
	out := make([]bool, n)
	for _, r := range held {
		out[r] = true
	}
	rows := make([]int32, 0, n)
	for r := range int32(n) {
		if !out[r] {
			rows = append(rows, r)
		}
	}
	return rows
}
