// Package forest owns the learners forest and extratrees: ensembles of deep trees, each grown on
// other rows or with other random choices, whose predictions are averaged.
//
//	forest      random forest (Breiman 2001): a bootstrap sample for each tree, a few random
//	            columns in each node
//	extratrees  extremely randomised trees (Geurts, Ernst & Wehenkel 2006): all rows, a random
//	            threshold for each column
//
// They are one Learner with two sets of defaults. Prepare sorts or ranks the table once, and all
// trees share it. A Fit builds the stages of a training. Each is a type that owns its state; begin
// (fit.go) builds each from those before it:
//
//	setup         the rows to train on, their weights, the engine's options
//	sampler       the bag of a tree                       strategies: undivided, honesty
//	grower        a tree, and the steps that finish it    steps: honesty, pruning, sampling
//	reporters     what a tree contributes to the summary  outOfBag, correction
//	accumulators  the trees so far, out-of-bag error, importances
//
// A tree passes the stages; several trees do so at the same time, up to the accumulators:
//
//	number     counts          tree              tree, report         in the order of numbers
//	------> sampler ---> grower ---> reporters ------------> accumulators ---> model
//	           |                         ^                        |
//	           +---- rows out of bag ----+               stop, or the next tree
//
// A tree samples from random streams of its own (the purposes in grow.go). So tree number n depends
// on the seed and on n alone, and not on the number of workers or trees.
//
// Of sparse columns forest keeps the ranks of all rows, 1 to 4 bytes each, and extratrees the
// values, 8 bytes each.
package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// The names of the learners in the catalog.
const (
	Name       = "forest"
	ExtraTrees = "extratrees"
)

// New returns a random forest with default parameters.
func New() *Learner { return named(Name) }

// NewExtraTrees returns extremely randomised trees with default parameters, which are those of
// scikit-learn's ExtraTrees but for the number of trees and the size of nodes.
func NewExtraTrees() *Learner { return named(ExtraTrees) }

func named(name string) *Learner {
	return param.WithDefaults(&Learner{name: name})
}

var errNotMade = errors.New("forest: the learner has no defaults: make it by forest.New or " +
	"NewExtraTrees, then set fields")

// variant is the difference between the learners: some defaults.
type variant struct {
	splits int
	levels string // what auto is, in words
	sample sample.Method
	mtry   string // what auto is, in words
}

func (l *Learner) variant() variant {
	if l.name == ExtraTrees {
		return variant{1, "no limit", sample.All,
			"the square root of their number for classes, rounded down, all for numbers"}
	}
	return variant{0, "32 for classes, 12 for numbers", sample.Bootstrap,
		"the square root of their number for classes, a third of it for numbers, rounded down"}
}

// Values of the parameters mtry and importance.
const (
	all  = "all"
	none = "none"
)

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return slices.Concat(l.forestParams(), l.treeParams(), l.rowParams(), l.Settle.Params(),
		l.importanceParams(), param.Set{
			param.Text(&l.Shard, "shard", "", "I/N", checkShard,
				"grow the I-th of N shards of the trees; the merge of all shards is the whole "+
					"forest, "+
					"byte for byte"),
		})
}

func (l *Learner) forestParams() param.Set {
	return param.Set{
		param.Int(&l.Trees, "trees", 500, 1, math.MaxInt,
			"trees in the forest").Also("n_estimators", "num_trees", "ntree"),
		param.AnyOf(&l.Vote, "vote",
			"what a tree predicts of classes: majority: its leaf's largest class, so that "+
				"probabilities are fractions of votes; probability: its leaf's class "+
				"probabilities"),
		param.Text(&l.Mtry, "mtry", param.Auto,
			"auto, all, a number of columns, or a fraction of them below 1", checkMtry,
			"columns tried in each node, sampled for each node; auto = "+
				""+l.variant().mtry).TuneAmong("auto", "0.1", "0.2", "0.35", "0.5", "0.7", "all").Also("max_features"),
		param.Int(&l.ResampleColumns, "resample_columns", 10, 0, math.MaxInt,
			"rows above which a node samples further columns if none of the first has a split; "+
				"smaller nodes become leaves; a number above that of all rows is the rule of R's "+
				"ranger"),
		param.Text(&l.SubsetLevels, "subset_levels", param.Auto,
			"auto, or a number of categories from 0 up", checkLevels,
			"categories of a column up to which it is split into any two sets, the best or random "+
				"ones; 0 = no limit; level_fraction is for columns of more; auto = "+
				""+l.variant().levels),
		param.Text(&l.LevelFraction, "level_fraction", param.Auto,
			"auto, or a fraction from 0 to 1", checkFraction,
			"fraction of the categories in a node, of a column of more than subset_levels, that "+
				"the node samples and splits into the best two sets; the others stay together; 0 "+
				"= such columns are split in the order of the table's dictionary, as with random "+
				"thresholds; auto = 0 for classes, 0.25 for numbers"),
		param.Int(&l.RandomSplits, "random_splits", l.variant().splits, 1, math.MaxInt,
			"random thresholds of a column in each node, of which the best is taken",
			param.Zero("all are tried")).Also("num_random_splits"),
	}
}

func (l *Learner) treeParams() param.Set {
	return param.Set{
		trees.Criterion(&l.Criterion),
		param.Int(&l.NodeSize, "node_size", 0, 1, math.MaxInt,
			"rows of a node that becomes a leaf without a search for a split, repeated rows "+
				"counted each time",
			param.Zero("1 for votes of majorities, 10 for probabilities, 5 for "+
				"numbers")).TuneLog(1, 50).Also("min_node_size", "nodesize"),
		param.Int(&l.Depth, "depth", 0, 0, math.MaxInt, "edges from the root to the deepest leaf",
			param.Zero("no limit")).Also("max_depth"),
		param.Int(&l.Leaves, "leaves", 0, 0, math.MaxInt,
			"number of leaves of a tree; those of largest gain are split",
			param.Zero("no limit")).Also("max_leaf_nodes", "maxnodes"),
		param.Int(&l.MinSplit, "min_split", 2, 2, math.MaxInt,
			"rows that a node needs to be split, repeated rows counted each time; the stricter of "+
				"this and node_size counts").Also("min_samples_split"),
		param.Int(&l.MinLeaf, "min_leaf", 1, 1, math.MaxInt,
			"rows that each leaf has at least, repeated rows counted each "+
				"time").Also("min_samples_leaf", "min_bucket"),
		param.Float(&l.MinGain, "min_gain", 0, 0, math.Inf(1),
			"least impurity decrease of a split, times the node's fraction of the weight "+
				"(scikit-learn's min_impurity_decrease)").Also("min_impurity_decrease"),
		param.AnyOf(&l.Missing, "missing",
			"where rows go that have no value in a node's column; learned: with the child that "+
				"makes the better split, found in training, or separate from all known values; "+
				"majority: with the child of more known weight"),
	}
}

func (l *Learner) rowParams() param.Set {
	return append(l.Sample.Params(l.variant().sample),
		ensembles.ClassFractions(&l.ClassFractions),
		weighting.ClassWeight(&l.ClassWeight),
		weighting.Costs(&l.Costs),
		param.Float(&l.Honest, "honest", 0, 0, 1,
			"fraction of a tree's rows that chooses its splits; the others make its leaves (Wager "+
				"& Athey 2018); a leaf without rows predicts as the nearest node above it",
			param.ExcludeMax, param.Zero("all rows do both")),
		param.AnyOf(&l.Prune, "prune",
			"oob: each tree is pruned where that costs nothing on its out-of-bag rows (Quinlan "+
				"1987), whose errors are then too low"),
		l.quantileParam())
}

func (l *Learner) importanceParams() param.Set {
	return param.Set{
		param.Text(&l.Importance, "importance", impurity, importanceForm(), checkImportance,
			importanceHelp()),
		ensembles.ImportanceGroups(&l.ImportanceGroups),
	}
}

func checkMtry(text string) error {
	_, err := columnsOf(text, 1, 1)
	return err
}

func checkLevels(text string) error {
	_, err := levelsOf(text, 0)
	return err
}

// levelsOf reads a value of the parameter subset_levels, of which auto is the default.
func levelsOf(text string, auto int) (int, error) {
	if text == param.Auto {
		return auto, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no number of categories", text)
	}
	return n, nil
}

func checkFraction(text string) error {
	_, err := fractionOf(text, 0)
	return err
}

// fractionOf reads a value of the parameter level_fraction, of which auto is the default.
func fractionOf(text string, auto float64) (float64, error) {
	if text == param.Auto {
		return auto, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return 0, fmt.Errorf("%q is no fraction from 0 to 1", text)
	}
	return x, nil
}

// columnsOf reads a value of the parameter mtry for a table of so many columns, of which auto of
// them are the default. A number may be above that of the columns.
func columnsOf(text string, columns, auto int) (int, error) {
	switch text {
	case param.Auto:
		return auto, nil
	case all:
		return columns, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !(x > 0) || math.IsInf(x, 0):
		return 0, fmt.Errorf("%q is no number of columns", text)
	case x < 1:
		return max(1, int(float64(x*float64(columns)))), nil
	case x != math.Floor(x):
		return 0, fmt.Errorf("%q is neither whole nor below 1", text)
	}
	return int(min(x, math.MaxInt32)), nil
}

// Capabilities implements learn.Learner. For each row and class there are votes on rows out of the
// bag, class counts in leaves, and predictions.
func (l *Learner) Capabilities() learn.Capabilities {
	return learn.Capabilities{OutOfBag: true, NoneOut: ensembles.NoneOut(&l.Sample), Merge: l.Merge,
		RowClassBytes: 24, Tasks: []data.Task{data.Ranking},
		Summary: func() learn.Summary { return new(Summary) }}
}

// prepared is what Prepare makes of a table; Fits do not change it.
type prepared struct {
	frame *data.Frame
	table table
}

// Prepare ranks the values of the numeric columns, or copies them for random thresholds.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, _ []float64,
	env learn.Env) (learn.Fitter, error) {
	if l.name == "" {
		return nil, errNotMade
	}
	prepare := func(f *data.Frame, rows []int32) (prepared, error) {
		p, err := l.prepare(ctx, f, rows, env.Workers)
		return prepared{f, p}, err
	}
	return fitting.Prepared(l, features, rows, prepare, (*Learner).fit)
}
