// Package stack owns the learner stack: members of any kinds are trained, and a meta-learner is
// trained on their predictions (stacked generalisation, Wolpert 1992; stacked regressions, Breiman
// 1996).
//
// Members predict the rows that they were trained on better than others. A meta-learner that is
// trained on such predictions (plan=naive) therefore prefers members that overfit. So it is trained
// on out-of-fold predictions:
//
//	plan=auto, random, stratified, grouped, time, leave-one-out
//	             fold 0 1 2        each fold is predicted by members that were trained on the others
//	             fold 0 - 1 2      by time: on those before it; the first block has no predictions
//	plan=blend   train | hold-out  members trained on one set predict the other (blending)
//
// The members of the model are then trained on all rows.
//
// The meta-learner is a ridge without negative weights, whose model is a committee of the members
// that have a weight, or any learner. With meta_learner=stack there is a second level, whose
// members are trained on the out-of-fold predictions of the first. These predictions depend on
// labels of other rows, among them those of the second level's own folds. A stack as a member
// (members=stack) is cross-validated as a whole, which takes as many times longer as there are
// folds.
package stack

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "stack"

// Learner is a stack with its parameters. Make one with New, which sets the defaults. The fields
// are declared, with default, range and meaning, in Params.
type Learner struct {
	// Learners that are combined; their parameters are set as members.NAME.KEY. Parameter members:
	// [NAME:]LEARNER,...; default forest,gbm,extratrees.
	Members learn.Members
	// Columns that a member is trained on, by name (a date column stands for all that were made of
	// it), by a pattern with *, or all of a kind; members not named get all. Parameter columns:
	// NAME=COL+COL, numeric, categorical,...; default "".
	Columns string
	// How rows are assigned to folds, whose out-of-fold predictions train the meta-learner; auto:
	// by groups or time where there are, else by classes; blend: one validation set; naive: none,
	// so that it prefers members that overfit. Parameter plan: auto, random, stratified, grouped,
	// time, leave-one-out, blend or naive; default auto.
	Plan Plan
	// Folds of the cross-validation, at most as many as there are rows, groups or times. Parameter
	// folds: an integer >= 2 and <= 1000; default 5.
	Folds int
	// Fraction of the rows in the hold-out set of plan=blend; a validation set replaces it.
	// Parameter blend: a number > 0 and < 1; default 0.25.
	Blend float64
	// Which predictions of members train the meta-learner: class probabilities, labels or raw
	// scores; numbers are numbers. Parameter outputs: proba, label or raw; default proba.
	Outputs model.Output
	// The meta-learner is trained on the columns of the table, too. Parameter passthrough: true or
	// false; default false.
	Passthrough bool
	// What combines the members; ridge: a weight for each member, none of them negative, by least
	// squares; its parameters are set as meta_learner.KEY (coppice learners stack meta_learner=NAME
	// lists them). Parameter meta_learner: ridge or the name of a learner; default ridge.
	MetaLearner MetaLearner
}

// New returns a learner with default parameters. resolve finds members and meta-learner by name;
// nil: the caller gives learners, or Prepare finds them by Env.Resolve.
func New(resolve learn.Resolve) *Learner {
	l := &Learner{Members: learn.Members{Resolve: resolve}}
	l.MetaLearner.Choice.Resolve = resolve
	return param.WithDefaults(l)
}

// Params declares the parameters. Five folds leave members four fifths of the rows, which is near
// what all will teach them.
func (l *Learner) Params() param.Set {
	return param.Set{
		learn.MembersParam(&l.Members, "members", "forest,gbm,extratrees",
			"learners that are combined; their parameters are set as "+
				"members.NAME.KEY").Also("estimators"),
		learn.MemberColumnsParam(&l.Columns),
		param.AnyOf(&l.Plan, "plan",
			"how rows are assigned to folds, whose out-of-fold predictions train the "+
				"meta-learner; auto: by groups or time where there are, else by classes; "+
				"blend: one validation set; naive: none, so that it prefers members that overfit"),
		param.Int(&l.Folds, "folds", 5, 2, 1000,
			"folds of the cross-validation, at most as many as there are rows, groups or "+
				"times").Also("cv"),
		param.Float(&l.Blend, "blend", 0.25, 0, 1,
			"fraction of the rows in the hold-out set of plan=blend; a validation set replaces it",
			param.ExcludeMin, param.ExcludeMax),
		param.OneOf(&l.Outputs, "outputs", []model.Output{model.Response, model.Label, model.Raw},
			"which predictions of members train the meta-learner: class probabilities, labels or "+
				"raw scores; numbers are numbers"),
		param.Bool(&l.Passthrough, "passthrough", false,
			"the meta-learner is trained on the columns of the table, too"),
		param.Chosen(&l.MetaLearner, "meta_learner", ridgeName, "ridge or the name of a learner",
			"what combines the members; ridge: a weight for each member, none of them negative, "+
				"by least squares; its parameters are set as meta_learner.KEY (coppice learners "+
				"stack meta_learner=NAME lists them)").Also("final_estimator"),
	}
}

// Capabilities implements learn.Learner. A blend fits its meta-learner to the validation set, which
// no member uses then; else members and meta-learner decide what it is used for. For each row and
// class there are out-of-fold predictions of a few members, what the meta-learner makes of them,
// and what a member holds.
func (l *Learner) Capabilities() learn.Capabilities {
	c := l.Members.Capabilities()
	c.Summary = func() learn.Summary { return new(Summary) }
	c.Validation = c.Validation.Or(l.MetaLearner.Capabilities().Validation)
	if l.Plan == PlanBlend {
		c.Validation = learn.Validation{MetaLearning: true}
	}
	c.RowClassBytes, c.Conflicts = 80, l.conflicts()
	return c
}

// conflicts reports which parameters exclude each other.
func (l *Learner) conflicts() error {
	if !l.MetaLearner.ridge() {
		return nil
	}
	var faults []error
	if l.Passthrough {
		faults = append(faults, errors.New("passthrough=true needs a meta-learner that takes "+
			"columns, such as meta_learner=gbm: ridge weighs members"))
	}
	if l.Outputs == model.Raw {
		faults = append(faults, errors.New("outputs=raw needs another meta-learner, such as "+
			"meta_learner=gbm: ridge weighs probabilities, labels or numbers"))
	}
	if r := l.MetaLearner.Ridge; r != nil && r.powers() && l.Outputs == model.Label {
		faults = append(faults, fmt.Errorf("meta_learner.pool=%s pools class probabilities, and "+
			"outputs=label has none: use meta_learner.pool=linear", r.Pool))
	}
	return errors.Join(faults...)
}

// fitter is a table with the parameters at the time of Prepare.
type fitter struct {
	learner     Learner
	frame       *data.Frame
	rows        []int32
	weight      []float64
	env         learn.Env
	params      []byte
	members     []member
	metaLearner learn.Learner // nil: ridge
	ridge       Ridge
}

// member is a learner on its columns.
type member struct {
	learn.ReadyMember
	frame *data.Frame
	whole learn.Fitter // prepared on all rows
}

// Prepare prepares the members on the given rows. They are prepared again without each fold.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	f, rows, err := fitting.Frame(l.Params(), features, rows, l.conflicts())
	if err != nil {
		return nil, err
	}
	env = env.Alone()
	s := &fitter{learner: *l, frame: f, rows: f.Chosen(rows), weight: weight,
		env: env}
	s.learner.Columns = l.Members.Canonical(l.Columns)
	if s.params, err = s.learner.Params().MarshalJSON(); err != nil {
		return nil, err
	}
	if l.MetaLearner.ridge() {
		s.ridge = *l.MetaLearner.Ridge
	} else {
		taken, err := l.MetaLearner.Take(env)
		if err != nil {
			return nil, fmt.Errorf("meta-learner: %w", err)
		}
		s.metaLearner = taken.Learner
	}
	ready, err := l.Members.Take(env)
	if err != nil {
		return nil, err
	}
	columns, err := l.Members.Columns(l.Columns, &f.Schema)
	if err != nil {
		return nil, err
	}
	for i, r := range ready {
		m := member{ReadyMember: r, frame: f}
		if r.Model != nil {
			return nil, m.failed(errors.New("a model that is trained already may have seen the " +
				"labels; only vote takes one"))
		}
		if columns[i] != nil {
			m.frame = f.Select(columns[i])
		}
		if m.whole, err = m.Learner.Prepare(ctx, m.frame, s.rows, weight, env); err != nil {
			return nil, m.failed(err)
		}
		s.members = append(s.members, m)
	}
	return s, nil
}

// failed adds the name of the member to an error.
func (m *member) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("member %s: %w", m.Name, err)
}
