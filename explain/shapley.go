package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley"
	"github.com/coppice-ml/coppice/model"
)

// Errors of Shapley for models that it cannot explain. A *NotCoveredError names what a tree has.
var (
	ErrNoCover = shapley.ErrNoCover
	// ErrPooled is for models whose leaves' training values are pooled, as quantile forests'.
	ErrPooled = errors.New("Shapley values of pooled leaves are not sums over the trees")
	// ErrNoBackground is for a background table without rows.
	ErrNoBackground = shapley.ErrNoBackground
)

// ModelError reports a model that is no weighted sum of trees and columns.
type ModelError struct{ Learner string }

func (e *ModelError) Error() string {
	return fmt.Sprintf("exact Shapley values are for models of trees, linear models and weighted "+
		"sums of these, not for the model of the learner %q", e.Learner)
}

// NotCoveredError names a kind of node that these Shapley values are not defined for, or whose cost
// has no bound.
type NotCoveredError = shapley.NotCoveredError

// ShapleyOptions are the choices of Shapley and Interactions. The zero value explains the rounds
// that predictions use, path-dependently, on all processors.
type ShapleyOptions struct {
	// Background, if not nil, has the rows whose values stand for those that are not known:
	// contributions are interventional. A hundred to some thousand rows of the training set are
	// usual. Nil: they are path-dependent. See Shapley.
	Background *data.Frame
	// Cover, if not nil, has the rows that are counted at each node in place of the training
	// weights, such as for models of other tools that keep none. It is not used with a background.
	Cover   *data.Frame
	Rounds  int   // rounds of the model; 0 = those that predictions use
	Workers int   // goroutines; 0 = one per processor. The result is the same for any number
	Memory  int64 // bytes that tables may take at a time; 0 = 256 MiB
}

// Contributions are what the columns contribute to the raw scores of rows. Bias and the
// contributions of a row add up to its score, up to rounding.
//
// They point towards the class that Classes names. Where two classes have one raw score, that is
// the positive class (model.Spec.Positive). The model's score is always that of the second class,
// so if the first is positive, bias and contributions add up to the negative of the score. So they
// do of anomalies, towards which the raw score of isolation falls.
type Contributions struct {
	Features []string  // columns of the model's schema
	Scores   int       // raw scores of a row: 1, or one for each class or output
	Classes  []string  // by score: the class that it is towards; nil of numbers
	Bias     []float64 // by score: its mean by the training weight
	// contribution of feature j to score k of row r at (r*Scores + k)*len(Features) + j
	Values []float64
}

// Row returns the contributions to a score of a row: a view, one for each feature.
func (c *Contributions) Row(row, score int) []float64 {
	return c.Values[(row*c.Scores+score)*len(c.Features):][:len(c.Features)]
}

// MeanAbsolute returns by feature the mean over the rows of |contribution|, added up over the
// scores: the importance by Shapley values (Lundberg et al. 2020). The standard errors are those of
// the mean.
func (c *Contributions) MeanAbsolute() (mean, stdError []float64) {
	features := len(c.Features)
	mean, stdError = make([]float64, features), make([]float64, features)
	if len(c.Values) == 0 {
		return mean, stdError
	}
	rows := len(c.Values) / (features * c.Scores)
	absolute := make([]float64, rows)
	for j := range features {
		for row := range rows {
			absolute[row] = 0
			for k := range c.Scores {
				absolute[row] += math.Abs(c.Row(row, k)[j])
			}
			mean[j] += absolute[row] / float64(rows)
		}
		squares := 0.0
		for _, x := range absolute {
			d := x - mean[j]
			squares += float64(d * d)
		}
		if rows > 1 {
			stdError[j] = math.Sqrt(squares / float64(rows-1) / float64(rows))
		}
	}
	return mean, stdError
}

// Joined returns contributions of groups of features: those of a group have the same name, and are
// added up. The groups are in the order of their first features.
func (c *Contributions) Joined(name func(feature string) string) *Contributions {
	j := &Contributions{Scores: c.Scores, Classes: c.Classes, Bias: c.Bias}
	place := make([]int, len(c.Features))
	for i, feature := range c.Features {
		place[i] = slices.Index(j.Features, name(feature))
		if place[i] < 0 {
			place[i] = len(j.Features)
			j.Features = append(j.Features, name(feature))
		}
	}
	if len(c.Features) == 0 {
		return j
	}
	j.Values = make([]float64, len(c.Values)/len(c.Features)*len(j.Features))
	for i, v := range c.Values {
		row := i / len(c.Features)
		j.Values[row*len(j.Features)+place[i%len(c.Features)]] += v
	}
	return j
}

// Shapley returns the exact Shapley values of rows of a table, nil = all, on the raw scale: before
// the link, log odds for instance. Of two classes they are towards the positive one. There are two
// definitions of what a set of known columns is worth.
//
// Without a background, a value that is not known is averaged by the training weight of the trees'
// branches (path-dependent TreeSHAP: Lundberg et al. 2020, "From local explanations to global
// understanding", algorithm 1). These are XGBoost's and LightGBM's pred_contribs and CatBoost's
// ShapValues. Players are the fields of the schema, each with all that a model derives of it alone.
// Columns that are derived of several fields, as a target statistic of two categories, are one
// player for each set of fields. Its contribution is divided equally among these.
//
// With a background, it is the mean score of rows that have the known values, and all others from a
// row of the background (interventional Shapley values: Janzing et al. 2020). Bias is the mean
// score of the background. Derived columns are computed anew for such rows, so players are columns.
// Trees may have all kinds of nodes and leaves, except for splits on more than 12 columns.
//
// A combination has exact values where its raw scores are weighted sums of those of trees and
// linear models, by linearity: means of forests' probabilities, bags of linear models, stacks of
// models of numbers whose meta-learner is linear, calibrated models of these. No link may be
// between. Votes and products have them if each member is one tree. Rounds are members of a
// committee, and have no meaning for stacks.
//
// A linear model's columns contribute their terms less the mean of these, over the background, or
// without one over the training rows.
//
// Costs for n rows and m of the background: leaves whose paths test up to 14 different columns have
// tables, which take time in proportion to n + m. A table has 2^columns x columns numbers. Tables
// are made where they pay for n rows, and for as many trees at a time as Memory has space for.
// Other leaves take time in proportion to n without a background, and to n x m / 64 with one. Trees
// with surrogate splits, equations in leaves, splits on several columns, rows that are divided or
// stop, and columns derived of several take n x m x the nodes that rows of mixed values reach.
//
// Errors: those of Bind and Predict for both tables; *ModelError for other models; ErrNoBackground;
// without a background ErrNoCover for trees that keep no training weights if there is no Cover, and
// *NotCoveredError for surrogate splits, nodes that divide or stop rows, splits on several columns
// and linear leaves; with one *NotCoveredError for splits on many columns; ErrPooled; and
// ctx.Err().
func Shapley(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, o ShapleyOptions,
) (*Contributions, error) {
	sum, err := sumOf(m, o.Rounds)
	if err != nil {
		return nil, err
	}
	v, err := sum.Contributions(ctx, f, f.Chosen(rows), shapley.Options(o))
	if err != nil {
		return nil, err
	}
	return contributionsOf(m, model.Raw, v), nil
}

// sumOf returns a model as the sum that has exact values.
func sumOf(m model.Model, rounds int) (*shapley.Sum, error) {
	if e, trees := model.Inner(m).(*model.Ensemble); trees && e.Combine == model.Pool {
		return nil, ErrPooled
	}
	sum, ok := shapley.SumOf(m, rounds)
	if !ok {
		return nil, &ModelError{m.Spec().Learner}
	}
	return sum, nil
}

// contributionsOf returns contributions that point towards the classes of a model's scores.
func contributionsOf(m model.Model, of model.Output, v *shapley.Values) *Contributions {
	return &Contributions{Features: m.Spec().Schema.Names(), Scores: len(v.Bias), Bias: v.Bias,
		Classes: turn(m, of, v), Values: v.Values}
}

// turn points values towards the classes of a model's scores, which it returns.
func turn(m model.Model, of model.Output, v *shapley.Values) (classes []string) {
	d := directionOf(m, of, len(v.Bias))
	d.turn(v.Bias)
	d.turn(v.Values)
	return d.classes
}

// IsExact reports whether Shapley computes exact values of models of a kind: of trees, but for
// those whose leaves are pooled, of linear models, and of weighted sums of these. Some kinds of
// nodes are errors nevertheless.
func IsExact(m model.Model) bool {
	_, ok := shapley.SumOf(m, 0)
	return ok
}

// Divided returns the names of the columns that a model derives of several of its columns, such as
// ts(a+b) for the target statistic of two categories. Where Shapley and Interactions have no
// background, a combination is one player, and its contribution is divided equally among the
// columns that it is made of. With a background nothing is divided.
func Divided(m model.Model) []string {
	sum, ok := shapley.SumOf(m, 0)
	if !ok {
		return nil
	}
	return sum.Divided()
}
