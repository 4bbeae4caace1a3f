// Package c45 owns the learner c45: Quinlan's classification trees (C4.5, 1993), grown by gain
// ratio with rows divided where a value is missing, and pruned by pessimistic estimates with
// subtree raising. Its trees are those of Weka's J48.
package c45

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/internal/exact/weighted"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/quinlan"
	"github.com/coppice-ml/coppice/internal/treeparams"
	"github.com/coppice-ml/coppice/internal/weighing"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// Name is the learner's name in the catalog.
const Name = "c45"

// Learner is C4.5 with its parameters. Make one with New, which sets the defaults. The fields are
// declared, with default, range and meaning, in Params.
type Learner struct {
	Prune       string
	Confidence  float64
	Raise       bool
	Collapse    bool
	MinLeaf     float64
	Binary      bool
	Depth       int
	Chi2        float64
	Laplace     bool
	ClassWeight string
}

// New returns a learner with default parameters.
func New() *Learner { return learn.WithDefaults(&Learner{}) }

// The values of the parameter prune.
const (
	auto        = "auto"
	pessimistic = "pessimistic"
	validation  = "validation"
	none        = "none"
)

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Choice(&l.Prune, "prune", auto, []string{auto, pessimistic, validation, none},
			"pessimistic estimates from the training rows, or reduced error on the validation part; auto = validation if there is one, else pessimistic"),
		param.Float(&l.Confidence, "confidence", 0.25, 0, 0.5, "chance that the true errors of a leaf exceed their estimate; less prunes more (C4.5's -c)", param.ExcludeMin),
		param.Bool(&l.Raise, "raise", true, "pessimistic pruning may replace a node by its heaviest child's subtree"),
		param.Bool(&l.Collapse, "collapse", true, "before pruning, undo splits that leave as many training errors as a leaf"),
		param.Float(&l.MinLeaf, "min_leaf", 2, 0, math.Inf(1), "weight that at least two children of a split need (C4.5's -m)", param.ExcludeMin).Also("min_samples_leaf"),
		param.Bool(&l.Binary, "binary", false, "part a categorical column into one level and the rest, not into all its levels"),
		param.Int(&l.Depth, "depth", 0, 0, math.MaxInt, "edges from the root to the deepest leaf", param.Zero("no limit")).Also("max_depth"),
		treeparams.Chi2(&l.Chi2),
		param.Bool(&l.Laplace, "laplace", false, "shares of a leaf's classes are (weight + 1) / (total + classes)"),
		weighing.ClassWeight(&l.ClassWeight),
	}
}

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	learn.Trained
	Criterion string `json:"criterion"`
	Grown     int    `json:"grown_leaves"` // leaves before collapsing and pruning
	Leaves    int    `json:"leaves"`
	Depth     int    `json:"depth"`
	Prune     string `json:"prune"` // the method used: pessimistic, validation or none
}

// Check implements learn.Summary.
func (s *Summary) Check(_ model.Model) error {
	var c learn.Checks
	c.Rows(s.Trained)
	c.Name("criterion", s.Criterion)
	c.Name("prune", s.Prune)
	c.Count("grown_leaves", s.Grown)
	c.Count("leaves", s.Leaves)
	c.Count("depth", s.Depth)
	return c.Err()
}

// fitter is a prepared table with the parameters at the time of Prepare.
type fitter struct {
	learner Learner
	quinlan.Table
}

// Prepare ranks the values of the numeric columns.
func (l *Learner) Prepare(ctx context.Context, f *data.Frame, rows []int32, _ []float64, env learn.Env) (learn.Fitter, error) {
	s, err := quinlan.Prepare(ctx, l.Params(), f, rows, env)
	if err != nil {
		return nil, err
	}
	return &fitter{*l, s}, nil
}

// Fit grows and prunes one tree.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	pop, factors, err := f.Classes(Name, t, &job, f.learner.ClassWeight)
	if err != nil {
		return nil, err
	}
	grown, err := f.Prepared.GrowC45(ctx, pop, weighted.C45{Workers: job.Workers,
		MinWeight: f.learner.MinLeaf, Binary: f.learner.Binary, Chi2: f.learner.Chi2, Limits: grow.Limits{Depth: f.learner.Depth}})
	if grown == nil {
		return nil, err
	}
	pruned, method := grown, none
	if err == nil {
		if pruned, method, err = f.prune(grown, t, pop, factors, job); err != nil {
			return nil, err
		}
	}
	m, failed := f.model(grown, pruned, method, t, pop)
	if failed != nil {
		return nil, failed
	}
	return m, err
}

func (f *fitter) model(grown, pruned *tree.Tree, method string, t *data.Target, pop *grow.Population) (model.Model, error) {
	s := Summary{Trained: learn.TrainedBy(pop), Criterion: "entropy", Grown: grown.NumLeaves(), Leaves: pruned.NumLeaves(), Depth: pruned.Depth(), Prune: method}
	if f.learner.Laplace {
		pruned = smooth(pruned)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{pruned}, Combine: model.Mean, Meta: learn.NewSpec(Name, f.Frame.Schema, t)}
	return learn.Described(m, f.learner.Params(), &s)
}

// smooth adds 1 to each class weight of each node, so that shares become (w + 1) / (W + K).
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
	c := learn.Capabilities{Needs: learn.Needs{Classes: true}}
	if l.Prune == auto || l.Prune == validation {
		c.Validation = learn.Pruning
	}
	return c
}

// prune applies the method that the parameters ask for and names it.
func (f *fitter) prune(grown *tree.Tree, t *data.Target, pop *grow.Population, factors []float64, job learn.Job) (*tree.Tree, string, error) {
	method := f.learner.Prune
	if method == auto {
		method = pessimistic
		if len(job.Valid) > 0 {
			method = validation
		}
	}
	var err error
	if f.learner.Collapse {
		if grown, err = prune.CollapseUseless(grown); err != nil {
			return nil, "", err
		}
	}
	switch method {
	case pessimistic:
		if !f.learner.Raise {
			grown, err = prune.Pessimistic(grown, f.learner.Confidence)
			break
		}
		row, _ := criterion.ByName("entropy")
		entropy := row.New(pop.Classes)
		grown, err = prune.PessimisticRaise(grown, f.learner.Confidence, prune.Training{Columns: f.Frame.Columns,
			Rows: pop.Rows, Count: pop.Count, Weight: pop.Weights(), Class: pop.Class, Workers: parallel.Workers(job.Workers),
			// of any parent it is the same
			Impurity: func(dst, stats []float64) { entropy.Impurity(dst, stats, nil) }})
	case validation:
		if len(job.Valid) == 0 {
			return nil, "", errors.New("prune=validation needs a validation part")
		}
		grown, err = prune.ReducedError(f.validation(grown, t, factors, job.Valid))
	}
	return grown, method, err
}

// validation returns a tree with what reduced-error pruning asks for: its errors on the validation
// rows, weighed by class.
func (f *fitter) validation(grown *tree.Tree, t *data.Target, factors []float64, rows []int32) (*tree.Tree, []float64, []float64) {
	weight := func(row int32) float64 {
		w := t.WeightAt(row)
		if factors != nil {
			w *= factors[t.Class[row]]
		}
		return w
	}
	loss := func(value []float64, row int32) float64 {
		if model.ArgMax(value) == int(t.Class[row]) {
			return 0
		}
		return 1
	}
	cost, ended := prune.ValidationCost(grown, f.Frame.Columns, rows, weight, loss)
	return grown, cost, ended
}
