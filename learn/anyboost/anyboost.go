// Package anyboost owns the learner anyboost: forward stagewise additive modelling by the general
// algorithms, for any loss and any learner of regression. It is gradient descent in the space of
// functions (Mason, Baxter, Bartlett & Frean 1999, AnyBoost; Friedman 2001, gradient boosting),
// whose steps are members of the base's family:
//
//	raw = start of the loss, base_score, or the user's initial scores
//	for each round:
//	    g = derivatives of the loss at raw                      loss
//	    f = the base, fitted by least squares to -g, by output  any learner
//	    if <-g, f> is not positive: end                         the loss does not fall along f
//	    f = f with better leaves, or a searched for             step
//	    raw += learning rate x a x f
//	    evaluate the validation set; enough rounds without improvement end the training
//
// How long a step is:
//
//	fixed   a = 1
//	line    a is where the loss is least along f. Of the squared error that is the projection of
//	        the residuals on f, and with learning_rate=1 the method is matching pursuit (Mallat &
//	        Zhang 1993)
//	leaf    each leaf of a tree has the value of least loss, or of one Newton step; a = 1
//	        (Friedman's TreeBoost)
//
// The base is prepared once and fitted again each round by its own algorithm. So this learner is
// for any base, and gbm for speed.
package anyboost

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "anyboost"

// Learner is boosting in function space with its parameters. Make one with New, which sets the
// defaults. Fields are named as the parameters, which Params declares.
type Learner struct {
	// Rounds, each of which adds a member for every output of the loss. Parameter rounds: an
	// integer >= 1 and <= 1000000; default 100.
	Rounds int
	// What is minimised; auto: squared for regression, logistic for two classes, softmax for more;
	// its parameters are set as loss.KEY (coppice learners gbm loss=NAME lists them). Parameter
	// loss: auto, squared, absolute, huber, pseudo_huber, fair, quantile, expectile, mape, poisson,
	// gamma, tweedie, squared_log, logistic, cross_entropy, exponential, hinge, focal, lambdamart,
	// xe_ndcg, cox, aft, softmax, one_vs_all; default auto.
	Loss loss.Choice
	// What is fitted each round, a learner of regression; its parameters are set as base.KEY
	// (coppice learners NAME lists them); cart starts with prune=none depth=3. Parameter base: name
	// of a learner; default cart.
	Base learn.Choice
	// How far a round goes, times learning_rate; fixed: as the base predicts; line: as far as the
	// loss of the training set falls; leaf: each leaf of a tree as far as its own loss falls, or
	// one Newton step; auto: leaf for trees, line for others. Parameter step: auto, fixed, line or
	// leaf; default auto.
	Step Step
	// Factor on what each round adds. Parameter learning_rate: a number > 0 and <= 1; default 0.1.
	LearningRate float64
	// Fraction of the rows that a round is fitted on, sampled for each (Friedman 2002). Parameter
	// subsample: a number > 0 and <= 1; default 1.
	Subsample float64
	// Least cosine of the angle between the predictions of a round and the negative gradient; a
	// round below it ends the training. Parameter min_descent: a number >= 0 and <= 1; default
	// 1e-09.
	MinDescent float64
	// Response that all rows start with, as XGBoost's; "" is the best one by the loss. Parameter
	// base_score: a number; default "".
	BaseScore string
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
	// Fraction of the training rows that is the validation set, where none is given. Parameter
	// valid_fraction: a number >= 0 and <= 0.5 (0 = none); default 0.
	ValidFraction float64
	// Rounds without improvement on the validation set that end the training; the model keeps the
	// rounds up to its best. Parameter early_stopping: an integer >= 1 (0 = all rounds are trained
	// and kept); default 50.
	EarlyStopping int
	// Metrics of the validation set after each round; the first decides early stopping; auto: the
	// loss, of rankings ndcg@10. Parameter metric: auto, or loss and names of metrics with commas
	// between them; default auto.
	Metric string
	// Rounds after which the metrics of the training set are evaluated again. Parameter
	// training_metric: an integer >= 1 (0 = never); default 10.
	TrainingMetric int
	// Metrics are evaluated in addition to Metric and before it: the first decides early stopping.
	// They are Go functions, no parameter: models do not hold them.
	Metrics []metric.Metric
}

// New returns a learner with default parameters. resolve finds the base by name; nil: the caller
// gives Base.Learner, or Prepare finds it by Env.Resolve.
func New(resolve learn.Resolve) *Learner {
	return param.WithDefaults(&Learner{Base: learn.Choice{Resolve: resolve, Start: start}})
}

// start returns what bases start with instead of their own defaults. Boosting reduces bias, so
// small trees suffice (Friedman 2001). Pruning fits every tree eleven times, and the next tree
// restores what it removes.
func start(base string) []string {
	if base == "cart" {
		return []string{"prune=none", "depth=3"}
	}
	return nil
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return append(param.Set{
		param.Int(&l.Rounds, "rounds", 100, 1, 1_000_000,
			"rounds, each of which adds a member for every output of the loss").TuneLog(10, 1000).
			Also("n_estimators", "trees"),
		boosting.LossParam(&l.Loss),
		learn.ChoiceParam(&l.Base, "base", "cart",
			"what is fitted each round, a learner of regression; its parameters are set as "+
				"base.KEY (coppice learners NAME lists them); cart starts with prune=none depth=3"),
		param.AnyOf(&l.Step, "step",
			"how far a round goes, times learning_rate; fixed: as the base predicts; line: as far "+
				"as the loss of the training set falls; leaf: each leaf of a tree as far as its "+
				"own loss falls, or one Newton step; auto: leaf for trees, line for others"),
		param.Float(&l.LearningRate, "learning_rate", 0.1, 0, 1, "factor on what each round adds",
			param.ExcludeMin).TuneLog(0.01, 0.5).
			Also("eta", "shrinkage"),
		param.Float(&l.Subsample, "subsample", 1, 0, 1,
			"fraction of the rows that a round is fitted on, sampled for each (Friedman 2002)",
			param.ExcludeMin).Tune(0.5, 1),
		param.Float(&l.MinDescent, "min_descent", 1e-9, 0, 1,
			"least cosine of the angle between the predictions of a round and the negative "+
				"gradient; a round below it ends the training"),
		boosting.BaseScoreParam(&l.BaseScore),
		weighting.ClassWeight(&l.ClassWeight),
	}, boosting.EvaluationParams(&l.ValidFraction, &l.EarlyStopping, &l.Metric,
		&l.TrainingMetric)...)
}

// Capabilities implements learn.Learner. Of a validation set early stopping chooses the number of
// rounds; without it the set is evaluated after each round, and no more. For each row and class
// there are raw scores, two derivatives, what the round adds, and predictions.
func (l *Learner) Capabilities() learn.Capabilities {
	c := learn.Capabilities{
		Summary:       func() learn.Summary { return new(Summary) },
		Tasks:         []data.Task{data.Ranking, data.Survival},
		Task:          boosting.LossTask(&l.Loss),
		Metric:        l.Loss.Metric(),
		Offset:        true,
		Validation:    learn.Validation{Monitoring: true},
		Rounds:        true,
		RowClassBytes: 40,
		Presets: []learn.Preset{
			{Name: "default", Help: "100 rounds of trees of depth 3", Settings: nil},
			{Name: "pursuit", Help: "matching pursuit of the squared error by stumps: each round " +
				"takes away all that its stump can",
				Settings: []string{"loss=squared", "step=line", "learning_rate=1", "base=cart",
					"base.depth=1", "training_metric=1"}},
		},
	}
	if l.EarlyStopping > 0 {
		c.Validation = learn.Validation{EarlyStopping: true}
	}
	return c
}

// fitter is a table with the parameters at the time of Prepare.
type fitter struct {
	learner Learner
	frame   *data.Frame
	rows    []int32                                                           // distinct
	base    learn.Fitter                                                      // on these rows
	weight  []float64                                                         // of Prepare
	prepare func(ctx context.Context, weight []float64) (learn.Fitter, error) // the base
}

// Prepare prepares the base on the given rows.
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
	own := &fitter{learner: *l, frame: f, rows: f.Chosen(rows), weight: weight}
	own.learner.Base = base
	if own.learner.Loss, err = boosting.CopyLoss(&l.Loss); err != nil {
		return nil, err
	}
	own.prepare = func(ctx context.Context, weight []float64) (learn.Fitter, error) {
		return base.Learner.Prepare(ctx, f, slices.Clone(own.rows), weight, env)
	}
	own.base, err = own.prepare(ctx, weight)
	return own, err
}
