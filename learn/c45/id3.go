package c45

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// ID3Name is the name of ID3 in the catalog.
const ID3Name = "id3"

// ID3 is Quinlan's first learner of trees ("Induction of decision trees", Machine Learning 1, 1986)
// with its parameters. Make one with NewID3, which sets the defaults. The fields are declared, with
// default, range and meaning, in Params.
//
// A node tests one categorical column and has a child for each category; the column is that of
// largest information gain. There is no pruning.
//
// A node is a leaf if all its rows have one class, if no column gains anything, or if it is as deep
// as allowed. A category without rows makes a leaf that predicts its parent's majority. Of columns
// with the same gain the first is taken. A column may come again below itself, where it gains
// nothing.
//
// Training takes no numbers and no missing values. At prediction a row whose value is missing, or
// was never seen in training, goes to all children in fractions, by their training rows, as in
// C4.5.
type ID3 struct {
	// Edges from the root to the deepest leaf. Parameter depth: an integer >= 0 (0 = no limit);
	// default 0.
	Depth int
	// Largest p-value of the chi-squared test, of class against branch, with which a split is made
	// (Quinlan 1986). Parameter chi2: a number >= 0 and <= 1 (0 = no test); default 0.
	Chi2 float64
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// NewID3 returns ID3 with default parameters.
func NewID3() *ID3 { return param.WithDefaults(&ID3{}) }

// Capabilities implements learn.Learner: the label has classes, and every feature is categorical
// and complete.
func (l *ID3) Capabilities() learn.Capabilities {
	return learn.Capabilities{Needs: learn.Needs{Classes: true, Categorical: true, Complete: true},
		Summary: func() learn.Summary { return new(id3Summary) }}
}

// Params declares the parameters.
func (l *ID3) Params() param.Set {
	return param.Set{
		param.Int(&l.Depth, "depth", 0, 0, math.MaxInt, "edges from the root to the deepest leaf",
			param.Zero("no limit")).Tune(1, 20).Also("max_depth"),
		trees.Chi2(&l.Chi2),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// id3Summary is what training found; it is kept as JSON in the model's Spec.
type id3Summary struct {
	training.Trained
	Criterion string `json:"criterion"`
	Leaves    int    `json:"leaves"` // those without rows too
	Depth     int    `json:"depth"`
}

// Describe implements learn.Summary.
func (s *id3Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Criterion = training.Tree, s.Criterion
	return found
}

// Prepare checks the columns: a numeric one, or a missing value in one of the rows, is a
// *learn.ColumnError.
func (l *ID3) Prepare(ctx context.Context, features data.Features, rows []int32, _ []float64,
	env learn.Env) (learn.Fitter, error) {
	prepare := func(f *data.Frame, rows []int32) (sortedTable, error) {
		if err := l.Capabilities().CheckColumns(ID3Name, Name, f, rows); err != nil {
			return sortedTable{}, err
		}
		return sortColumns(ctx, env)(f, rows)
	}
	return fitting.Prepared(l, features, rows, prepare, (*ID3).fit)
}

// fit grows one tree.
func (l *ID3) fit(ctx context.Context, table *sortedTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	pop, _, err := table.Classes(ID3Name, t, &job, l.ClassWeight)
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
func (l *ID3) config(workers int) weighted.C45 {
	return weighted.C45{Workers: workers, ByGain: true, Chi2: l.Chi2,
		Limits: grow.Limits{Depth: l.Depth}}
}

// Candidates implements learn.SplitLister: the one split of each column.
func (l *ID3) Candidates(ctx context.Context, m *model.Ensemble, ds *data.Dataset,
	at learn.TreeNode) (*tree.Candidates, error) {
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	return candidatesOf(ctx, m, ds, at, l.ClassWeight, l.config(1))
}

func (l *ID3) model(grown *tree.Tree, t *data.Target, pop *grow.Population,
	f *data.Frame) (model.Model, error) {
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Combine: model.Mean,
		Meta: model.NewSpec(ID3Name, f.Schema, t)}
	s := id3Summary{Trained: fitting.Trained(pop), Criterion: "entropy", Leaves: grown.NumLeaves(),
		Depth: grown.Depth()}
	return fitting.Model(m, l.Params(), &s)
}
