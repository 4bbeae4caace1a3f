// Package linear owns the learners of linear scores: linear, logistic and cox. Least squares and
// ridge regression (linear) are of one or several numbers, or of the indicators of classes.
//
// A row is a vector x (package dense: numbers standardised, categories coded, gaps filled), and the
// model is the sum b + c x that minimises
//
//	sum over rows of weight (y - b - c x)^2 + l2 sum of c^2
//
// (Hoerl & Kennard, "Ridge regression", 1970; with l2 = 0 least squares). Where columns determine
// each other, as the categories of a column do, least squares has many solutions; that of the
// shortest c is taken, which treats columns alike.
//
// Classes are regressed by their indicators, 1 for the row's class and 0 for others: the scores of
// a row add up to 1, and those outside 0 to 1 are clipped (Hastie, Tibshirani & Friedman, The
// Elements of Statistical Learning, section 4.2). Logistic regression is mostly better for classes.
//
// The rows are brought into a triangle by Householder reflections, block by block, which keeps all
// digits that sums of squares would lose. gonum does the algebra: the model has the same bytes for
// any number of workers, not for any processor.
//
// Sparse columns are made dense in blocks of rows.
package linear

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "linear"

// maxWidth is the greatest number of columns, with one for each category.
const maxWidth = 2048

// Learner is least squares and ridge regression with its parameters. Make one with New, which sets
// the defaults; the zero value has none. The fields are declared, with default, range and meaning,
// in Params.
type Learner struct {
	// Penalty on the squares of the coefficients of standardised columns, beside the sum of squared
	// errors; the constant has none. Parameter l2: a number >= 0 (0 = least squares); default 0.
	L2 float64
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Capabilities implements learn.Learner.
func (l *Learner) Capabilities() learn.Capabilities {
	return learn.Capabilities{Offset: true, Summary: func() learn.Summary { return new(linearSummary) }}
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Float(&l.L2, "l2", 0, 0, math.Inf(1),
			"penalty on the squares of the coefficients of standardised columns, beside the sum "+
				"of squared errors; the constant has none",
			param.Zero("least squares")).TuneLog(1e-4, 1e4),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// linearSummary is what training found; it is kept as JSON in the model's Spec.
type linearSummary struct {
	fitting.Encoded
	// of the coded columns; those beyond it follow from others
	Rank     int    `json:"rank"`
	Solution string `json:"solution"` // in words
}

// Describe implements learn.Summary.
func (s *linearSummary) Describe(m model.Model) *training.Summary { return s.Solved(m, s.Solution) }

// Prepare fits the encoding.
func (l *Learner) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	_ learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, fitting.Vectors(Name, weight, maxWidth), (*Learner).fit)
}

// fit solves one problem: the scores are the outputs of the target, or its classes.
func (l *Learner) fit(ctx context.Context, table *fitting.VectorTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	table, pop, _, err := table.Gather(Name, t, &job, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	p := newLeastSquares(t, pop)
	s, err := solve(ctx, table, p, l.L2, job.Workers)
	if err != nil {
		return nil, err
	}
	m := &dense.Linear{Model: table.Model(Name, t), Bias: s.bias, Coef: s.coef}
	found := linearSummary{Encoded: table.Found(pop), Rank: s.rank,
		Solution: l.words(s.rank, table.Encoding.Width())}
	if t.Task.Classes() {
		m.Link = link.Clipped()
	}
	return fitting.Model(m, l.Params(), &found)
}

// words describes the solution.
func (l *Learner) words(rank, width int) string {
	if l.L2 > 0 {
		return fmt.Sprintf("ridge regression, l2 %g", l.L2)
	}
	text := "least squares"
	if rank < width {
		text += fmt.Sprintf("; %d of the %d coded columns follow from others: of the solutions "+
			"that of the shortest coefficients", width-rank, width)
	}
	return text
}
