// Package c45 owns Quinlan's learners of classification trees: c45 (C4.5, 1993), id3 (1986) and
// rules (C4.5rules, 1993). Trees of C4.5 are grown by gain ratio with rows divided where a value is
// missing, and pruned by pessimistic estimates with subtree raising. They are those of Weka's J48.
//
// Sparse columns are sorted like dense ones, which takes 8 bytes for each row and column.
package c45

import (
	"context"
	"fmt"
	"math"
	"slices"

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

// Name is the learner's name in the catalog.
const Name = "c45"

// Learner is C4.5 with its parameters. Make one with New, which sets the defaults. The fields are
// declared, with default, range and meaning, in Params.
type Learner struct {
	// Pessimistic: by an estimate of the errors of leaves; validation: by the errors on the
	// validation set; auto = validation if there is such a set, else pessimistic. Parameter prune:
	// auto, pessimistic, validation or none; default auto.
	Prune Prune
	// Chance that the true errors of a leaf exceed their estimate; less prunes more (C4.5's -c).
	// Parameter confidence: a number > 0 and <= 0.5; default 0.25.
	Confidence float64
	// Pessimistic pruning may replace a node by its heaviest child's subtree. Parameter raise: true
	// or false; default true.
	Raise bool
	// Before pruning, undo splits that leave as many training errors as a leaf. Parameter collapse:
	// true or false; default true.
	Collapse bool
	// Weight that at least two children of a split need (C4.5's -m). Parameter min_leaf: a number >
	// 0; default 2.
	MinLeaf float64
	// A split of a categorical column separates one category from the rest, in place of all from
	// each other. Parameter binary: true or false; default false.
	Binary bool
	// Edges from the root to the deepest leaf. Parameter depth: an integer >= 0 (0 = no limit);
	// default 0.
	Depth int
	// Largest p-value of the chi-squared test, of class against branch, with which a split is made
	// (Quinlan 1986). Parameter chi2: a number >= 0 and <= 1 (0 = no test); default 0.
	Chi2 float64
	// Class probabilities of a leaf are (weight + 1) / (total + classes). Parameter laplace: true
	// or false; default false.
	Laplace bool
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.AnyOf(&l.Prune, "prune",
			"pessimistic: by an estimate of the errors of leaves; validation: by the errors on "+
				"the validation set; auto = validation if there is such a set, else pessimistic"),
		param.Float(&l.Confidence, "confidence", 0.25, 0, 0.5,
			"chance that the true errors of a leaf exceed their estimate; less prunes more "+
				"(C4.5's -c)", param.ExcludeMin).Tune(0.01, 0.5),
		param.Bool(&l.Raise, "raise", true,
			"pessimistic pruning may replace a node by its heaviest child's subtree"),
		param.Bool(&l.Collapse, "collapse", true,
			"before pruning, undo splits that leave as many training errors as a leaf"),
		param.Float(&l.MinLeaf, "min_leaf", 2, 0, math.Inf(1),
			"weight that at least two children of a split need (C4.5's -m)",
			param.ExcludeMin).TuneLog(1, 50).Also("min_samples_leaf"),
		param.Bool(&l.Binary, "binary", false,
			"a split of a categorical column separates one category from the rest, in place of "+
				"all from each other"),
		param.Int(&l.Depth, "depth", 0, 0, math.MaxInt, "edges from the root to the deepest leaf",
			param.Zero("no limit")).Also("max_depth"),
		trees.Chi2(&l.Chi2),
		param.Bool(&l.Laplace, "laplace", false,
			"class probabilities of a leaf are (weight + 1) / (total + classes)"),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct {
	training.Trained
	Criterion string `json:"criterion"`
	Grown     int    `json:"grown_leaves"` // leaves before collapsing and pruning
	Leaves    int    `json:"leaves"`
	Depth     int    `json:"depth"`
	Prune     string `json:"prune"` // the method used: pessimistic, validation or none
}

// Describe implements learn.Summary.
func (s *summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Criterion = training.Tree, s.Criterion
	switch {
	case s.Grown == 0 || s.Prune == "":
	case s.Prune == "none":
		found.Pruning = "not pruned"
	case s.Prune == "validation":
		found.Pruning = fmt.Sprintf("pruned from %d leaves by the validation set", s.Grown)
	default:
		found.Pruning = fmt.Sprintf("pruned from %d leaves by %s", s.Grown, s.Prune)
	}
	return found
}

// Prepare ranks the values of the numeric columns.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, _ []float64,
	env learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, sortColumns(ctx, env), (*Learner).fit)
}

// fit grows and prunes one tree.
func (l *Learner) fit(ctx context.Context, table *sortedTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	pop, factors, err := table.Classes(Name, t, &job, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	grown, err := table.Prepared.GrowC45(ctx, pop, l.config(job.Workers))
	if grown == nil {
		return nil, err
	}
	pruned, method := grown, PruneNone
	if err == nil {
		p := pruning{learner: l, frame: table.Frame, target: t, pop: pop, factors: factors,
			valid: job.Valid, workers: job.Workers}
		method = p.method()
		if pruned, err = p.prune(grown, method); err != nil {
			return nil, err
		}
	}
	m, failed := l.model(grown, pruned,
		summary{Trained: fitting.Trained(pop), Prune: method.String()},
		model.NewSpec(Name, table.Frame.Schema, t))
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// config translates the parameters for the engine.
func (l *Learner) config(workers int) weighted.C45 {
	return weighted.C45{Workers: workers, MinWeight: l.MinLeaf, Binary: l.Binary, Chi2: l.Chi2,
		Limits: grow.Limits{Depth: l.Depth}}
}

// Candidates implements learn.SplitLister. Below a node that pruning replaced by one of its
// children, training chose splits by fewer rows than reach them now.
func (l *Learner) Candidates(ctx context.Context, m *model.Ensemble, ds *data.Dataset,
	at learn.TreeNode) (*tree.Candidates, error) {
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	return candidatesOf(ctx, m, ds, at, l.ClassWeight, l.config(1))
}

// model makes a model of the pruned tree, and completes its summary.
func (l *Learner) model(grown, pruned *tree.Tree, s summary, spec model.Spec) (model.Model, error) {
	s.Criterion, s.Grown, s.Leaves, s.Depth = "entropy", grown.NumLeaves(), pruned.NumLeaves(),
		pruned.Depth()
	if l.Laplace {
		pruned = smooth(pruned)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{pruned}, Combine: model.Mean, Meta: spec}
	return fitting.Model(m, l.Params(), &s)
}

// smooth adds 1 to each class weight of each node, so that probabilities become (w + 1) / (W + K).
func smooth(t *tree.Tree) *tree.Tree {
	s := *t
	s.Leaf.Value = slices.Clone(t.Leaf.Value)
	for i := range s.Leaf.Value {
		s.Leaf.Value[i]++
	}
	return &s
}

// Capabilities implements learn.Learner. A validation set prunes the tree, unless a parameter
// chooses another method.
func (l *Learner) Capabilities() learn.Capabilities {
	c := learn.Capabilities{Needs: learn.Needs{Classes: true},
		Summary: func() learn.Summary { return new(summary) }}
	if l.Prune == PruneAuto || l.Prune == PruneValidation {
		c.Validation = learn.Validation{Pruning: true}
	}
	return c
}
