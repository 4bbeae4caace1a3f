package linear

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// LogisticName is the name of logistic in the catalog.
const LogisticName = "logistic"

// maxWidthOfLogistic is the greatest number of columns, with one for each category.
const maxWidthOfLogistic = 1 << 14

// Logistic is logistic regression of two classes (Berkson 1944, Cox 1958), and of more by the
// softmax of a score each (multinomial logistic regression). Make one with NewLogistic, which sets
// the defaults; the zero value has none. The fields are declared, with default, range and meaning,
// in Params.
//
// A row is a vector x (package dense: numbers standardised, categories coded, gaps filled). The
// second of two classes has a score s = b + c x, and each of more classes has one. The class
// probabilities p are the logistic function of s, or the softmax. The model minimises
//
//	sum over rows of weight (-log p of the row's class) + l2/2 sum of c^2
//
// With l2 = 0 this is maximum likelihood. The sum is convex; Newton's method finds its least value,
// which for two classes is iteratively reweighted least squares (Hastie, Tibshirani & Friedman, The
// Elements of Statistical Learning, section 4.4.1). Of many unknowns L-BFGS does (Liu & Nocedal
// 1989), which needs no second derivatives.
//
// Without a penalty there is no least value where a plane separates the classes: the coefficients
// would grow for ever. They are then those of the last step, and the summary reports it.
//
// A class without training rows has probability 0. gonum does the algebra: the model has the same
// bytes for any number of workers, not for any processor.
//
// Sparse columns are made dense in blocks of rows.
type Logistic struct {
	// Penalty: half of it times the squares of the coefficients of standardised columns is added to
	// the loss of all rows; the constants have none. Parameter l2: a number >= 0 (0 = maximum
	// likelihood); default 1.
	L2 float64
	// Newton: few steps, each of which costs rows x unknowns^2; lbfgs: many steps, each of which
	// costs rows x unknowns; auto = newton up to 300 unknowns. Parameter solver: auto, newton or
	// lbfgs; default auto.
	Solver Solver
	// Steps after which training ends though the loss still falls; Newton's method ends after 100.
	// Parameter steps: an integer >= 1; default 1000.
	Steps int
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// NewLogistic returns logistic with default parameters.
func NewLogistic() *Logistic { return param.WithDefaults(&Logistic{}) }

// Capabilities implements learn.Learner: the label has classes.
func (l *Logistic) Capabilities() learn.Capabilities {
	return learn.Capabilities{Needs: learn.Needs{Classes: true}, Offset: true,
		Summary: func() learn.Summary { return new(logisticSummary) }}
}

// Params declares the parameters.
func (l *Logistic) Params() param.Set {
	return param.Set{
		param.Float(&l.L2, "l2", 1, 0, math.Inf(1),
			"penalty: half of it times the squares of the coefficients of standardised columns is "+
				"added to the loss of all rows; the constants have none",
			param.Zero("maximum likelihood")).TuneLog(1e-4, 1e4),
		param.AnyOf(&l.Solver, "solver",
			"newton: few steps, each of which costs rows x unknowns^2; lbfgs: many steps, each of "+
				"which costs rows x unknowns; auto = newton up to 300 unknowns"),
		param.Int(&l.Steps, "steps", 1000, 1, math.MaxInt,
			"steps after which training ends though the loss still falls; Newton's method ends "+
				"after 100"),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// logisticSummary is what training found; it is kept as JSON in the model's Spec.
type logisticSummary struct {
	fitting.Encoded
	Solver    string `json:"solver"`
	Steps     int    `json:"steps"`
	Converged bool   `json:"converged"`
	// mean loss of the training rows by their weights, without the penalty
	Loss     float64 `json:"loss"`
	Solution string  `json:"solution"` // in words
}

// Describe implements learn.Summary.
func (s *logisticSummary) Describe(m model.Model) *training.Summary { return s.Solved(m, s.Solution) }

// Prepare fits the encoding. Too many columns are a *learn.LimitError.
func (l *Logistic) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	_ learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, fitting.Vectors(LogisticName, weight, maxWidthOfLogistic), (*Logistic).fit)
}

// fit minimises the loss. A target without classes is a *learn.TaskError. If the context is
// cancelled, or the observer returns an error, it returns the model after the steps so far too; nil
// if there are none.
func (l *Logistic) fit(ctx context.Context, table *fitting.VectorTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	if !t.Task.Classes() {
		return nil, &learn.TaskError{Learner: LogisticName, Task: t.Task}
	}
	table, pop, _, err := table.Gather(LogisticName, t, &job, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	p := newLogisticProblem(table, pop, t, l.L2, job.Workers)
	found, ended := p.minimise(ctx, l, job.Observe)
	if found == nil {
		return nil, ended
	}
	s := logisticSummary{Encoded: table.Found(pop),
		Solver: found.solverName(), Steps: found.steps, Converged: found.converged,
		Loss: found.loss, Solution: found.words(l.L2)}
	m := &dense.Linear{Model: table.Model(LogisticName, t), Link: link.Softmax()}
	if len(t.Classes) == 2 {
		m.Link = link.Logistic()
	}
	m.Bias, m.Coef = p.scores(found.at, len(t.Classes))
	described, err := fitting.Model(m, l.Params(), &s)
	if err != nil {
		return nil, err
	}
	return described, fitting.UnlessStop(ended)
}

// solverName returns the name for the summary.
func (r *logisticResult) solverName() string {
	if r.solver == SolverAuto {
		return ""
	}
	return r.solver.String()
}

// words describes the search.
func (r *logisticResult) words(l2 float64) string {
	if r.solver == SolverAuto {
		return "all rows have one class"
	}
	solver := map[Solver]string{SolverNewton: "Newton's method", SolverLBFGS: "L-BFGS"}[r.solver]
	text := solver + ", " + humanize.Count(r.steps, "step", "steps")
	switch {
	case !r.converged:
		text += ", not converged: raise steps, or l2 where the classes are separable"
	case l2 == 0 && r.certain > 0:
		text += fmt.Sprintf("; %d rows have their class to 1e-9: where a plane separates classes, "+
			"only l2 bounds the coefficients", r.certain)
	}
	return text
}
