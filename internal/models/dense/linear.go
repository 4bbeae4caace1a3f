package dense

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Linear is a model whose scores are weighted sums, such as least squares, ridge and logistic
// regression and linear vector machines. With the vector x that Encoding makes of a row,
//
//	score s = Bias[s] + sum over places p of Coef[s][p] x[p]
//	response = Link(scores)
//
// There is a score for each output. A model of two classes may have one alone: the second class's,
// and its probability is the link of it.
type Linear struct {
	Model
	Bias []float64 // by score
	Coef []float64 // score after score, Encoding.Width() of each
	Link link.Link // nil = identity
	// Origin has the Tool, Version and Objective of a model of another tool, which writers of its
	// format need; nil = of this module
	Origin *model.Origin
}

// Outputs returns the number of classes, else that of the scores.
func (m *Linear) Outputs() int {
	if m.Meta.Task.Classes() {
		return len(m.Meta.Classes)
	}
	return len(m.Bias)
}

// AsSum returns the link of the sum of the terms.
func (m *Linear) AsSum() (model.Summed, bool) {
	return model.Summed{Of: m, Link: m.Link, Whole: true}, true
}

// Scores returns the number of scores of a row: it is Outputs, but a model of two classes may have
// one alone.
func (m *Linear) Scores() int { return len(m.Bias) }

// Of returns the coefficients of a score.
func (m *Linear) Of(score int) []float64 {
	n := m.Encoding.Width()
	return m.Coef[score*n : (score+1)*n]
}

// Validate checks that encoding, coefficients and schema fit together. Codecs call it on what they
// read.
func (m *Linear) Validate() error {
	if err := m.Model.Validate(); err != nil {
		return err
	}
	scores, classes := len(m.Bias), len(m.Meta.Classes)
	switch {
	case scores == 0:
		return errors.New("no score")
	case len(m.Coef) != scores*m.Encoding.Width():
		return fmt.Errorf("%d coefficients for %d scores of %d places", len(m.Coef), scores,
			m.Encoding.Width())
	case m.Meta.Task.Classes() && scores != classes && (scores != 1 || classes != 2):
		return fmt.Errorf("%d scores for %d classes", scores, classes)
	case m.Meta.Quantiles != nil && len(m.Meta.Quantiles) != scores:
		return fmt.Errorf("%d quantiles for %d scores", len(m.Meta.Quantiles), scores)
	}
	for _, numbers := range [][]float64{m.Bias, m.Coef} {
		for _, x := range numbers {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return errors.New("a coefficient or start value is not finite")
			}
		}
	}
	return nil
}

// Bind matches the model's columns by name to those of a table. Raw are the scores, Response is the
// link of them, and Label is the class that the decision chooses by the response. Options.Rounds is
// ignored. There are neither leaves nor quantiles. A score that no number holds is the greatest, or
// least, that there is.
func (m *Linear) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	frame := &model.Ensemble{Meta: m.Meta, Bias: m.Bias, Link: m.Link} // scores without trees
	return m.Encoding.Bind(s, o, Scores{Spec: &m.Meta, Scores: len(m.Bias),
		Outputs: m.Outputs(), Respond: frame.Responder(),
		Start: func() func(scores, x []float64) { return m.score }})
}

// score writes the scores of a vector.
func (m *Linear) score(raw, x []float64) {
	for s := range raw {
		sum := m.Bias[s]
		for p, c := range m.Of(s) {
			sum += float64(c * x[p])
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			sum = m.halved(s, x)
		}
		raw[s] = sum
	}
}

// halved computes a score whose terms or sums overflow, in a unit so large that they do not.
func (m *Linear) halved(s int, x []float64) float64 {
	const unit = 0x1p-400 // of the coefficients; values are at most dense.Limit, below 2^333
	sum := float64(m.Bias[s]*unit) / Limit
	for p, c := range m.Of(s) {
		sum += float64(c * unit * (x[p] / Limit))
	}
	sum = sum * Limit / unit
	return max(-math.MaxFloat64, min(math.MaxFloat64, sum))
}
