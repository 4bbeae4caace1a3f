package vote

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// The purposes of random streams. They never change, because the same seed must give the same
// bytes.
const (
	forRows = 1 // which rows are sampled; the path ends with the number of the resample
	// the seed of a member; the path ends with the numbers of the partition and of the member
	forMember    = 2
	forPartition = 3 // how rows are assigned to partitions
	// the folds for ranks, and the seeds of what is trained without a fold
	forHolding = 4
)

// summary is what training found; as JSON in the model's Spec.
type summary struct {
	training.Trained
	Members []string `json:"members"`
	// of the rows; each has all members that are learners
	Subsets int `json:"subsets,omitempty"`
	// rows that a member's scale was made of, at least
	HoldOut int `json:"hold_out,omitempty"`
	// folds of the cross-validation for scales; 0 = there was none
	Folds int `json:"folds,omitempty"`
	// where there are rows, groups or times for fewer: how many they were to be. Where for none,
	// scales are of rows that members learned from
	Requested int `json:"folds_requested,omitempty"`
}

// job is one Fit on its way.
type job struct {
	*fitter
	learn.Job
	target    *data.Target
	resampled *data.Target     // what members are trained on
	counted   training.Trained // the rows of the job, those of weight 0 too
	rows      []int32          // distinct
	// that members are trained on, with multiplicity; one if all are trained on all
	subsets   [][]int32
	votes     []vote
	held      int
	folds     int // of the cross-validation for ranks; 0: members are not trained again for it
	requested int // folds of the parameter, where there are fewer; else 0
	workers   int
	trained   bool // some vote was
}

// vote is one model that votes.
type vote struct {
	of     *member
	subset int // that it was trained on
	model  model.Model
}

// Fit trains the members. If the context is cancelled, or the observer returns an error, it returns
// the model of the members so far too; nil if none was trained, and of ranks, whose scales are made
// last, on a cancelled context.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	if t.Task != data.Regression && !t.Task.Classes() || t.Class == nil && len(t.Y) == 0 {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	if err := given.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	j := &job{fitter: f, Job: given, target: t, resampled: t,
		workers: parallel.Workers(given.Workers)}
	j.counted = training.TrainedOn(t, given.RowsOf(f.rows))
	j.Rows, j.Valid = given.Weighty(t, f.rows), t.WithWeight(given.Valid)
	j.rows = data.Distinct(j.Rows)
	if err := j.check(ctx); err != nil {
		return nil, err
	}
	if err := j.divide(); err != nil {
		return nil, err
	}
	ended := j.train(ctx)
	if ended != nil {
		if !j.trained || fitting.UnlessStop(ended) != nil && j.learner.Vote == VoteRanks {
			return nil, ended
		}
		j.votes = slices.DeleteFunc(j.votes, func(v vote) bool { return v.model == nil })
	}
	m, err := j.model(ctx)
	if err != nil {
		return nil, err
	}
	return m, fitting.UnlessStop(ended)
}

// check returns an error if a trained model does not predict the label, or if a learner does not
// support the task, before any is trained.
func (j *job) check(ctx context.Context) error {
	for i := range j.members {
		m := &j.members[i]
		if m.Model == nil {
			var err error
			switch {
			case m.whole != nil:
				err = learn.CheckTask(m.whole, j.target, j.Rows)
			case len(j.Rows) > 0:
				err = learn.CheckTaskUnprepared(ctx, m.Learner, m.frame, j.target, j.Rows[0], j.env)
			}
			if err != nil {
				return m.failed(err)
			}
			continue
		}
		if s := m.Model.Spec(); s.Task != j.target.Task ||
			!slices.Equal(s.Classes, j.target.Classes) {
			return m.failed(fmt.Errorf("the model predicts %s, the label is %s",
				taskText(s.Task, s.Classes), taskText(j.target.Task, j.target.Classes)))
		}
		if _, err := m.Model.Bind(&m.frame.Schema, model.Options{}); err != nil {
			return m.failed(err)
		}
	}
	return nil
}

// taskText names what is predicted.
func taskText(t data.Task, classes []string) string {
	if t.Classes() {
		return fmt.Sprintf("%s, classes %q", t, classes)
	}
	return t.String()
}

// failed adds the name of the member to an error.
func (m *member) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("member %s: %w", m.Name, err)
}

// divide makes the partitions or the resamples of the rows.
func (j *job) divide() error {
	l := &j.learner
	switch {
	case l.Partition > 0:
		kind := split.Stratified
		if j.target.Group != nil {
			kind = split.Grouped
		}
		t := *j.target
		t.Time = nil // nothing is tested on a subset
		if most := kind.MaxFolds(&t, j.Rows); most > 0 && l.Partition > most {
			what := "rows"
			if kind == split.Grouped {
				what = "groups"
			}
			return fmt.Errorf("partition=%d: %d subsets are more than the %d %s", l.Partition,
				l.Partition, most, what)
		}
		plan := split.Plan{Kind: kind, K: l.Partition, Seed: rng.New(j.Seed, forPartition).Uint64()}
		folds, err := plan.Folds(&t, j.Rows)
		if err != nil {
			return fmt.Errorf("partition=%d: %w", l.Partition, err)
		}
		for _, f := range folds {
			j.subsets = append(j.subsets, f.Test)
		}
	case l.Resamples > 0:
		pop, err := grow.Gather(j.target, j.Rows)
		if err != nil {
			return err
		}
		bags, err := ensembles.NewBags(l.Sample, nil, j.target, pop)
		if err != nil {
			return err
		}
		j.resampled = ensembles.Target(l.Sample, j.target)
		count := make([]uint32, len(pop.Rows))
		for i := range l.Resamples {
			bags.Sample(count, rng.Seed(j.Seed, forRows, uint64(i)))
			j.subsets = append(j.subsets, ensembles.Repeat(pop.Rows, count))
		}
	default:
		j.subsets = [][]int32{j.Rows}
	}
	return nil
}

// train trains each member on each partition or resample; models that are trained already vote
// once. Partitions are trained one after the other, so that only one is prepared at a time.
func (j *job) train(ctx context.Context) error {
	for p := range j.subsets {
		for i := range j.members {
			if m := &j.members[i]; m.Model == nil || p == 0 {
				j.votes = append(j.votes, vote{of: m, subset: p, model: m.Model})
			}
		}
	}
	at, each := j.workers, 1
	if j.learner.Partition > 0 {
		at = 1
	}
	each = max(1, j.workers/min(at, len(j.votes)))
	return parallel.InOrder(ctx, len(j.votes), at,
		func(ctx context.Context, i int) (model.Model, error) {
			m, err := j.fit(ctx, &j.votes[i], i, each)
			return m, j.votes[i].of.failed(err)
		},
		func(i int, m model.Model) error {
			j.votes[i].model, j.trained = m, true
			if j.Observe == nil {
				return nil
			}
			return j.Observe(learn.Round{Stage: "train members", N: i + 1, Of: len(j.votes)})
		})
}

// fit trains one of the votes.
func (j *job) fit(ctx context.Context, v *vote, number, workers int) (model.Model, error) {
	if v.model != nil {
		return v.model, nil
	}
	rows, prepared := j.subsets[v.subset], v.of.whole
	if prepared == nil {
		env := j.env
		env.Workers = workers
		var err error
		if prepared, err = v.of.Learner.Prepare(ctx, v.of.frame, data.Distinct(rows),
			j.resampled.Weight, env); err != nil {
			return nil, err
		}
	}
	m, err := prepared.Fit(ctx, j.resampled, learn.Job{Rows: rows, Valid: j.Valid, Plan: j.Plan,
		Seed:    rng.New(j.Seed, forMember, uint64(v.subset), uint64(number)).Uint64(),
		Workers: workers})
	if j.learner.Sample.Weighted {
		err = ensembles.WeighedTwice(err, Name, "weighted_sampling")
	}
	return m, err
}

// model joins the votes: to one ensemble where all are trees that can be.
func (j *job) model(ctx context.Context) (model.Model, error) {
	found := summary{Trained: j.counted}
	c := &committee.Committee{Meta: model.NewSpec(Name, j.frame.Schema, j.target)}
	c.Meta.Params = j.params
	weighted := false
	for i := range j.members {
		m := &j.members[i]
		if slices.ContainsFunc(j.votes, func(v vote) bool { return v.of == m }) {
			found.Members = append(found.Members, m.Name)
		}
		weighted = weighted || m.weight != 1
	}
	for i := range j.votes {
		c.Members = append(c.Members, j.votes[i].model)
		if weighted {
			c.Weights = append(c.Weights, j.votes[i].of.weight)
		}
	}
	switch l := &j.learner; {
	case l.Vote == VoteRanks:
		c.Combine = committee.Ranks
		var err error
		if c.Scales, err = j.scales(ctx); err != nil {
			return nil, err
		}
		found.HoldOut = j.held
		found.Folds, found.Requested = j.folds, j.requested
	case l.Vote == VoteMajority && j.target.Task.Classes():
		c.Combine = committee.Vote
	}
	if len(j.subsets) > 1 {
		found.Subsets = len(j.subsets)
	}
	summary, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	c.Meta.Summary = summary
	return ensembles.Joined(c)
}
