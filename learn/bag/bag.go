// Package bag owns the learner bag: any other learner, trained many times on samples of the rows
// (bagging, Breiman 1996) or of the columns (random subspaces, Ho 1998). Its model predicts the
// mean or the majority of theirs.
//
//	sample=bootstrap columns=1      bagging
//	sample=none      columns=0.5    random subspaces
//	sample=bootstrap columns=0.5    both (random patches, Louppe & Geurts 2012)
//
// Bagging reduces the variance of the base. It helps learners that change much with their rows,
// such as trees that are not pruned, and does little for stable ones.
//
// Rows that a member was not trained on test it: the out-of-bag error, its curve over the number of
// members, and whether it has settled, come without a test set (see learn/internal/ensembles). Rows
// that are never out of the bag are counted.
//
// Each member's rows, columns and seed come from random streams of its own, so member number n
// depends on the seed and on n alone: not on the number of workers, nor on how many members there
// are.
package bag

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "bag"

// Learner is bagging with its parameters. Make one with New, which sets the defaults. The fields
// are declared, with default, range and meaning, in Params.
type Learner struct {
	// Models in the bag. Parameter members: an integer >= 1 and <= 1000000; default 100.
	Members int
	// Learner that is trained for each member; its parameters are set as base.KEY (coppice learners
	// NAME lists them); cart starts with prune=none. Parameter base: name of a learner; default
	// cart.
	Base learn.Choice
	// Fraction of the columns that each member is trained on, sampled for each, rounded, at least
	// one (Ho 1998). Parameter columns: a number > 0 and <= 1; default 1.
	Columns float64
	// How members make one prediction of classes; probability: the mean of their class
	// probabilities; majority: each counts for one class. Numbers are averaged. Parameter vote:
	// probability or majority; default probability.
	Vote Vote

	// Rows of each member: bootstrap = sampled with replacement, subsample = without, none = all.
	// Parameter sample: bootstrap, subsample or none; default bootstrap.
	Sample sample.Settings
	// Sample size of each class, as a fraction of all rows, for all classes; replaces fraction and
	// strata. Parameter class_fractions: NAME=FRACTION,...; default "".
	ClassFractions []param.Named
	// Settle decides when training stops before all members are trained, by early_stopping.
	Settle grow.Settle

	// How much each column matters, in the summary; impurity: decrease of impurity by the column's
	// splits, if the members are trees; permutation: that, and the increase of a member's error on
	// its out-of-bag rows when the column's values are permuted among them (Breiman 2001).
	// Parameter importance: impurity or permutation; default impurity.
	Importance Importance
	// Columns whose values are permuted together too, for importance=permutation. Parameter
	// importance_groups: COL+COL+...,COL+COL+...; default "".
	ImportanceGroups [][]string
}

// New returns a learner with default parameters. resolve finds the base by name; nil: the caller
// gives Base.Learner, or Prepare finds it by Env.Resolve.
func New(resolve learn.Resolve) *Learner {
	return param.WithDefaults(&Learner{Base: learn.Choice{Resolve: resolve, Start: start}})
}

// start is what bases start with instead of their own defaults. Pruning trades variance for bias,
// and variance is what the members' mean takes away already; prune=auto of cart would moreover grow
// every member eleven times.
func start(base string) []string {
	if base == "cart" {
		return []string{"prune=none"}
	}
	return nil
}

// Params declares the parameters. There are 100 members by default: the variance that members do
// not have in common is then divided by a hundred, and a row is out of the bag of 37 of them on
// average. So practically every row has an out-of-bag prediction.
func (l *Learner) Params() param.Set {
	return slices.Concat(
		param.Set{
			param.Int(&l.Members, "members", 100, 1, 1_000_000,
				"models in the bag").Also("n_estimators"),
			learn.ChoiceParam(&l.Base, "base", "cart",
				"learner that is trained for each member; its parameters are set as base.KEY "+
					"(coppice learners NAME lists them); cart starts with "+
					"prune=none").Also("estimator"),
			param.AnyOf(&l.Vote, "vote",
				"how members make one prediction of classes; probability: the mean of their class "+
					"probabilities; majority: each counts for one class. Numbers are averaged"),
			param.Float(&l.Columns, "columns", 1, 0, 1,
				"fraction of the columns that each member is trained on, sampled for each, "+
					"rounded, at least one (Ho 1998)", param.ExcludeMin).Also("max_features"),
		},
		l.Sample.Params(sample.Bootstrap),
		param.Set{ensembles.ClassFractions(&l.ClassFractions)},
		l.Settle.Params(),
		param.Set{
			param.AnyOf(&l.Importance, "importance",
				"how much each column matters, in the summary; impurity: decrease of impurity by "+
					"the column's splits, if the members are trees; "+
					"permutation: that, and the increase of a member's error on its out-of-bag "+
					"rows when the column's values are permuted among them (Breiman 2001)"),
			ensembles.ImportanceGroups(&l.ImportanceGroups),
		})
}

// Capabilities implements learn.Learner. The base decides what the table must have, and what a
// validation set is used for. For each row and class there are out-of-bag predictions and what the
// base holds.
func (l *Learner) Capabilities() learn.Capabilities {
	base := l.Base.Capabilities()
	tasks := base.Tasks
	if !base.Needs.Classes && !slices.Contains(tasks, data.Ranking) {
		tasks = append(slices.Clone(tasks), data.Ranking)
	}
	return learn.Capabilities{Needs: base.Needs, Validation: base.Validation, OutOfBag: true, Tasks: tasks,
		NoneOut: ensembles.NoneOut(&l.Sample), RowClassBytes: 40, Metric: base.Metric,
		Summary: func() learn.Summary { return new(summary) }}
}

// fitter is a table with the parameters at the time of Prepare.
type fitter struct {
	learner Learner
	base    learn.Learner // as it was then
	frame   *data.Frame
	rows    []int32
	weight  []float64
	env     learn.Env
	whole   learn.Fitter // the base prepared on all columns; nil if columns are sampled
}

// Prepare prepares the base on the given rows, unless members use different columns: then Fit does
// it for each choice of them.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	f, rows, err := fitting.Frame(l.Params(), features, rows)
	if err != nil {
		return nil, err
	}
	env = env.Alone()
	base, err := l.Base.Take(env)
	if err != nil {
		return nil, err
	}
	b := &fitter{learner: *l, base: base.Learner, frame: f, rows: rows,
		weight: weight, env: env}
	b.learner.Base = base
	if b.columns() == len(f.Columns) {
		b.whole, err = b.base.Prepare(ctx, f, b.rows, weight, env)
	}
	return b, err
}

// columns returns the number of columns that each member uses.
func (f *fitter) columns() int {
	n := len(f.frame.Columns)
	return min(n, max(1, int(math.Round(f.learner.Columns*float64(n)))))
}
