package codectest

import (
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/model/dense"
	"github.com/coppice-ml/coppice/model/network"
)

// TinyNetwork returns a network of two hidden units on the column of Tiny.
func TinyNetwork() *network.Network {
	m := &network.Network{Model: dense.Model{Meta: Tiny().Meta, Encoding: tinyEncoding()},
		Layers: network.Layers{
			In: []float64{1, -1}, InBias: []float64{0.5, 0.25}, Out: []float64{-1, 2, 1, -2},
			OutBias: []float64{0.125, 0}}}
	m.Meta.Learner = "network"
	return m
}

// FullNetwork returns a network with the hard texts of Full. No field is zero.
func FullNetwork() *network.Network {
	m := &network.Network{Model: dense.Model{Meta: Full().Meta, Encoding: fullEncoding()},
		Layers: network.Layers{Activation: network.Sigmoid,
			In: []float64{1, 2, 3, -1e50, 5e-324}, InBias: []float64{-0.5},
			Out:     []float64{1e50, -2},
			OutBias: []float64{network.Never, 0.1}}}
	m.Meta.Learner = "network"
	return m
}

// Networks generates valid networks of up to 4 hidden units.
func Networks() *rapid.Generator[*network.Network] {
	return rapid.Custom(func(t *rapid.T) *network.Network {
		m := &network.Network{Model: dense.Model{Meta: spec().Filter(isSupervised).Draw(t, "spec")}}
		m.Encoding = Encoding(t, m.Meta.Schema.Fields)
		hidden, outputs := rapid.IntRange(1, 4).Draw(t, "hidden"), m.Outputs()
		m.Layers = network.Layers{Activation: network.Activation(rapid.IntRange(0, 2).Draw(t,
			"activation")),
			In:      randomNumbers(t, hidden*m.Encoding.Width(), network.Largest, "in"),
			InBias:  randomNumbers(t, hidden, network.Largest, "in bias"),
			Out:     randomNumbers(t, hidden*outputs, network.Largest, "out"),
			OutBias: randomNumbers(t, outputs, network.Largest, "out bias")}
		return m
	})
}
