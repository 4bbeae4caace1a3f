// Package calibrate owns the learner calibrate. It takes any other classifier as its base,
// calibrates the class probabilities, and chooses labels by a threshold or by costs. Both are
// fitted to out-of-fold predictions.
//
//	rows     1 2 3 4 5 6              the base is fitted without a fold, and predicts its rows:
//	         - - 3 4 5 6  ->  1 2
//	         1 2 - - 5 6  ->  3 4     calibrators and threshold are fitted to these predictions,
//	         1 2 3 4 - -  ->  5 6
//	         1 2 3 4 5 6              and applied to the base that is fitted to all rows
//
// Predictions for the base's own training rows would not do. A model is overconfident on them, and
// so would be calibrators that are fitted to them.
package calibrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "calibrate"

// The methods of calibration.
const (
	MethodNone        = committee.NoCurves
	MethodPlatt       = committee.Platt       // a logistic function of the log odds
	MethodIsotonic    = committee.Isotonic    // a rising, piecewise linear function
	MethodTemperature = committee.Temperature // all log probabilities times one number
)

// Learner is calibration with its parameters. Make one with New, which sets the defaults. The
// fields are declared, with default, range and meaning, in Params.
type Learner struct {
	// Learner that is calibrated; its parameters are set as base.KEY (coppice learners NAME lists
	// them). Parameter base: name of a learner; default cart.
	Base learn.Choice
	// How class probabilities are calibrated; platt: a logistic function of their log odds (Platt
	// 1999); isotonic: a rising, piecewise linear function, for a thousand rows and more (Zadrozny
	// & Elkan 2002); temperature: all log probabilities times one number (Guo et al. 2017); none:
	// not at all. Parameter method: platt, isotonic, temperature or none; default platt.
	Method committee.CalibrationMethod
	// What a threshold between two classes is chosen for, on out-of-fold predictions; accuracy:
	// fraction of right labels; balanced_accuracy: mean of the recalls of both classes; f1:
	// harmonic mean of precision and recall of the positive class; mcc: Matthews's correlation of
	// label and class; cost: least mean cost, by the parameter costs. Parameter threshold_for:
	// none, accuracy, balanced_accuracy, f1, mcc or cost; default none.
	ThresholdFor Aim
	// What wrong predictions cost: a table with a line for each true and a column for each
	// predicted class, named in the first column and line; the label is the class of least expected
	// cost. Parameter costs: FILE.csv; default "".
	Costs data.NamedCosts
	// Folds of the cross-validation, at most as many as there are rows, groups or times; a plan of
	// folds given to the training replaces them. Parameter folds: an integer >= 2 and <= 1000000;
	// default 5.
	Folds int
}

// New returns a learner with default parameters. resolve finds the base by name; nil: the caller
// gives Base.Learner, or Prepare finds it by Env.Resolve.
func New(resolve learn.Resolve) *Learner {
	return param.WithDefaults(&Learner{Base: learn.Choice{Resolve: resolve}})
}

// Params declares the parameters. Five folds leave four fifths of the rows to the fits whose
// predictions the calibrators are fitted to.
func (l *Learner) Params() param.Set {
	help := "what a threshold between two classes is chosen for, on out-of-fold predictions"
	for _, a := range aims() {
		help += "; " + a.name + ": " + a.help
	}
	return param.Set{
		learn.ChoiceParam(&l.Base, "base", "cart",
			"learner that is calibrated; its parameters are set as base.KEY (coppice learners "+
				"NAME lists them)").Also("estimator"),
		param.OneOf(&l.Method, "method", []committee.CalibrationMethod{MethodPlatt, MethodIsotonic,
			MethodTemperature, MethodNone},
			"how class probabilities are calibrated; platt: a logistic function of their log odds "+
				"(Platt 1999); isotonic: a rising, piecewise linear function, for "+
				"a thousand rows and more (Zadrozny & Elkan 2002); temperature: all log "+
				"probabilities times one number (Guo et al. 2017); none: not at all"),
		param.AnyOf(&l.ThresholdFor, "threshold_for", help),
		weighting.Costs(&l.Costs),
		param.Int(&l.Folds, "folds", 5, 2, 1_000_000,
			"folds of the cross-validation, at most as many as there are rows, groups or times; a "+
				"plan of folds given to the training replaces them").Also("cv"),
	}
}

// Capabilities implements learn.Learner. The base decides what the table must have besides classes,
// and what a validation set is used for; its conflicting parameters are reported too. Memory holds,
// for each row and class, out-of-fold and calibrated predictions, and what the base needs.
func (l *Learner) Capabilities() learn.Capabilities {
	base := l.Base.Capabilities()
	c := learn.Capabilities{Needs: base.Needs, Validation: base.Validation, RowClassBytes: 64,
		Summary: func() learn.Summary { return new(Summary) }}
	c.Classes, c.Unsupervised = true, false
	var all []error
	if l.ThresholdFor == AimCost && len(l.Costs.Classes) == 0 {
		all = append(all, errors.New("threshold_for=cost needs costs: give a file of them"))
	}
	if len(l.Costs.Classes) > 0 && l.ThresholdFor != AimCost && l.ThresholdFor != AimNone {
		all = append(all, fmt.Errorf("costs do not go with threshold_for=%v: use "+
			"threshold_for=cost, or none for labels of least expected cost", l.ThresholdFor))
	}
	c.Conflicts = errors.Join(append(all, base.Conflicts)...)
	return c
}

// fitter is a table with the parameters as they were in Prepare.
type fitter struct {
	learner Learner
	base    learn.Learner // as it was in Prepare
	whole   learn.Fitter  // the base prepared on all rows
	frame   *data.Frame
	rows    []int32
	env     learn.Env
}

// Prepare prepares the base on all rows. For the folds Fit prepares it, since nothing of a row may
// reach the model that predicts it out-of-fold.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	f, distinct, err := fitting.Frame(l.Params(), features, rows, l.Capabilities().Conflicts)
	if err != nil {
		return nil, err
	}
	env = env.Alone()
	base, err := l.Base.Take(env)
	if err != nil {
		return nil, err
	}
	c := &fitter{learner: *l, base: base.Learner, frame: f, rows: distinct, env: env}
	c.learner.Base = base
	c.whole, err = c.base.Prepare(ctx, f, rows, weight, env)
	return c, err
}
