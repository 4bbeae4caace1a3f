package cart

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
)

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	training.Trained
	Criterion string `json:"criterion"`
	Grown     int    `json:"grown_leaves"` // leaves before pruning
	Leaves    int    `json:"leaves"`
	Depth     int    `json:"depth"`
	// the method used: a value of the parameter prune with its number; alpha has none
	Prune string `json:"prune"`
	// the penalty per leaf that was chosen; 0 for methods without a path
	Alpha   float64          `json:"alpha"`
	PruneBy string           `json:"prune_by,omitempty"` // the cost of the path
	Path    []training.Point `json:"path,omitempty"`     // the cost-complexity path of the grown tree

	// Where rows, groups or times suffice for fewer folds of the cross-validation than the
	// parameter: how many there were, 0 = not even two, so nothing is pruned, and the parameter.
	Folds     int `json:"folds,omitempty"`
	Requested int `json:"folds_requested,omitempty"`
}

// Check implements learn.Summary. The path goes from the largest subtree to the root alone, and all
// of its points were cross-validated, or none.
func (s *Summary) Check(_ model.Model) error {
	var c training.Checks
	for i := range s.Path {
		p := &s.Path[i]
		c.Require(p.Leaves >= 1 && (i == 0 || p.Leaves < s.Path[i-1].Leaves), "path",
			"point %d has %d leaves", i, p.Leaves)
		c.Require(p.Alpha >= 0 && (i == 0 || p.Alpha >= s.Path[i-1].Alpha), "path",
			"point %d has alpha %g", i, p.Alpha)
		c.Require(p.Cost >= 0, "path", "point %d has cost %g", i, p.Cost)
		validated := s.Path[0].Error != nil
		c.Require((p.Error != nil) == validated && (p.StdError != nil) == validated, "path",
			"point %d has half a cross-validated error", i)
		c.Require(!validated || p.Error == nil || p.StdError == nil || *p.Error >= 0 &&
			*p.StdError >= 0, "path", "point %d has a negative error", i)
	}
	return c.Err()
}

// job is one Fit on its way.
type job struct {
	*fitter
	learn.Job
	target  *data.Target
	rows    []int32
	options exact.Options
	factors *classFactors
	pruning pruning
	number  float64 // the pruning's
}

// begin checks the job and gathers the rows to grow a tree on.
func (f *fitter) begin(t *data.Target, given learn.Job) (*job, *grow.Population, error) {
	if !t.Task.Classes() && t.Task != data.Regression {
		return nil, nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	if len(t.Y) > 1 {
		return nil, nil, errors.New("cart predicts one number, the label has several")
	}
	if err := given.Check(f.frame, f.prepared.Rows()); err != nil {
		return nil, nil, err
	}
	j := &job{fitter: f, Job: given, target: t, rows: given.RowsOf(f.prepared.Rows())}
	var err error
	if j.options, err = f.learner.options(t, given.Workers); err != nil {
		return nil, nil, err
	}
	if err := j.choosePruning(); err != nil {
		return nil, nil, err
	}
	pop, classes, err := f.learner.population(t, j.rows)
	if err != nil {
		return nil, nil, err
	}
	if err := trees.CheckLabels(j.options.Criterion, j.frame, t, pop, j.Valid); err != nil {
		return nil, nil, err
	}
	if err := fitting.CheckLabelSizes(Name, f.frame, t, j.labelLimit(), j.rows,
		j.Valid); err != nil {
		return nil, nil, err
	}
	j.factors = classes
	return j, pop, nil
}

// labelLimit is the greatest size of labels. Pruning adds up squares of losses, which are squares
// of differences of labels.
func (j *job) labelLimit() float64 {
	most := fitting.LabelLimit(j.target, j.rows)
	if j.pruning.name == pruneNone {
		return most
	}
	return math.Sqrt(most) / 2
}

// Fit grows and prunes one tree. If the context or the observer ends the pruning, the tree is as it
// was grown.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	j, pop, err := f.begin(t, given)
	if err != nil {
		return nil, err
	}
	grown, err := j.grow(ctx, pop, 0, j.options.Workers)
	if grown == nil {
		return nil, err
	}
	pruned, summary := grown, &Summary{Prune: pruneNone}
	if err == nil {
		pruned, summary, err = j.pruning.run(ctx, j, grown)
	}
	if pruned == nil {
		return nil, err
	}
	summary.Trained, summary.Criterion = fitting.Trained(pop), j.options.Criterion.Name
	summary.Grown, summary.Leaves, summary.Depth = grown.NumLeaves(), pruned.NumLeaves(),
		pruned.Depth()
	if j.learner.Laplace {
		pruned = smooth(pruned)
	}
	m, failed := j.model(pruned, summary)
	if failed != nil {
		return nil, failed
	}
	return m, fitting.UnlessStop(err)
}

func (j *job) model(t *tree.Tree, summary *Summary) (model.Model, error) {
	m := &model.Ensemble{Trees: []*tree.Tree{t}, Combine: model.Mean,
		Meta: model.NewSpec(Name, j.frame.Schema, j.target)}
	m.Meta.Decision.Costs = j.factors.costs
	return fitting.Model(m, j.learner.Params(), summary)
}

// weight returns the weight of a row times the class_weight of its class.
func (j *job) weight(row int32) float64 {
	w := j.target.WeightAt(row)
	if f := j.factors.factors; f != nil {
		w *= f[j.target.Class[row]]
	}
	return w
}

// loss is the loss of a node's prediction for a row: for classes the cost of the label, by default
// 0 or 1, times the factor of the row's class by priors; else the criterion's own loss.
func (j *job) loss(value []float64, row int32) float64 {
	if j.target.Task.Classes() {
		w, class := j.factors, int(j.target.Class[row])
		cost := w.costs.Of(class, w.costs.Label(value))
		if w.prior != nil {
			cost *= w.prior[class]
		}
		return cost
	}
	return j.options.Criterion.Deviance.Loss(j.target.Y[0][row], value[0])
}

// grow grows a tree on a population. Each has a random stream of its own: 0 is the whole job, 1 and
// up are its folds.
func (j *job) grow(ctx context.Context, pop *grow.Population, stream uint64,
	workers int) (*tree.Tree, error) {
	o := j.options
	o.Workers, o.Seed = workers, rng.Seed(j.Seed, stream)
	t, err := j.prepared.grow(ctx, pop, o)
	if t == nil {
		return nil, err
	}
	return j.revalue(t, pop), err
}
