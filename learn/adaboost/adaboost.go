// Package adaboost owns adaptive boosting of any learner: members are trained one after the other,
// and vote with weights of their own. Each has larger weights of the rows that those before it got
// wrong.
//
//	          weights w, sum 1                  votes
//	round 1   . . . . . . . . . .   -> h1       alpha1
//	round 2   . . O . . . O . . .   -> h2       alpha2    wrong rows of h1: half of the weight
//	round 3   . . o . O . o . O .   -> h3       alpha3
//
// There are two learners. adaboost has the variants of the table in variant.go:
//
//	discrete  AdaBoost, of more than two classes AdaBoost.M1 (Freund & Schapire 1997)
//	samme     SAMME (Zhu, Zou, Rosset & Hastie 2009), the same for two classes
//	real      real AdaBoost, by class probabilities (Friedman, Hastie & Tibshirani 2000, algorithm
//	          2); of more classes SAMME.R
//	gentle    gentle AdaBoost, by Newton steps (same, algorithm 4); of more classes one score
//	          for each against the rest
//	r2        AdaBoost.R2, regression (Drucker 1997)
//
// and logitboost fits the logistic likelihood by weighted regressions (same, algorithms 3 and 6).
//
// With e the weighted error of a round and gamma = 1/2 - e its edge, the training error of discrete
// AdaBoost is at most the product of 2 sqrt(e (1 - e)). That product is at most exp(-2 sum of
// gamma^2). The summary has both bounds for each round, and the distribution of the margins: the
// weight of votes for a row's class less that of the strongest other (Schapire, Freund, Bartlett &
// Lee 1998).
//
// Base learners that ignore weights are trained on rows sampled by weight; others are with
// resample=true.
package adaboost

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/param"
)

// The names of the learners in the catalog.
const (
	Name       = "adaboost"
	LogitBoost = "logitboost"
)

// Learner is adaptive boosting with its parameters. Make one with New or NewLogitBoost, which set
// the defaults; fields are named as the parameters, which Params declares.
type Learner struct {
	// Way to boost; discrete: members vote by 1/2 ln((1 - e) / e), and need an error e below 1/2;
	// samme: the same for K classes, with an error below 1 - 1/K; real: members multiply their
	// class probabilities; gentle: members are regressions of +1 and -1, whose numbers add up; r2:
	// regression, by the weighted median of the members; auto = discrete for two classes, samme for
	// more, r2 for regression. Parameter variant: auto, discrete, samme, real, gentle or r2;
	// default auto.
	Variant Variant
	// Variant r2: loss of an error, of which d is the fraction of the largest: d, d^2 or 1 -
	// exp(-d). Parameter loss: linear, square or exponential; default linear.
	Loss Loss
	// Greatest working response, of logitboost alone. Parameter clip: a number > 0; default 4.
	Clip float64
	// Rounds of boosting, each of which adds a member, or one for each class; fewer where a rule
	// ends the training. Parameter rounds: an integer >= 1 and <= 1000000; default 100.
	Rounds int
	// What is trained in each round; its parameters are set as base.KEY (coppice learners NAME
	// lists them); cart starts as a stump: depth=1 prune=none. Parameter base: name of a learner;
	// default cart.
	Base learn.Choice
	// Factor on the contribution of each member; the theoretical bounds hold for 1. Parameter
	// learning_rate: a number > 0 and <= 10; default 1.
	LearningRate float64
	// Train each member on rows sampled by weight, as many as there are, not on weights; auto = if
	// the base ignores weights. Parameter resample: auto, true or false; default auto.
	Resample Resample
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight

	logit bool
}

// New returns the learner adaboost with default parameters. resolve finds the base by name; nil:
// the caller gives Base.Learner, or Prepare finds it by Env.Resolve.
func New(resolve learn.Resolve) *Learner { return newLearner(resolve, false) }

// NewLogitBoost returns the learner logitboost with default parameters.
func NewLogitBoost(resolve learn.Resolve) *Learner { return newLearner(resolve, true) }

func newLearner(resolve learn.Resolve, logit bool) *Learner {
	return param.WithDefaults(&Learner{Base: learn.Choice{Resolve: resolve, Start: start},
		logit: logit})
}

// start returns what bases start with instead of their own defaults: trees are stumps, which are
// enough for boosting.
func start(base string) []string {
	if base == "cart" {
		return []string{"depth=1", "prune=none"}
	}
	return nil
}

func (l *Learner) name() string {
	if l.logit {
		return LogitBoost
	}
	return Name
}

// Capabilities implements learn.Learner. Of the base are the columns that it requires; for each row
// and class there are scores, votes and what the base holds.
func (l *Learner) Capabilities() learn.Capabilities {
	base := l.Base.Capabilities().Needs
	base.Classes, base.Unsupervised = base.Classes || l.logit, false
	return learn.Capabilities{Needs: base, Rounds: true, RowClassBytes: 40,
		Validation: learn.Validation{Monitoring: true},
		Summary:    func() learn.Summary { return new(Summary) }}
}

// Params declares the parameters. There are 100 rounds by default, as in the catalog's other
// ensembles.
func (l *Learner) Params() param.Set {
	var own param.Set
	if l.logit {
		own = param.Set{param.Float(&l.Clip, "clip", 4, 0, math.Inf(1),
			"greatest working response (y - p) / (p (1 - p)), which for single rows would have no "+
				"limit (Friedman et al. 2000: 2 to 4)", param.ExcludeMin)}
	} else {
		own = param.Set{
			param.AnyOf(&l.Variant, "variant", variantHelp()),
			param.AnyOf(&l.Loss, "loss",
				"variant r2: loss of an error, of which d is the fraction of the largest: d, d^2 "+
					"or 1 - exp(-d)"),
		}
	}
	return append(own,
		param.Int(&l.Rounds, "rounds", 100, 1, 1_000_000,
			"rounds of boosting, each of which adds a member, or one for each class; fewer where "+
				"a rule ends the training").TuneLog(10, 1000).
			Also("n_estimators"),
		learn.ChoiceParam(&l.Base, "base", "cart",
			"what is trained in each round; its parameters are set as base.KEY (coppice learners "+
				"NAME lists them); cart starts as a stump: depth=1 prune=none").
			Also("estimator"),
		param.Float(&l.LearningRate, "learning_rate", 1, 0, 10,
			"factor on the contribution of each member; the theoretical bounds hold for 1",
			param.ExcludeMin).TuneLog(0.05, 2),
		param.AnyOf(&l.Resample, "resample",
			"train each member on rows sampled by weight, as many as there are, not on weights; "+
				"auto = if the base ignores weights"),
		weighting.ClassWeight(&l.ClassWeight),
	)
}

// fitter is a table with the parameters at the time of Prepare.
type fitter struct {
	learner  Learner
	base     learn.Learner
	prepared learn.Fitter
	frame    *data.Frame
	rows     []int32
	resample bool
	weight   []float64                                                         // of Prepare
	prepare  func(ctx context.Context, weight []float64) (learn.Fitter, error) // the base
}

// Prepare prepares the base, once for all rounds.
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
	b := &fitter{learner: *l, base: base.Learner, frame: f, rows: rows, weight: weight}
	b.learner.Base = base
	b.resample = l.Resample == ResampleTrue || l.Resample == ResampleAuto &&
		b.base.Capabilities().Unweighted
	b.prepare = func(ctx context.Context, weight []float64) (learn.Fitter, error) {
		return b.base.Prepare(ctx, f, rows, weight, env)
	}
	if b.prepared, err = b.prepare(ctx, weight); err != nil {
		return nil, fmt.Errorf("base=%s: %w", base.Name, err)
	}
	return b, nil
}
