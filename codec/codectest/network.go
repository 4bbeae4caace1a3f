package codectest

import (
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/models/dense"
)

// TinyNetwork returns a network of two hidden units on the column of Tiny.
func TinyNetwork() *dense.Network {
	m := &dense.Network{Model: dense.Model{Meta: Tiny().Meta, Encoding: tinyEncoding()},
		Layers: dense.Layers{
			In: []float64{1, -1}, InBias: []float64{0.5, 0.25}, Out: []float64{-1, 2, 1, -2},
			OutBias: []float64{0.125, 0}}}
	m.Meta.Learner = "network"
	return m
}

// FullNetwork returns a network with the hard texts of Full. No field is zero.
func FullNetwork() *dense.Network {
	m := &dense.Network{Model: dense.Model{Meta: Full().Meta, Encoding: fullEncoding()},
		Layers: dense.Layers{Activation: dense.Sigmoid,
			In: []float64{1, 2, 3, -1e50, 5e-324}, InBias: []float64{-0.5},
			Out:     []float64{1e50, -2},
			OutBias: []float64{dense.Never, 0.1}}}
	m.Meta.Learner = "network"
	return m
}

// Networks generates valid networks of up to 4 hidden units.
func Networks() *rapid.Generator[*dense.Network] {
	return rapid.Custom(func(t *rapid.T) *dense.Network {
		m := &dense.Network{Model: dense.Model{Meta: spec().Filter(isSupervised).Draw(t, "spec")}}
		m.Encoding = Encoding(t, m.Meta.Schema.Fields)
		hidden, outputs := rapid.IntRange(1, 4).Draw(t, "hidden"), m.Outputs()
		m.Layers = dense.Layers{Activation: dense.Activation(rapid.IntRange(0, 2).Draw(t,
			"activation")),
			In:      randomNumbers(t, hidden*m.Encoding.Width(), dense.LargestWeight, "in"),
			InBias:  randomNumbers(t, hidden, dense.LargestWeight, "in bias"),
			Out:     randomNumbers(t, hidden*outputs, dense.LargestWeight, "out"),
			OutBias: randomNumbers(t, outputs, dense.LargestWeight, "out bias")}
		return m
	})
}
