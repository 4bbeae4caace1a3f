// Package portfolio owns the learner portfolio: an ensemble of configurations of several learners,
// which are selected greedily by out-of-fold predictions (Caruana et al. 2004, "Ensemble Selection
// from Libraries of Models").
//
//	configurations     gbm as given | forest | gbm, 8 leaves | logistic | ... | sampled settings
//	    |
//	    v   each is trained without each fold, and predicts it; the folds are the same for all
//	out-of-fold        0.31           0.33     0.30            0.42
//	    |
//	    v   the mean of the predictions gets one member more, the best, again and again
//	selected           3 x            1 x      5 x             -
//	    |
//	    v
//	model              the mean of what the selected ones were trained to on the folds
//
// The first configuration is that of the first member as it is given, gbm with its defaults. The
// selection starts from it, so that others need more than luck to replace it, and it is trained on
// all rows: where nothing else helps the model is that of the defaults.
//
// A learner that chooses its number of rounds does so by the fold that it is to predict. That takes
// one training for a fold, in place of several; its out-of-fold losses are a little too low.
package portfolio

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "portfolio"

// Learner is a portfolio with its parameters. Make one with New, which sets the defaults. The
// fields are declared, with default, range and meaning, in Params.
type Learner struct {
	// Train so many configurations, or begin configurations for so long; with a number the model is
	// the same for any number of threads. Parameter budget: a number, as 50, or a time, as 90s, 10m
	// or 2h; default 16.
	Budget string
	// Learners whose configurations are tried; parameters that all configurations of one have are
	// set as members.NAME.KEY; those that do not support the label or the columns are left out.
	// Parameter members: [NAME:]LEARNER,...; default
	// gbm,forest,extratrees,logistic,linear,cox,knn,network.
	Members learn.Members
	// Folds of the cross-validation, at most as many as there are rows, groups or times; by time,
	// and with a validation set, there is one validation set instead. Parameter folds: an integer
	// >= 2 and <= 1000 (0 = 5, of more than 40000 rows 3); default 0.
	Folds int
	// How often a configuration is selected, with replacement; its weight in the ensemble is how
	// often it was. Parameter selection: an integer >= 1 and <= 10000; default 50.
	Selection int
	// What of a selected configuration predicts; folds: the mean of the models that were trained
	// without a fold; refit: a model that is trained on all rows; auto: refit if the hold-out set
	// is the latest rows, else folds. Parameter final: auto, folds or refit; default auto.
	Final Final
}

// New returns a learner with default parameters. resolve finds members by name; nil: the caller
// gives Members.List, or Prepare finds them by Env.Resolve.
func New(resolve learn.Resolve) *Learner {
	return param.WithDefaults(&Learner{Members: learn.Members{Resolve: resolve}})
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Text(&l.Budget, "budget", "16", "a number, as 50, or a time, as 90s, 10m or 2h", checkBudget,
			"train so many configurations, or begin configurations for so long; with a number the "+
				"model is the same for any number of threads"),
		learn.MembersParam(&l.Members, "members",
			"gbm,forest,extratrees,logistic,linear,cox,knn,network",
			"learners whose configurations are tried; parameters that all configurations of one "+
				"have are set as members.NAME.KEY; those that do not support the label or the "+
				"columns are left out"),
		param.Int(&l.Folds, "folds", 0, 2, 1000,
			"folds of the cross-validation, at most as many as there are rows, groups or times; by "+
				"time, and with a validation set, there is one validation set instead",
			param.Zero(fmt.Sprintf("%d, of more than %d rows %d", manyFolds, manyRows,
				fewFolds))).Also("cv"),
		param.Int(&l.Selection, "selection", 50, 1, 10_000,
			"how often a configuration is selected, with replacement; its weight in the ensemble "+
				"is how often it was"),
		param.AnyOf(&l.Final, "final",
			"what of a selected configuration predicts; folds: the mean of the models that were "+
				"trained without a fold; refit: a model that is trained on all rows; auto: refit "+
				"if the hold-out set is the latest rows, else folds"),
	}
}

// The numbers of folds. A fold model of larger tables has enough rows with three.
const (
	manyFolds, fewFolds = 5, 3
	manyRows            = 40_000
)

func checkBudget(text string) error {
	_, err := learn.ParseBudget(text)
	return err
}

// Capabilities implements learn.Learner. It requires of a table what all members require. A
// validation set replaces the folds, so it chooses rounds and configurations.
func (l *Learner) Capabilities() learn.Capabilities {
	c := learn.Capabilities{
		Summary:    func() learn.Summary { return new(Summary) },
		Validation: learn.Validation{EarlyStopping: true, MetaLearning: true},
		// predictions of two dozen configurations, and what a member holds
		RowClassBytes: 240,
	}
	for i := range l.Members.List {
		own := l.Members.List[i].Learner.Capabilities()
		if i == 0 {
			c.Needs, c.Task = own.Needs, own.Task
		}
		c.Needs = both(c.Needs, own.Needs)
		for _, task := range own.Tasks {
			if !slices.Contains(c.Tasks, task) {
				c.Tasks = append(c.Tasks, task)
			}
		}
		if own.Conflicts != nil && c.Conflicts == nil {
			c.Conflicts = fmt.Errorf("member %s: %w", l.Members.List[i].Name, own.Conflicts)
		}
	}
	return c
}

// both returns what two learners require alike.
func both(a, b learn.Needs) learn.Needs {
	return learn.Needs{Classes: a.Classes && b.Classes, Survival: a.Survival && b.Survival,
		Categorical: a.Categorical && b.Categorical,
		Complete:    a.Complete && b.Complete}
}

// fitter is a table with the parameters at the time of Prepare.
type fitter struct {
	learner Learner
	budget  learn.Budget
	frame   *data.Frame
	rows    []int32
	weight  []float64
	env     learn.Env
	params  []byte
	members []member
}

// member is a learner whose configurations are tried.
type member struct {
	name, learned string // the member's name, and that of its learner
	given         learn.Learner
	// copy returns the learner as it is given, to be changed; nil: it is none of the catalog.
	copy func() (learn.Learner, error)
}

// Prepare takes the members. They are prepared without each fold, by Fit.
func (l *Learner) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	f, rows, err := fitting.Frame(l.Params(), features, rows, l.Capabilities().Conflicts)
	if err != nil {
		return nil, err
	}
	env = env.Alone()
	p := &fitter{learner: *l, frame: f, rows: f.Chosen(rows), weight: weight,
		env: env}
	if p.params, err = l.Params().MarshalJSON(); err != nil {
		return nil, err
	}
	if p.budget, err = learn.ParseBudget(l.Budget); err != nil {
		return nil, err
	}
	ready, err := l.Members.Take(env)
	if err != nil {
		return nil, err
	}
	for _, r := range ready {
		if r.Model != nil {
			return nil, fmt.Errorf("member %s: a model that is trained already may have seen the "+
				"labels; only vote takes one", r.Name)
		}
		p.members = append(p.members, member{r.Name, r.Learned, r.Learner, l.copier(r, env)})
	}
	return p, nil
}

// copier returns a function that copies a member; nil for a learner that the catalog does not make.
func (l *Learner) copier(r learn.ReadyMember, env learn.Env) func() (learn.Learner, error) {
	resolve := l.Members.Resolve
	if resolve == nil {
		resolve = env.Resolve
	}
	if resolve == nil {
		return nil
	}
	if name, _, err := resolve(r.Learned); err != nil || name != r.Learned {
		return nil
	}
	return func() (learn.Learner, error) {
		given, err := r.Learner.Params().MarshalJSON()
		if err != nil {
			return nil, err
		}
		_, fresh, err := resolve(r.Learned)
		if err != nil {
			return nil, err
		}
		return fresh, fresh.Params().UnmarshalJSON(given)
	}
}
