package dense

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Activation is the function that a hidden unit applies to its sum.
type Activation uint8

// The activations.
const (
	ReLU    Activation = iota // max(0, x)
	Tanh                      // tanh(x)
	Sigmoid                   // 1 / (1 + exp(-x))
)

var activationNames = enum.Names[Activation]{"relu", "tanh", "sigmoid"}

// String returns the name that UnmarshalText reads.
func (a Activation) String() string { return activationNames.Name("activation", a) }

// UnmarshalText reads one of relu, tanh, sigmoid; any other name is an error.
func (a *Activation) UnmarshalText(text []byte) error {
	return activationNames.Read(a, "activation", text)
}

// Apply maps each element of v.
func (a Activation) Apply(v []float64) {
	switch a {
	case ReLU:
		for i, x := range v {
			v[i] = max(0, x)
		}
	case Tanh:
		for i, x := range v {
			v[i] = kernel.Tanh(x)
		}
	default:
		link.Logistic().Apply(v)
	}
}

// Slope returns the derivative where the activation has the value y; that of ReLU at 0 is 0.
func (a Activation) Slope(y float64) float64 {
	switch {
	case a == Tanh:
		return 1 - float64(y*y)
	case a == Sigmoid:
		return float64(y * (1 - y))
	case y > 0:
		return 1
	}
	return 0
}

// Layers are the weights of a network. With a vector x of two places, three hidden units h and two
// outputs,
//
//	h[j] = activation(InBias[j] + In[j] x)         In   j0 j0  j1 j1  j2 j2
//	score[k] = OutBias[k] + Out[k] h               Out  k0 k0 k0  k1 k1 k1
type Layers struct {
	Activation Activation
	In, InBias []float64
	Out        []float64
	OutBias    []float64
}

// Forward writes the scores of a vector, and the values of the hidden units, which fit into h.
func (l *Layers) Forward(scores, h, x []float64) {
	for j := range h {
		h[j] = kernel.Dot(x, l.In[j*len(x):]) + l.InBias[j]
	}
	l.Activation.Apply(h)
	for k := range scores {
		scores[k] = kernel.Dot(h, l.Out[k*len(h):]) + l.OutBias[k]
	}
}

// Network has one hidden layer (Rumelhart, Hinton & Williams 1986). It is a model of classes, whose
// probabilities are the softmax of a score for each, or of a number, which is the one score.
type Network struct {
	Model
	Layers Layers
}

// LargestWeight is the greatest absolute value of a weight, and Never the start value of a class
// that is never predicted; scores stay finite and above it.
const (
	LargestWeight = 1e50
	Never         = -1e300
)

// Validate checks that weights and schema fit together. Codecs call it on what they read.
func (m *Network) Validate() error {
	if err := m.Model.Validate(); err != nil {
		return err
	}
	l := &m.Layers
	hidden, width, outputs := len(l.InBias), m.Encoding.Width(), m.Outputs()
	switch {
	case !m.Meta.Task.Classes() && m.Meta.Task != data.Regression:
		return fmt.Errorf("a network cannot predict the task %s", m.Meta.Task)
	case int(l.Activation) >= len(activationNames):
		return fmt.Errorf("unknown activation %d", l.Activation)
	case hidden == 0:
		return errors.New("no hidden unit")
	case len(l.In) != hidden*width:
		return fmt.Errorf("%d weights of %d inputs and %d hidden units", len(l.In), width, hidden)
	case len(l.OutBias) != outputs:
		return fmt.Errorf("%d outputs, want %d", len(l.OutBias), outputs)
	case len(l.Out) != hidden*outputs:
		return fmt.Errorf("%d weights of %d hidden units and %d outputs", len(l.Out),
			hidden, outputs)
	}
	for _, weights := range [][]float64{l.In, l.InBias, l.Out} {
		for _, w := range weights {
			if !(math.Abs(w) <= LargestWeight) {
				return fmt.Errorf("a weight of %g, the limit is %g", w, float64(LargestWeight))
			}
		}
	}
	for _, b := range l.OutBias {
		if !(math.Abs(b) <= LargestWeight) && b != Never {
			return fmt.Errorf("an output starts at %g, the limit is %g", b, float64(LargestWeight))
		}
	}
	return nil
}

// Bind matches the model's columns by name to those of a table. Raw are the scores, Response their
// softmax or the number, and Label the class that the decision chooses by the response.
// Options.Rounds is ignored. There are neither leaves nor quantiles.
func (m *Network) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	scores := Scores{Spec: &m.Meta, Scores: m.Outputs(), Outputs: m.Outputs(),
		Start: func() func(scores, x []float64) {
			h := make([]float64, len(m.Layers.InBias))
			return func(scores, x []float64) { m.Layers.Forward(scores, h, x) }
		}}
	if m.Meta.Task.Classes() {
		scores.Respond = func(dst, scores []float64) {
			copy(dst, scores)
			link.Softmax().Apply(dst)
		}
	}
	return m.Encoding.Bind(s, o, scores)
}

// Describe counts the units. It lists nothing: single weights explain little to a reader.
func (m *Network) Describe() model.Description {
	l := &m.Layers
	return model.Description{Title: "network", Words: fmt.Sprintf("%s, %s (%s), %s: %d weights",
		humanize.Count(m.Encoding.Width(), "input", "inputs"),
		humanize.Count(len(l.InBias), "hidden unit", "hidden units"),
		l.Activation, humanize.Count(len(l.OutBias), "output", "outputs"),
		len(l.In)+len(l.InBias)+len(l.Out)+len(l.OutBias))}
}
