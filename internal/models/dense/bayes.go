package dense

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Bayes is naive Bayes: classes with a distribution of each column, as if columns were independent
// within a class. A numeric column is normally distributed in each class, a
// categorical one has probabilities. With the standardised numbers z and the places q of the
// categories of a row, the score of class c is
//
//	log Prior[c] - sum over numbers of (log(2 pi v) + (z - m)^2 / v) / 2
//	             + sum over categories of log fraction of q
//
// and the response is the softmax of the scores: Bayes' rule. Missing numbers, and categories that
// have no place, are left out of the sums.
type Bayes struct {
	Model
	Prior []float64 // by class; they add up to 1, and a class without training rows has 0
	// Mean and Variance have, class after class, a value for each place of the encoding: of numeric
	// columns mean m and variance v of the standardised values, of categorical ones the fraction of
	// the place, and 0.
	Mean, Variance []float64
}

// priorSlack is how far from 1 rounding may take the sum of the priors.
const priorSlack = 1e-6

// Validate checks that encoding, distributions and schema fit together. Codecs call it on what they
// read.
func (m *Bayes) Validate() error {
	if !m.Meta.Task.Classes() {
		return fmt.Errorf("naive Bayes predicts classes, the task is %s", m.Meta.Task)
	}
	if err := m.Model.Validate(); err != nil {
		return err
	}
	classes, width := len(m.Meta.Classes), m.Encoding.Width()
	if len(m.Prior) != classes || len(m.Mean) != classes*width || len(m.Variance) != classes*width {
		return fmt.Errorf("%d priors, %d means and %d variances for %d classes of %d places",
			len(m.Prior), len(m.Mean), len(m.Variance), classes, width)
	}
	sum := 0.0
	for _, p := range m.Prior {
		if !(p >= 0) {
			return fmt.Errorf("a prior of %g", p)
		}
		sum += p
	}
	if !(math.Abs(sum-1) <= priorSlack) {
		return fmt.Errorf("the priors add up to %g", sum)
	}
	for class := range classes {
		if err := m.validateClass(class, width); err != nil {
			return fmt.Errorf("class %d: %w", class, err)
		}
	}
	return nil
}

func (m *Bayes) validateClass(class, width int) error {
	mean, variance := m.Mean[class*width:(class+1)*width], m.Variance[class*width:(class+1)*width]
	for i := range m.Encoding.Columns {
		c := &m.Encoding.Columns[i]
		for p := range c.Width() {
			switch a, v := mean[p], variance[p]; {
			case c.Numeric() &&
				!(math.Abs(a) <= Limit && v >= leastDeviation && v <= Limit*Limit):
				return fmt.Errorf("mean %g, variance %g", a, v)
			case !c.Numeric() && (!(a > 0 && a <= 1) || v != 0):
				return fmt.Errorf("probability %g, variance %g", a, v)
			}
		}
		mean, variance = mean[c.Width():], variance[c.Width():]
	}
	return nil
}

// least is the least variance: squares of standardised values divided by it stay finite.
const leastDeviation = 1e-100

// Bind matches the model's columns by name to those of a table. Raw are the scores, -Inf for
// classes without prior; Response is the softmax of them, and Label is the class that the decision
// chooses by it. Options.Rounds is ignored. There are neither leaves nor quantiles.
func (m *Bayes) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	p := m.compile()
	return m.Encoding.Bind(s, o, Scores{Spec: &m.Meta, Scores: m.Outputs(),
		Outputs: m.Outputs(), Values: true,
		Respond: func(dst, scores []float64) {
			copy(dst, scores)
			link.Softmax().Apply(dst)
		},
		Start: func() func(scores, row []float64) { return p.score }})
}

// bayesProgram is a model with its logarithms.
type bayesProgram struct {
	*Bayes
	prior []float64 // logarithms
	// by class and place: of numeric columns -log(2 pi v) / 2, of categories the logarithm of the
	// probability
	term []float64
}

func (m *Bayes) compile() *bayesProgram {
	p := &bayesProgram{Bayes: m, prior: make([]float64, len(m.Prior)),
		term: make([]float64, len(m.Mean))}
	for c, w := range m.Prior {
		p.prior[c] = kernel.Log(w) // -Inf of 0
	}
	for i, a := range m.Mean {
		if v := m.Variance[i]; v > 0 {
			p.term[i] = -(kernel.Log(v) + log2Pi) / 2
		} else {
			p.term[i] = kernel.Log(a)
		}
	}
	return p
}

// log2Pi is the logarithm of 2 pi.
const log2Pi = 1.8378770664093454835606594728112

// score writes the scores of a row.
func (p *bayesProgram) score(scores, row []float64) {
	copy(scores, p.prior)
	width := len(p.Mean) / len(scores)
	at := 0
	for i := range p.Encoding.Columns {
		column := &p.Encoding.Columns[i]
		if column.Numeric() {
			if x := row[i]; !math.IsNaN(x) {
				z := column.Standard(x)
				for c := range scores {
					k := c*width + at
					d := z - p.Mean[k]
					scores[c] += p.term[k] - float64(d*d)/(2*p.Variance[k])
				}
			}
		} else if place := column.PlaceOf(row[i]); place >= 0 {
			for c := range scores {
				scores[c] += p.term[c*width+at+int(place)]
			}
		}
		at += column.Width()
	}
}
