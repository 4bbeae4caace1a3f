package codectest

import (
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// TinyNeighbours returns three rows of the column of Tiny, the nearest of which decides.
func TinyNeighbours() *dense.Neighbours {
	m := &dense.Neighbours{Model: dense.Model{Meta: Tiny().Meta, Encoding: tinyEncoding()},
		K:    1,
		Rows: []float64{-1, 0, 1}, Class: []uint32{0, 0, 1}}
	m.Meta.Learner = "knn"
	return m
}

// FullNeighbours returns neighbours with weights and the hard texts of Full. No field is zero but
// that of numbers.
func FullNeighbours() *dense.Neighbours {
	m := &dense.Neighbours{Model: dense.Model{Meta: Full().Meta, Encoding: fullEncoding()},
		K:       math.MaxInt32,
		Weights: dense.DistanceWeights,
		Rows:    []float64{0.5, 1, 0, 0, 1e100, -1, 0, 0, 1, -5e-324}, Class: []uint32{1, 0},
		Weight: []float64{5e-324, 1e140}}
	m.Meta.Learner = "knn"
	return m
}

// MeanNeighbours returns neighbours that predict a number.
func MeanNeighbours() *dense.Neighbours {
	m := TinyNeighbours()
	m.Meta.Task, m.Meta.Classes = data.Regression, nil
	m.Class, m.Y = nil, []float64{-1e140, 0.1, 5e-324}
	return m
}

// Neighbours generates valid models of up to 20 rows.
func Neighbours() *rapid.Generator[*dense.Neighbours] {
	return rapid.Custom(func(t *rapid.T) *dense.Neighbours {
		m := &dense.Neighbours{Model: dense.Model{Meta: spec().Filter(isSupervised).Draw(t, "spec")}}
		m.Encoding = Encoding(t, m.Meta.Schema.Fields)
		m.K = rapid.IntRange(1, 7).Draw(t, "k")
		m.Weights = dense.NeighbourWeights(rapid.IntRange(0, 1).Draw(t, "weights"))
		n := rapid.IntRange(1, 20).Draw(t, "rows")
		m.Rows = randomNumbers(t, n*m.Encoding.Width(), dense.Limit, "vectors")
		if classes := len(m.Meta.Classes); m.Meta.Task.Classes() {
			class := rapid.Map(rapid.IntRange(0, classes-1),
				func(i int) uint32 { return uint32(i) })
			m.Class = rapid.SliceOfN(class, n, n).Draw(t, "class")
		} else {
			m.Y = randomNumbers(t, n, 1e140, "numbers")
		}
		if rapid.Bool().Draw(t, "weighted") {
			m.Weight = rapid.SliceOfN(rapid.Float64Range(5e-324, 1e140), n, n).Draw(t, "weight")
		}
		return m
	})
}

// isSupervised: classes or numbers are predicted.
func isSupervised(s model.Spec) bool { return s.Task.Classes() || s.Task == data.Regression }
