// Package vote owns the learner vote: several learners of any kinds, whose predictions are combined
// to one.
//
//	vote=probability   the mean of the class probabilities (soft voting), or of the numbers
//	vote=majority      each member counts for one class (hard voting); numbers are averaged
//	vote=ranks         the mean of the ranks, for members whose scores are of different scales
//
// Members are trained on all columns or on some (columns). They are trained on all rows, on
// disjoint partitions where one fit is too large (partition), or on samples that overlap where
// there are few rows (resamples). Models that are trained already may be among them.
//
// Weights are given; the learner stack estimates them.
package vote

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "vote"

// Learner is a vote with its parameters. Make one with New, which sets the defaults. The fields are
// declared, with default, range and meaning, in Params.
type Learner struct {
	// Learners, whose parameters are set as members.NAME.KEY, and models of files, which are
	// trained already. Parameter members: [NAME:]LEARNER, @FILE,...; default forest,gbm,extratrees.
	Members learn.Members
	// How members make one prediction; probability: the mean of their class probabilities, or
	// numbers; majority: each counts for one class; ranks: the mean of the ranks of their
	// predictions among those for rows that they were not trained on. Parameter vote: probability,
	// majority or ranks; default probability.
	Vote Vote
	// Weights of members; 1 for members not named. Parameter weights: NAME=WEIGHT,...; default "".
	Weights string
	// Columns that a member is trained on, by name (a date column stands for all that were made of
	// it), by a pattern with *, or all of a kind; members not named get all. Parameter columns:
	// NAME=COL+COL, numeric, categorical,...; default "".
	Columns string
	// Train each member on each of this many disjoint partitions of the rows; groups stay together.
	// Parameter partition: an integer >= 2 and <= 1000000 (0 = on all rows at once); default 0.
	Partition int
	// Train each member on each of this many samples of the rows, which overlap. Parameter
	// resamples: an integer >= 1 and <= 1000000 (0 = on all rows at once); default 0.
	Resamples int
	// Rows of each member: bootstrap = sampled with replacement, subsample = without, none = all.
	// Parameter sample: bootstrap, subsample or none; default bootstrap.
	Sample sample.Settings
	// Folds of the cross-validation for vote=ranks, at most as many as there are rows, groups or
	// times; without a partition or resamples. Parameter folds: an integer >= 2 and <= 1000;
	// default 5.
	Folds int
}

// New returns a learner with default parameters. resolve finds members by name; nil: the caller
// gives Members.List, or Prepare finds them by Env.Resolve.
func New(resolve learn.Resolve) *Learner {
	return param.WithDefaults(&Learner{Members: learn.Members{Resolve: resolve, Trained: true}})
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return slices.Concat(param.Set{
		learn.MembersParam(&l.Members, "members", "forest,gbm,extratrees",
			"learners, whose parameters are set as members.NAME.KEY, and models of files, which "+
				"are trained already").Also("estimators"),
		param.AnyOf(&l.Vote, "vote",
			"how members make one prediction; probability: the mean of their class probabilities, "+
				"or numbers; majority: each counts for one class; "+
				"ranks: the mean of the ranks of their predictions among those for rows that they "+
				"were not trained on"),
		learn.MemberWeightsParam(&l.Weights, "weights of members; 1 for members not named"),
		learn.MemberColumnsParam(&l.Columns),
		param.Int(&l.Partition, "partition", 0, 2, 1_000_000,
			"train each member on each of this many disjoint partitions of the rows; groups stay "+
				"together", param.Zero("on all rows at once")),
		param.Int(&l.Resamples, "resamples", 0, 1, 1_000_000,
			"train each member on each of this many samples of the rows, which overlap",
			param.Zero("on all rows at once")),
	}, l.Sample.Params(sample.Bootstrap), param.Set{
		param.Int(&l.Folds, "folds", 5, 2, 1000,
			"folds of the cross-validation for vote=ranks, at most as many as there are rows, "+
				"groups or times; without a partition or resamples"),
	})
}

// Capabilities implements learn.Learner. The members decide what the table must have, and what a
// validation set is used for. For each row and class there are predictions by which members are
// weighed, and what a member holds.
func (l *Learner) Capabilities() learn.Capabilities {
	c := l.Members.Capabilities()
	c.Summary = func() learn.Summary { return new(summary) }
	c.RowClassBytes, c.Conflicts = 40, l.conflicts()
	return c
}

// conflicts reports which parameters exclude each other.
func (l *Learner) conflicts() error {
	if l.Partition > 0 && l.Resamples > 0 {
		return errors.New("partition does not go with resamples: use one of them")
	}
	for _, p := range l.Sample.Params(sample.Bootstrap) {
		if l.Resamples == 0 && p.Value() != p.Default {
			return fmt.Errorf("%s controls how rows are sampled for resamples: add resamples=N",
				p.Name)
		}
	}
	_, err := l.Members.Weights(l.Weights)
	return err
}

// fitter is a table with the parameters at the time of Prepare.
type fitter struct {
	learner Learner
	frame   *data.Frame
	rows    []int32
	weight  []float64
	env     learn.Env
	params  []byte
	members []member
}

// member is one of those that vote, on its columns.
type member struct {
	learn.ReadyMember
	weight  float64
	columns []int // nil = all
	frame   *data.Frame
	// prepared on all rows; nil for models, partitions and resamples
	whole learn.Fitter
}

// Prepare prepares the members on the given rows. With partitions or resamples Fit does it.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	f, rows, err := fitting.Frame(l.Params(), features, rows, l.conflicts())
	if err != nil {
		return nil, err
	}
	env = env.Alone()
	v := &fitter{learner: *l, frame: f, rows: f.Chosen(rows), weight: weight,
		env: env}
	v.learner.Weights = l.Members.Canonical(l.Weights)
	v.learner.Columns = l.Members.Canonical(l.Columns)
	if v.params, err = v.learner.Params().MarshalJSON(); err != nil {
		return nil, err
	}
	ready, err := l.Members.Take(env)
	if err != nil {
		return nil, err
	}
	columns, err := l.Members.Columns(l.Columns, &f.Schema)
	if err != nil {
		return nil, err
	}
	weights, err := l.Members.Weights(l.Weights)
	if err != nil {
		return nil, err
	}
	for i, r := range ready {
		m := member{ReadyMember: r, weight: 1, columns: columns[i], frame: f}
		if weights != nil {
			m.weight = weights[i]
		}
		if m.columns != nil {
			m.frame = f.Select(m.columns)
		}
		if m.Learner != nil && l.Partition == 0 {
			if m.whole, err = m.Learner.Prepare(ctx, m.frame, v.rows, weight, env); err != nil {
				return nil, m.failed(err)
			}
		}
		v.members = append(v.members, m)
	}
	return v, nil
}
