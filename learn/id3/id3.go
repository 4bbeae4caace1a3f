// Package id3 owns the learner id3: Quinlan's first classification trees ("Induction of decision
// trees", Machine Learning 1, 1986). A node tests one categorical column and has a child for each
// category; the column is that of largest information gain. There is no pruning.
package id3

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/quinlan"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// Name is the learner's name in the catalog.
const Name = "id3"

// instead is the learner that takes what ID3 does not.
const instead = "c45"

// Learner is ID3 with its parameters. Make one with New, which sets the defaults. The fields are
// declared, with default, range and meaning, in Params.
//
// A node is a leaf if all its rows have one class, if no column gains anything, or if it is as deep
// as allowed. A category without rows makes a leaf that predicts its parent's majority. Of columns
// with the same gain the first is taken. A column may come again below itself, where it gains
// nothing.
//
// Training takes no numbers and no missing values. At prediction a row whose value is missing, or
// was never seen in training, goes to all children in fractions, by their training rows, as in
// C4.5.
type Learner struct {
	// Edges from the root to the deepest leaf. Parameter depth: an integer >= 0 (0 = no limit);
	// default 0.
	Depth int
	// Largest p-value of the chi-squared test, of class against branch, with which a split is made
	// (Quinlan 1986). Parameter chi2: a number >= 0 and <= 1 (0 = no test); default 0.
	Chi2 float64
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight string
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Capabilities implements learn.Learner: the label has classes, and every feature is categorical
// and complete.
func (l *Learner) Capabilities() learn.Capabilities {
	return learn.Capabilities{Needs: learn.Needs{Classes: true, Categorical: true, Complete: true},
		Summary: func() learn.Summary { return new(summary) }}
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Int(&l.Depth, "depth", 0, 0, math.MaxInt, "edges from the root to the deepest leaf",
			param.Zero("no limit")).Tune(1, 20).Also("max_depth"),
		trees.Chi2(&l.Chi2),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct {
	training.Trained
	Criterion string `json:"criterion"`
	Leaves    int    `json:"leaves"` // those without rows too
	Depth     int    `json:"depth"`
}

// Describe implements learn.Summary.
func (s *summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Criterion = training.Tree, s.Criterion
	return found
}

// Prepare checks the columns: a numeric one, or a missing value in one of the rows, is a
// *learn.ColumnError.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, _ []float64,
	env learn.Env) (learn.Fitter, error) {
	prepare := func(f *data.Frame, rows []int32) (quinlan.Table, error) {
		if err := l.Capabilities().CheckColumns(Name, instead, f, rows); err != nil {
			return quinlan.Table{}, err
		}
		return quinlan.Prepare(ctx, env)(f, rows)
	}
	return fitting.Prepared(l, features, rows, prepare, (*Learner).fit)
}

// fit grows one tree.
func (l *Learner) fit(ctx context.Context, table *quinlan.Table, t *data.Target,
	job learn.Job) (model.Model, error) {
	pop, _, err := table.Classes(Name, t, &job, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	grown, err := table.Prepared.GrowC45(ctx, pop, l.config(job.Workers))
	if grown == nil {
		return nil, err
	}
	m, failed := l.model(grown, t, pop, table.Frame)
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// config translates the parameters for the engine.
func (l *Learner) config(workers int) weighted.C45 {
	return weighted.C45{Workers: workers, ByGain: true, Chi2: l.Chi2,
		Limits: grow.Limits{Depth: l.Depth}}
}

// Candidates implements learn.SplitLister: the one split of each column.
func (l *Learner) Candidates(ctx context.Context, m *model.Ensemble, ds *data.Dataset,
	at learn.TreeNode) (*tree.Candidates, error) {
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	return quinlan.Candidates(ctx, m, ds, at, l.ClassWeight, l.config(1))
}

func (l *Learner) model(grown *tree.Tree, t *data.Target, pop *grow.Population,
	f *data.Frame) (model.Model, error) {
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Combine: model.Mean,
		Meta: model.NewSpec(Name, f.Schema, t)}
	s := summary{Trained: fitting.Trained(pop), Criterion: "entropy", Leaves: grown.NumLeaves(),
		Depth: grown.Depth()}
	return fitting.Model(m, l.Params(), &s)
}
