// Package cart owns the learner cart: classification and regression trees (Breiman, Friedman,
// Olshen & Stone 1984), grown on presorted columns and pruned by one of the methods of tree/prune.
//
// Four parameters weigh the classes. They differ in what they change:
//
//	class_weight  weights of rows: splits, probabilities, labels, errors
//	priors        class frequencies: splits, probabilities, labels; risks count rows by
//	              prior over frequency
//	costs         the label is the class of least expected cost; splits count classes by
//	              the sum of their costs, and risks are costs
//	laplace       probabilities at the finished tree's nodes, and nothing else
//
// There are six rules for rows without a value
// (docs/adr/0006-offer-six-rules-for-missing-values.md). Tests compare surrogate splits, priors,
// costs and cross-validation with R's rpart.
//
// Sparse columns are sorted like dense ones, which takes 8 bytes for each row and column.
package cart

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "cart"

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return slices.Concat(l.treeParams(), l.missingParams(), l.splitParams())
}

func (l *Learner) treeParams() param.Set {
	return param.Set{
		trees.Criterion(&l.Criterion),
		param.AnyOf(&l.Growth, "growth",
			"which node is split next; auto = best-first if leaves are limited, else depth-first"),
		param.Int(&l.Depth, "depth", 0, 0, math.MaxInt, "edges from the root to the deepest leaf",
			param.Zero("no limit")).Tune(1, 20).Also("max_depth", "maxdepth"),
		param.Int(&l.Leaves, "leaves", 0, 0, math.MaxInt, "number of leaves before pruning",
			param.Zero("no limit")).Also("max_leaf_nodes"),
		param.Int(&l.MinSplit, "min_split", 2, 2, math.MaxInt,
			"rows that a node needs to be split, repeated rows counted each "+
				"time").Also("min_samples_split", "minsplit"),
		param.Int(&l.MinLeaf, "min_leaf", 1, 1, math.MaxInt,
			"rows that each leaf has at least, repeated rows counted each "+
				"time").TuneLog(1, 100).Also("min_samples_leaf", "minbucket"),
		param.Float(&l.MinGain, "min_gain", 0, 0, math.Inf(1),
			"least impurity decrease of a split, times the node's fraction of the weight "+
				"(scikit-learn's min_impurity_decrease)").Also("min_impurity_decrease"),
		trees.Chi2(&l.Chi2),
		param.Text(&l.Prune, "prune", param.Auto, pruneForm(), checkPrune, pruneHelp()).
			Unlike("ccp_alpha", "use prune=alpha=PENALTY").
			Unlike("cp", "it is relative to the root: use prune=cv, or prune=alpha=PENALTY"),
		param.AnyOf(&l.PruneBy, "prune_by",
			"cost in the cost-complexity path: training error, or impurity as scikit-learn; the "+
				"same for regression"),
		param.Int(&l.Folds, "folds", 10, 2, math.MaxInt,
			"folds of the cross-validation inside prune=cv and cv-min, stratified for classes, at "+
				"most as many as there are rows, groups or times"),
		weighting.ClassWeight(&l.ClassWeight),
		weighting.Priors(&l.Priors),
		weighting.Costs(&l.Costs),
		param.Bool(&l.Laplace, "laplace", false,
			"smooth the class probabilities of the finished tree's nodes: (w + 1) / (W + K) for K "+
				"classes"),
	}
}

// fitter is a prepared table with the parameters at the time of Prepare.
type fitter struct {
	learner  Learner
	frame    *data.Frame
	prepared strategy
}

// Prepare sorts the numeric columns of the given rows.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, _ []float64,
	env learn.Env) (learn.Fitter, error) {
	f, rows, err := fitting.Frame(l.Params(), features, rows)
	if err != nil {
		return nil, err
	}
	if err := trees.CheckMtry(l.Mtry, len(f.Columns)); err != nil {
		return nil, err
	}
	p, err := l.prepare(ctx, f, rows, env.Workers)
	if err != nil {
		return nil, err
	}
	return &fitter{learner: *l, frame: f, prepared: p}, nil
}

// options chooses the criterion for a task and checks that they fit.
func (l *Learner) options(t *data.Target, workers int) (exact.Options, error) {
	d, err := trees.CriterionOf(l.Criterion, t.Task)
	if err != nil {
		return exact.Options{}, err
	}
	if l.Chi2 > 0 && !t.Task.Classes() {
		return exact.Options{}, fmt.Errorf("chi2 does not fit a %s label", t.Task)
	}
	return exact.Options{Criterion: d, Workers: workers, Mtry: l.Mtry,
		BestFirst: l.Growth == GrowthBestFirst || l.Growth == GrowthAuto && l.Leaves > 0,
		Limits: grow.Limits{Depth: l.Depth, Leaves: l.Leaves, MinSplit: l.MinSplit,
			MinLeaf: l.MinLeaf, MinGain: l.MinGain}}, nil
}
