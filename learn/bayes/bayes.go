// Package bayes owns the learner bayes: naive Bayes, which takes columns for independent within a
// class (Maron 1961; Duda & Hart 1973). Numbers are normally distributed in each class (Gaussian
// naive Bayes), categories have frequencies.
//
// Numbers are standardised (package dense), so that var_smoothing, which is added to their
// variances, is a fraction of the variance of the column. scikit-learn's GaussianNB takes the
// fraction of the largest variance of all columns, which is the same for standardised ones. The
// probability of a category in a class, of weight W, is (w + smoothing) / (W + smoothing K), with K
// categories in training; a missing value is one of them if training had some.
//
// Missing numbers are left out, in training and in prediction, and so are categories that are
// absent from training. Where a class has no number of a column, those of all rows are used.
//
// Sums run in the order of rows, without fused products: the model has the same bytes on every
// machine.
//
// Sparse columns are made dense one at a time.
package bayes

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "bayes"

// maxWidth bounds the places of vectors by what a model file may sensibly hold.
const maxWidth = 1 << 20

// Learner is naive Bayes with its parameters. Make one with New, which sets the defaults; the zero
// value has none. The fields are declared, with default, range and meaning, in Params.
type Learner struct {
	// Fraction of a numeric column's variance that is added to its variance in each class.
	// Parameter var_smoothing: a number >= 1e-100 and <= 1e+100; default 1e-09.
	VarSmoothing float64
	// Weight that is added to each category of a column in each class (Laplace: 1). Parameter
	// smoothing: a number >= 1e-100 and <= 1e+100; default 1.
	Smoothing float64
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
	// Class probabilities where the model will be used, if they are not those of the training rows;
	// classes not named divide the rest as their rows do. Parameter priors: NAME=PROBABILITY,...;
	// default "".
	Priors []param.Named
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Capabilities implements learn.Learner: the label has classes.
func (l *Learner) Capabilities() learn.Capabilities {
	return learn.Capabilities{Needs: learn.Needs{Classes: true},
		Summary: func() learn.Summary { return new(summary) }}
}

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Float(&l.VarSmoothing, "var_smoothing", 1e-9, 1e-100, 1e100,
			"fraction of a numeric column's variance that is added to its variance in each class"),
		param.Float(&l.Smoothing, "smoothing", 1, 1e-100, 1e100,
			"weight that is added to each category of a column in each class (Laplace: 1)").TuneLog(1e-3, 1e3),
		weighting.ClassWeight(&l.ClassWeight),
		weighting.Priors(&l.Priors),
	}
}

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct {
	fitting.Encoded
	Solution string `json:"solution"` // in words
}

// Describe implements learn.Summary.
func (s *summary) Describe(m model.Model) *training.Summary { return s.Solved(m, s.Solution) }

// Prepare fits the encoding.
func (l *Learner) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	_ learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, fitting.Vectors(Name, weight, maxWidth), (*Learner).fit)
}

// fit computes the statistics of the classes. A target without classes is a *learn.TaskError.
func (l *Learner) fit(ctx context.Context, table *fitting.VectorTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	if !t.Task.Classes() {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	table, pop, _, err := table.Gather(Name, t, &job, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	m := &dense.Bayes{Model: table.Model(Name, t)}
	if m.Prior, err = l.priors(t, pop); err != nil {
		return nil, err
	}
	width := table.Encoding.Width()
	m.Mean, m.Variance = make([]float64, width*len(t.Classes)),
		make([]float64, width*len(t.Classes))
	at := 0
	for i := range table.Encoding.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := &table.Encoding.Columns[i]
		if c.Numeric() {
			l.numbers(table, c, pop, m.Mean, m.Variance, at, width)
		} else {
			l.probabilities(table, c, pop, m.Mean, at, width)
		}
		at += c.Width()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report := *table.Report
	report.Imputed, report.Skipped = nil, report.Imputed
	s := summary{Encoded: table.Found(pop), Solution: words(m)}
	s.Encoding = &report
	return fitting.Model(m, l.Params(), &s)
}

// words describes the model.
func words(m *dense.Bayes) string {
	numbers, categories := 0, 0
	for i := range m.Encoding.Columns {
		if m.Encoding.Columns[i].Numeric() {
			numbers++
		} else {
			categories++
		}
	}
	return fmt.Sprintf("normal distributions of numbers (%d), frequencies of categories (%d)",
		numbers, categories)
}

// priors returns the prior probabilities of the classes.
func (l *Learner) priors(t *data.Target, pop *grow.Population) ([]float64, error) {
	prior := make([]float64, len(t.Classes))
	for i, c := range pop.Class {
		prior[c] += pop.WeightAt(i)
	}
	factors, err := weighting.PriorFactors(l.Priors, t, prior)
	if err != nil {
		return nil, err
	}
	total := 0.0
	for c := range prior {
		if factors != nil {
			prior[c] *= factors[c]
		}
		total += prior[c]
	}
	for c := range prior {
		prior[c] /= total
	}
	return prior, nil
}

// numbers computes mean and variance of a numeric column in each class, in two passes; place at of
// width.
func (l *Learner) numbers(table *fitting.VectorTable, column *dense.Column, pop *grow.Population, mean,
	variance []float64, at, width int) {
	x := table.Frame.Columns[column.Field].Numbers()
	total := make([]float64, len(mean)/width)
	each := func(visit func(class int, w, z float64)) {
		for i, r := range pop.Rows {
			if !math.IsNaN(x[r]) {
				visit(int(pop.Class[i]), pop.WeightAt(i), column.Standard(x[r]))
			}
		}
	}
	each(func(c int, w, z float64) { total[c] += w; mean[c*width+at] += float64(w * z) })
	for c, w := range total {
		if w > 0 {
			mean[c*width+at] /= w
		}
	}
	each(func(c int, w, z float64) {
		d := z - mean[c*width+at]
		variance[c*width+at] += float64(w * float64(d*d))
	})
	for c, w := range total {
		k := c*width + at
		if w > 0 {
			variance[k] = variance[k]/w + l.VarSmoothing
		} else {
			mean[k], variance[k] = 0, 1 // as in all rows
		}
	}
}

// probabilities estimates the probabilities of a categorical column's places in each class. It
// stores them from estimate[class*width+at].
func (l *Learner) probabilities(table *fitting.VectorTable, column *dense.Column, pop *grow.Population,
	estimate []float64, at, width int) {
	codes := table.Frame.Columns[column.Field].Codes()
	classes, places := len(estimate)/width, column.Width()
	total := make([]float64, classes)
	for i, r := range pop.Rows {
		x := float64(codes[r])
		switch codes[r] {
		case data.MissingCode:
			x = math.NaN()
		case data.UnseenCode:
			x = -1
		}
		if p := column.PlaceOf(x); p >= 0 {
			c := int(pop.Class[i])
			estimate[c*width+at+int(p)] += pop.WeightAt(i)
			total[c] += pop.WeightAt(i)
		}
	}
	smoothing := l.Smoothing
	for c := range classes {
		for p := range places {
			k := c*width + at + p
			estimate[k] = max(math.SmallestNonzeroFloat64,
				(estimate[k]+smoothing)/(total[c]+float64(smoothing*float64(places))))
		}
	}
}
