package native

import (
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// layerWeights is the section of networks: the encoding and the weights.
type layerWeights struct {
	encoding encoding
	layers   dense.Layers
}

func (w *layerWeights) arrays() []array {
	return append(w.encoding.arrays(),
		whole("in", required, &w.layers.In),
		whole("in.bias", required, &w.layers.InBias),
		whole("out", required, &w.layers.Out),
		whole("out.bias", required, &w.layers.OutBias),
	)
}

func newLayerWeights(m *dense.Network) *layerWeights {
	return &layerWeights{*newEncoding(&m.Encoding), m.Layers}
}

func encodeNetwork(from model.Model, h *header) []array {
	m := from.(*dense.Network)
	h.Activation = m.Layers.Activation.String()
	return newLayerWeights(m).arrays()
}

func decodeNetwork(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	w := &layerWeights{}
	p.loadAll(w.arrays())
	m := &dense.Network{Model: dense.Model{Meta: *s}, Layers: w.layers}
	named(&m.Layers.Activation, h.Activation)
	m.Encoding = w.encoding.decode(&m.Meta.Schema, p, f.budget)
	return m
}
