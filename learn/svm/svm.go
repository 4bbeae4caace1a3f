// Package svm owns the learner svm: support vector machines for classes (Cortes & Vapnik 1995) and
// for numbers (Drucker et al. 1997), linear or with a kernel.
//
// A row is a vector x (package dense: numbers standardised, categories coded, gaps filled).
// For two classes s = -1 and +1 the machine is the sum f(x) = b + w x, or with a kernel its like in
// another space, that minimises
//
//	1/2 |w|^2 + c sum over rows of weight max(0, 1 - s f(x))
//
// and its sign is the class. For more classes there is such a machine for each, against all others
// together. For numbers y, which are standardised too, what is summed is max(0, |y - f(x)| -
// epsilon).
//
// Kernels are solved by sequential minimal optimisation, as in LIBSVM, and have dense.Machine for a
// model. The linear machine is solved by descent along the coordinates of the dual, as in
// LIBLINEAR, in a time that grows as the table; there, b is part of w: it is penalised as the
// coefficient of a column of ones. Its model is dense.Linear.
//
// Sparse columns are made dense: a row takes 8 bytes for each place of its vector.
package svm

import (
	"context"
	"fmt"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "svm"

// maxRows is the greatest number of rows that a kernel is trained on: the time grows at least as
// their square. A linear machine takes any number.
const maxRows = 50_000

// maxWidth is the greatest number of places of a vector.
const maxWidth = 1 << 16

// The kernels of two rows a and b.
const (
	KernelLinear  = dense.LinearKernel  // a b
	KernelRBF     = dense.RBF           // exp(-gamma |a - b|^2)
	KernelPoly    = dense.Poly          // (gamma a b + coef0)^degree
	KernelSigmoid = dense.SigmoidKernel // tanh(gamma a b + coef0)
)

// Learner is a support vector machine with its parameters. Make one with New, which sets the
// defaults; the zero value has none. The fields are declared, with default, range and meaning, in
// Params.
//
// The class probabilities are the logistic function of the decision values, divided by their sum
// where there are more than two. They order rows and choose labels, but they are not calibrated:
// use the learner calibrate where that matters. A class without training row has probability 0.
type Learner struct {
	// Product of two rows: linear, exp(-gamma |a-b|^2), (gamma a b + coef0)^degree, or tanh(gamma a
	// b + coef0). Parameter kernel: rbf, linear, poly or sigmoid; default rbf.
	Kernel dense.KernelKind
	// Cost of a row on the wrong side; less makes a wider margin. Parameter c: a number > 0 and <=
	// 1e+12; default 1.
	C float64
	// Factor in kernels other than linear. Parameter gamma: a number >= 0 and <= 1e+12 (0 = 1 /
	// (places of a vector x variance of their values)); default 0.
	Gamma float64
	// Power of the kernel poly. Parameter degree: an integer >= 1 and <= 64; default 3.
	Degree int
	// Constant in the kernels poly and sigmoid. Parameter coef0: a number >= -1e+12 and <= 1e+12;
	// default 0.
	Coef0 float64
	// Errors of numbers that cost nothing, in standard deviations of the label. Parameter epsilon:
	// a number >= 0; default 0.1.
	Epsilon float64
	// How far from the best the solution may be, in units of the decision value. Parameter
	// tolerance: a number >= 1e-12 and <= 1; default 0.001.
	Tolerance float64
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Capabilities implements learn.Learner.
func (l *Learner) Capabilities() learn.Capabilities {
	return learn.Capabilities{Summary: func() learn.Summary { return new(summary) }}
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.OneOf(&l.Kernel, "kernel", []dense.KernelKind{KernelRBF, KernelLinear, KernelPoly, KernelSigmoid},
			"product of two rows: linear, exp(-gamma |a-b|^2), (gamma a b + coef0)^degree, or "+
				"tanh(gamma a b + coef0)").TuneAmong("rbf", "linear"),
		param.Float(&l.C, "c", 1, 0, 1e12,
			"cost of a row on the wrong side; less makes a wider margin",
			param.ExcludeMin).TuneLog(1e-3, 1e3).Also("C"),
		param.Float(&l.Gamma, "gamma", 0, 0, 1e12, "factor in kernels other than linear",
			param.Zero("1 / (places of a vector x variance of their values)")).TuneLog(1e-4, 10).TuneWith("kernel", "rbf", "poly", "sigmoid"),
		param.Int(&l.Degree, "degree", 3, 1, dense.MaxDegree, "power of the kernel poly"),
		param.Float(&l.Coef0, "coef0", 0, -1e12, 1e12, "constant in the kernels poly and sigmoid"),
		param.Float(&l.Epsilon, "epsilon", 0.1, 0, math.Inf(1),
			"errors of numbers that cost nothing, in standard deviations of the label"),
		param.Float(&l.Tolerance, "tolerance", 1e-3, 1e-12, 1,
			"how far from the best the solution may be, in units of the decision value"),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct {
	fitting.Encoded
	Kernel  *dense.Kernel `json:"kernel"`  // with the numbers that were taken
	Vectors int           `json:"vectors"` // support vectors; 0 of a linear machine
	// pairs of variables that were changed, or passes over the rows, of all scores together
	Iterations int `json:"iterations"`
	// false: the limit of iterations came first, or rounding
	Converged bool   `json:"converged"`
	Solution  string `json:"solution,omitempty"` // a remedy if it has not converged
}

// Describe implements learn.Summary.
func (s *summary) Describe(m model.Model) *training.Summary { return s.Solved(m, s.Solution) }

// Prepare checks the parameters and fits the encoding.
func (l *Learner) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	_ learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, fitting.Vectors(Name, weight, maxWidth), (*Learner).fit)
}

// tooMany is the error of more rows than a kernel takes.
func tooMany(rows int) error {
	return &learn.LimitError{Learner: Name, Reason: fmt.Sprintf("svm with a kernel takes up to %d "+
		"rows, the table has %d: use kernel=linear, or bag svm on samples of the rows (the learner bag "+
		"with base=svm and fraction=%.2g)",
		maxRows, rows, math.Floor(100*float64(maxRows)/float64(rows))/100)}
}
