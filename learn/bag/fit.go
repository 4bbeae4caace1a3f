package bag

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
)

// The purposes of a member's random streams, whose paths are purpose and number of the member. They are part of what a
// seed means and never change.
const (
	forRows    = 1 // which rows the member is trained on
	forColumns = 2 // which columns it sees
	forBase    = 3 // the seed of its own choices
)

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	Rows      int    `json:"rows"` // training rows, with multiplicity
	Criterion string `json:"criterion,omitempty"`
	Members   int    `json:"members"`
	Columns   int    `json:"columns"` // that each member sees
}

// job is one Fit on its way.
type job struct {
	*fitter
	learn.Job
	target  *data.Target // what members are trained on
	rows    []int32      // ascending; a row stands here as often as in Job.Rows
	sampler *sample.Sampler
	parts   *parts // of the columns; nil if members see all
}

// Fit trains the members. If the context is cancelled, or the observer returns an error, it returns the members so far too,
// those that all members before them are there for; nil if there are none.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	j, err := f.begin(t, given)
	if err != nil {
		return nil, err
	}
	members, err := j.train(ctx)
	if len(members) == 0 {
		return nil, err
	}
	m, failed := j.model(t, members)
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// begin finds the rows and says how they are drawn.
func (f *fitter) begin(t *data.Target, given learn.Job) (*job, error) {
	if t.Class == nil && len(t.Y) == 0 {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	j := &job{fitter: f, Job: given, target: t}
	all := given.Rows
	if all == nil {
		all = f.rows
	}
	if all == nil {
		all = data.AllRows(f.frame.Rows())
	}
	for _, r := range all {
		if t.WeightAt(r) > 0 {
			j.rows = append(j.rows, r)
		}
	}
	if len(j.rows) == 0 {
		return nil, grow.ErrNoWeight
	}
	slices.Sort(j.rows)
	settings := f.learner.Sample
	of := sample.Rows{N: len(j.rows), Classes: t.Classes}
	if t.Class != nil {
		of.Class = pick(t.Class, j.rows)
	}
	if t.Group != nil {
		of.Group = pick(t.Group, j.rows)
	}
	if settings.Weighted && t.Weight != nil {
		of.Weight = pick(t.Weight, j.rows)
		alike := *t // what is drawn by weight counts alike
		alike.Weight = nil
		j.target = &alike
	}
	var err error
	if j.sampler, err = sample.New(settings, of); err != nil {
		return nil, err
	}
	if f.whole == nil {
		j.parts = j.draw()
	}
	return j, nil
}

func pick[T any](values []T, rows []int32) []T {
	picked := make([]T, len(rows))
	for i, r := range rows {
		picked[i] = values[r]
	}
	return picked
}

// train trains the members, several at a time. Where there are fewer members than workers, those left over help the base.
func (j *job) train(ctx context.Context) ([]model.Model, error) {
	n, workers := j.learner.Members, j.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	each := max(1, workers/n)
	var members []model.Model
	err := learn.InOrder(ctx, n, workers,
		func(ctx context.Context, i int) (model.Model, error) { return j.member(ctx, i, each) },
		func(i int, m model.Model) error {
			members = append(members, m)
			if j.Observe == nil {
				return nil
			}
			return j.Observe(learn.Round{Stage: "grow", N: i + 1, Of: n})
		})
	return members, err
}

// member trains member number i.
func (j *job) member(ctx context.Context, i, workers int) (model.Model, error) {
	count := make([]uint32, len(j.rows))
	j.sampler.Draw(count, rng.New(j.Seed, forRows, uint64(i)))
	prepared := j.whole
	if j.parts != nil {
		var err error
		if prepared, err = j.parts.take(ctx, j, i, workers); err != nil {
			return nil, err
		}
		defer j.parts.drop(i)
	}
	m, err := prepared.Fit(ctx, j.target, learn.Job{Rows: repeat(j.rows, count), Valid: j.Valid, Plan: j.Plan,
		Seed: rng.New(j.Seed, forBase, uint64(i)).Uint64(), Workers: workers})
	if err != nil {
		return nil, err // what the base made of a cancelled context is no member
	}
	return m, nil
}

// repeat returns each row as often as it counts.
func repeat(rows []int32, count []uint32) []int32 {
	n := uint32(0)
	for _, c := range count {
		n += c
	}
	repeated := make([]int32, 0, n)
	for i, c := range count {
		for range c {
			repeated = append(repeated, rows[i])
		}
	}
	return repeated
}

// model joins the members: to one ensemble where they are trees.
func (j *job) model(t *data.Target, members []model.Model) (model.Model, error) {
	params, err := json.Marshal(j.learner.Params())
	if err != nil {
		return nil, err
	}
	first := members[0].Spec()
	found := Summary{Rows: len(j.rows), Members: len(members), Columns: j.columns(), Criterion: criterionOf(first)}
	summary, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	c := &committee.Committee{Members: members, Meta: model.Spec{Schema: j.frame.Schema, Label: t.Name, Task: first.Task,
		Classes: first.Classes, Learner: Name, Params: params, Summary: summary}}
	if j.learner.Vote == majority && t.Task.Classes() {
		c.Combine = committee.Vote
	} else {
		c.Meta.Decision = first.Decision
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if flat, ok := c.Flatten(); ok {
		return flat, nil
	}
	return c, nil
}

// criterionOf returns what a member's summary calls its criterion, "" if it has none.
func criterionOf(s *model.Spec) string {
	var found struct {
		Criterion string `json:"criterion"`
	}
	if json.Unmarshal(s.Summary, &found) != nil {
		return ""
	}
	return found.Criterion
}
