package dense

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// NeighbourWeights is how much each of the neighbours of a row counts.
type NeighbourWeights = param.Enum[neighbourWeightsNames]

// The weights. The weight of the training row is a factor on them.
const (
	UniformWeights NeighbourWeights = iota // all the same
	// the inverse of the distance; if some neighbours are at distance 0, these alone
	DistanceWeights
)

type neighbourWeightsNames struct{}

func (neighbourWeightsNames) Enum() (string, []string) {
	return "weights", []string{"uniform", "distance"}
}

// Neighbours stores its training rows: it is a model of classes or of numbers by the k nearest rows
// (Fix & Hodges 1951, Cover & Hart 1967). The distance of two rows is the Euclidean one of their
// vectors.
//
// The response of a row is, of classes, their fractions among its K nearest training rows, and of
// numbers the mean, both weighted. All rows that are as far as the K-th count: they share what the
// nearer ones leave of K in equal parts. With two training rows and a vector of two places,
//
//	Rows    x0 y0  x1 y1
//	Class   0      1            (or Y)
//	Weight  1      2.5          (nil: all 1)
type Neighbours struct {
	Model
	K       int // neighbours; all rows where there are no more
	Weights NeighbourWeights
	Rows    []float64 // the vectors of the training rows, one after the other
	Class   []uint32  // of each row, where classes are predicted, else nil
	Y       []float64 // of each row, where numbers are predicted, else nil
	Weight  []float64 // of each row, > 0; nil if all weigh 1
}

// Len returns the number of training rows.
func (m *Neighbours) Len() int { return len(m.Class) + len(m.Y) }

// LargestLabel is the greatest absolute value of labels and weights of neighbours: sums of their
// products stay finite.
const LargestLabel = 1e140

// Validate checks that rows, labels and schema fit together. Codecs call it on what they read.
func (m *Neighbours) Validate() error {
	if err := m.Model.Validate(); err != nil {
		return err
	}
	n := m.Len()
	switch classes := m.Meta.Task.Classes(); {
	case !classes && m.Meta.Task != data.Regression:
		return fmt.Errorf("neighbours cannot predict the task %s", m.Meta.Task)
	case n == 0:
		return errors.New("no training row")
	case n > math.MaxInt32:
		return fmt.Errorf("%d training rows, the limit is %d", n, math.MaxInt32)
	case classes && len(m.Y) > 0 || !classes && len(m.Class) > 0:
		return fmt.Errorf("labels that do not fit the task %s", m.Meta.Task)
	case m.K < 1:
		return fmt.Errorf("%d neighbours", m.K)
	case m.Weights > DistanceWeights:
		return fmt.Errorf("unknown weights %d", m.Weights)
	case len(m.Rows) != n*m.Encoding.Width():
		return fmt.Errorf("%d numbers in the vectors of %d rows, want %d each", len(m.Rows), n,
			m.Encoding.Width())
	case m.Weight != nil && len(m.Weight) != n:
		return fmt.Errorf("%d weights of %d rows", len(m.Weight), n)
	}
	return m.validateNumbers()
}

func (m *Neighbours) validateNumbers() error {
	for _, x := range m.Rows {
		if !(math.Abs(x) <= Limit) {
			return fmt.Errorf("a vector has the value %g", x)
		}
	}
	for i, c := range m.Class {
		if int64(c) >= int64(len(m.Meta.Classes)) {
			return fmt.Errorf("row %d has class %d of %d", i, c, len(m.Meta.Classes))
		}
	}
	for i, y := range m.Y {
		if !(math.Abs(y) <= LargestLabel) {
			return fmt.Errorf("row %d has the label %g, the limit is %g", i, y, LargestLabel)
		}
	}
	for i, w := range m.Weight {
		if !(w > 0 && w <= LargestLabel) {
			return fmt.Errorf("row %d has weight %g, want more than 0 and up to %g", i, w, LargestLabel)
		}
	}
	return nil
}

// Describe reports how many of the rows vote. It lists nothing: the rows are the model.
func (m *Neighbours) Describe() model.Description {
	return model.Description{Title: "examples",
		Words: fmt.Sprintf("%d, of which the %d nearest vote, weights %s", m.Len(),
			min(m.K, m.Len()), m.Weights)}
}
