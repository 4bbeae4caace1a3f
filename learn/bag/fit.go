package bag

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
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

// The purposes of a member's random streams, whose paths are purpose and number of the member. They
// never change, because the same seed must give the same bytes.
const (
	forRows        = 1 // which rows the member is trained on
	forColumns     = 2 // which columns it uses
	forBase        = 3 // the seed of its own choices
	forPermutation = 4 // how the values of a column are permuted; the path ends with the unit
)

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct {
	training.Trained
	Criterion string `json:"criterion,omitempty"`
	Members   int    `json:"members"`
	Columns   int    `json:"columns"` // that each member uses
	training.Bagging
}

// Check implements learn.Summary.
func (s *summary) Check(m model.Model) error { return s.Bagging.Check(m) }

// Describe implements learn.Summary.
func (s *summary) Describe(m model.Model) *training.Summary {
	return s.Bagging.Describe(m, s.Trained, s.Criterion)
}

// job is one Fit on its way.
type job struct {
	*fitter
	learn.Job
	target        *data.Target     // what members are trained on
	task          data.Task        // as it was given
	pop           *grow.Population // all rows to train on
	bags          *ensembles.Bags
	columnSamples *columnSamples // nil if members are trained on all columns
	truth         ensembles.Truth
	accumulator   *ensembles.Accumulator // nil if no row is ever out of the bag
	groups        [][]int32              // of columns that are permuted together
	pool          sync.Pool              // of *oob.Permuter

	members   []model.Model
	gains     [][]float64 // by member: decrease of impurity by each column's splits; nil = unknown
	increases [][]float64 // by member: increase of the loss by each column's permutation
}

// Fit trains the members. If the context is cancelled, or the observer returns an error, it returns
// the members so far too, those that all members before them are there for; nil if there are none.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	j, err := f.begin(t, given)
	if err != nil {
		return nil, err
	}
	settled := false
	if err = j.train(ctx); errors.Is(err, errSettled) {
		err, settled = nil, true
	}
	err = fitting.UnlessStop(err)
	if len(j.members) == 0 {
		return nil, err
	}
	m, failed := j.model(t, settled)
	if failed != nil {
		return nil, failed
	}
	if err == nil && j.OutOfBag != nil {
		err = j.OutOfBag(&learn.HoldOut{Rows: j.pop.Rows, Width: m.Outputs(),
			Values: j.accumulator.Predictions()})
	}
	if err == nil && j.Unseen != nil && j.accumulator != nil && estimates(j.members[0]) {
		err = j.Unseen(j.accumulator.Unseen())
	}
	return m, err
}

// begin gathers the rows and prepares their samples.
func (f *fitter) begin(t *data.Target, given learn.Job) (*job, error) {
	if t.Task.Classes() && t.Class == nil || !t.Task.Classes() && len(t.Y) == 0 {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	if err := given.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	l := &f.learner
	j := &job{fitter: f, Job: given, task: t.Task}
	if !slices.Contains(l.Base.Capabilities().Tasks, data.Ranking) {
		t = t.Pointwise()
	}
	rows := f.frame.Chosen(given.RowsOf(f.rows))
	var err error
	if j.pop, err = grow.Gather(t, rows); err != nil {
		return nil, err
	}
	if err := fitting.CheckLabelSizes(Name, f.frame, t, fitting.LabelLimit(t, rows),
		j.pop.Rows); err != nil {
		return nil, err
	}
	if j.bags, err = ensembles.NewBags(l.Sample, l.ClassFractions, t, j.pop); err != nil {
		return nil, err
	}
	j.target = ensembles.Target(l.Sample, t)
	if err := j.startOutOfBag(t); err != nil {
		return nil, err
	}
	if f.whole == nil {
		j.columnSamples = j.sampleColumns()
	}
	return j, nil
}

// errSettled ends the training when the out-of-bag error has settled.
var errSettled = errors.New("the out-of-bag error has settled")

// trained is a member with its importances and its out-of-bag predictions.
type trained struct {
	model    model.Model
	gain     []float64
	out      []int32   // positions in the population
	values   []float64 // as oob.Accumulator.Add takes them
	permuted []float64
}

// train trains the members, several at a time. Where there are fewer members than workers, those
// left over help the base.
func (j *job) train(ctx context.Context) error {
	n, workers := j.learner.Members, parallel.Workers(j.Workers)
	each := max(1, workers/n)
	return parallel.InOrder(ctx, n, workers,
		func(ctx context.Context, i int) (trained, error) { return j.member(ctx, i, each) },
		func(i int, m trained) error {
			j.members, j.gains, j.increases = append(j.members, m.model), append(j.gains, m.gain),
				append(j.increases, m.permuted)
			if j.accumulator != nil && estimates(m.model) {
				if i == 0 {
					j.accumulator.DecideBy(j.decision(m.model))
				}
				j.accumulator.Add(m.out, m.values)
			}
			if j.Observe != nil {
				if err := j.Observe(learn.Round{Stage: "grow", N: i + 1, Of: n}); err != nil {
					return err
				}
			}
			if j.accumulator != nil && i+1 < n && j.accumulator.Settled(j.learner.Settle) {
				return errSettled
			}
			return nil
		})
}

// member trains member number i.
func (j *job) member(ctx context.Context, i, workers int) (trained, error) {
	count := make([]uint32, len(j.pop.Rows))
	j.bags.Sample(count, rng.Seed(j.Seed, forRows, uint64(i)))
	prepared, columns := j.whole, []int(nil)
	if j.columnSamples != nil {
		var err error
		if prepared, columns, err = j.columnSamples.take(ctx, j, i, workers); err != nil {
			return trained{}, err
		}
		defer j.columnSamples.drop(i)
	}
	fitted, err := prepared.Fit(ctx, j.target, learn.Job{Rows: ensembles.Repeat(j.pop.Rows, count),
		Valid: j.Valid, Plan: j.Plan,
		Seed: rng.New(j.Seed, forBase, uint64(i)).Uint64(), Workers: workers})
	if err != nil { // what the base made of a cancelled context is no member
		var task *learn.TaskError
		if errors.As(err, &task) && j.task == data.Ranking {
			err = &learn.TaskError{Learner: task.Learner, Task: j.task, Advice: task.Advice}
		}
		if j.learner.Sample.Weighted {
			err = ensembles.WeighedTwice(err, Name, "weighted_sampling")
		}
		return trained{}, err
	}
	m := trained{}
	m.model, m.gain = j.compact(fitted, columns)
	if j.accumulator == nil || !estimates(m.model) {
		return m, j.checkEstimates(m.model)
	}
	m.out = outOf(count)
	if m.values, err = j.predict(m.model, m.out, workers); err == nil &&
		j.learner.Importance == ImportancePermutation {
		m.permuted, err = j.permuted(m.model, i, columns, m.out, workers)
	}
	return m, err
}

// votes reports whether members vote for classes.
func (j *job) votes() bool { return j.learner.Vote == VoteMajority && j.target.Task.Classes() }

// model joins the members: to one ensemble where they are trees.
func (j *job) model(t *data.Target, settled bool) (model.Model, error) {
	first := j.members[0].Spec()
	criterion, err := j.criterion(j.members[0])
	if err != nil {
		return nil, err
	}
	found := summary{Trained: fitting.Trained(j.pop), Members: len(j.members),
		Columns: j.columns(), Criterion: criterion}
	found.Importances = j.importances()
	if j.accumulator != nil && estimates(j.members[0]) {
		found.OutOfBag = j.accumulator.Report()
		found.OutOfBag.Settled = settled
	}
	c := &committee.Committee{Members: j.members, Meta: model.NewSpec(Name, j.frame.Schema, t)}
	c.Meta.Task, c.Meta.Classes, c.Meta.Quantiles = first.Task, first.Classes, first.Quantiles
	if j.task == data.Ranking {
		c.Meta.Task = data.Ranking // by members that may predict the relevance
	}
	if err := fitting.Describe(&c.Meta, j.learner.Params(), &found); err != nil {
		return nil, err
	}
	if j.votes() {
		c.Combine = committee.Vote
	} else {
		c.Meta.Decision = first.Decision
	}
	return ensembles.Joined(c)
}

// criterion returns that by which the splits of a member were chosen, "" if there is none.
func (j *job) criterion(m model.Model) (string, error) {
	empty := j.learner.Base.Capabilities().Summary
	if empty == nil || len(m.Spec().Summary) == 0 {
		return "", nil
	}
	found := empty()
	if err := learn.ReadSummary(m, found); err != nil {
		return "", err
	}
	return found.Describe(m).Criterion, nil
}
