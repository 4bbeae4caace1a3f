package dense

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Machine is a weighted sum of kernels: the support vector machine (Boser, Guyon & Vapnik 1992,
// Cortes & Vapnik 1995) of classes or of numbers. Its scores are decision values: with the vector x
// that Encoding makes of a row,
//
//	score s = Bias[s] + sum over vectors v of Coef[s][v] Kernel(v, x)
//	response = Link(scores)
//
// There is a score for each class, which separates it from all others. Two classes have one score,
// the second's, and so has regression. With three support vectors in a space of two places, and two
// scores,
//
//	Vectors   x0 y0  x1 y1  x2 y2
//	Coef      a0 a1 a2  b0 b1 b2
//	Bias      a b
type Machine struct {
	Model
	Kernel  Kernel
	Vectors []float64 // the support vectors, one after the other
	Coef    []float64 // score after score, one number for each vector
	Bias    []float64 // by score
	Link    link.Link // nil = identity
}

// Scores returns the number of decision values of a row: it is Outputs, but a model of two classes
// may have one alone.
func (m *Machine) Scores() int { return len(m.Bias) }

// Len returns the number of support vectors.
func (m *Machine) Len() int {
	if len(m.Bias) == 0 {
		return 0
	}
	return len(m.Coef) / len(m.Bias)
}

// Validate checks that vectors, coefficients and schema fit together. Codecs call it on what they
// read.
func (m *Machine) Validate() error {
	if err := m.Model.Validate(); err != nil {
		return err
	}
	if err := m.Kernel.Validate(); err != nil {
		return err
	}
	scores, classes := len(m.Bias), len(m.Meta.Classes)
	switch n := m.Len(); {
	case !m.Meta.Task.Classes() && m.Meta.Task != data.Regression:
		return fmt.Errorf("a vector machine cannot predict the task %s", m.Meta.Task)
	case scores == 0:
		return errors.New("no score")
	case m.Meta.Task.Classes() && scores != classes && (scores != 1 || classes != 2):
		return fmt.Errorf("%d scores for %d classes", scores, classes)
	case !m.Meta.Task.Classes() && scores != 1:
		return fmt.Errorf("%d scores for a number", scores)
	case len(m.Coef) != n*scores:
		return fmt.Errorf("%d coefficients for %d scores", len(m.Coef), scores)
	case len(m.Vectors) != n*m.Encoding.Width():
		return fmt.Errorf("%d numbers in %d vectors, want %d each", len(m.Vectors), n,
			m.Encoding.Width())
	}
	for _, part := range []struct {
		what    string
		numbers []float64
	}{{"vector", m.Vectors}, {"coefficient", m.Coef}, {"start value", m.Bias}} {
		for _, x := range part.numbers {
			if !(math.Abs(x) <= LargestKernel) {
				return fmt.Errorf("a %s has the value %g, the limit is %g", part.what, x, LargestKernel)
			}
		}
	}
	return nil
}

// Bind matches the model's columns by name to those of a table. Raw are the scores, Response is the
// link of them, and Label the class that the decision chooses by the response. Options.Rounds is
// ignored. There are neither leaves nor quantiles.
func (m *Machine) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	// of scores, without trees
	frame := &model.Ensemble{Meta: m.Meta, Bias: m.Bias, Link: m.Link}
	return m.Encoding.Bind(s, o, Scores{Spec: &m.Meta, Scores: len(m.Bias),
		Outputs: m.Outputs(), Respond: frame.Responder(),
		Start: func() func(scores, x []float64) { return m.score }})
}

// score writes the scores of a vector.
func (m *Machine) score(raw, x []float64) {
	copy(raw, m.Bias)
	n, width := m.Len(), len(x)
	for v := range n {
		k := m.Kernel.Value(m.Vectors[v*width:(v+1)*width], x)
		for s := range raw {
			raw[s] += float64(m.Coef[s*n+v] * k)
		}
	}
}

// Describe counts the support vectors. It lists nothing: vectors explain little to a reader.
func (m *Machine) Describe() model.Description {
	words := fmt.Sprintf("%d, kernel %s", m.Len(), m.Kernel)
	if n := len(m.Bias); n > 1 {
		words += fmt.Sprintf(", for %d scores", n)
	}
	return model.Description{Title: "vectors", Words: words}
}
