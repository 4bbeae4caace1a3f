package native

import (
	"errors"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
)

// writeNetwork returns the file of codectest.FullNetwork with its header and arrays changed.
func writeNetwork(t testing.TB, edit func(*header, *layerWeights)) []byte {
	t.Helper()
	m := codectest.FullNetwork()
	h := headerOf(t, m)
	w := newLayerWeights(m)
	edit(h, w)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("network", w.arrays()))
}

func TestHostileNetworks(t *testing.T) {
	refuseEdits(t, codectest.FullNetwork(), writeNetwork, []edited[*layerWeights]{
		{"no units", func(_ *header, w *layerWeights) { w.layers.In, w.layers.InBias, w.layers.Out = nil, nil, nil }, "no hidden unit"},
		{"more units", func(_ *header, w *layerWeights) { w.layers.InBias = append(w.layers.InBias, 1) }, "5 weights of 5 inputs and 2 hidden units"},
		{"fewer inputs", func(_ *header, w *layerWeights) { w.layers.In = w.layers.In[1:] }, "4 weights of 5 inputs"},
		{"fewer outputs", func(_ *header, w *layerWeights) { w.layers.OutBias = w.layers.OutBias[1:] }, "1 outputs, want 2"},
		{"fewer weights", func(_ *header, w *layerWeights) { w.layers.Out = nil }, "0 weights of 1 hidden units and 2 outputs"},
		{"weight NaN", func(_ *header, w *layerWeights) { w.layers.In[2] = math.NaN() }, "a weight of NaN"},
		{"weight too large", func(_ *header, w *layerWeights) { w.layers.Out[0] = -1e51 }, "a weight of -1e+51"},
		{"start that is never", func(_ *header, w *layerWeights) { w.layers.InBias[0] = -1e300 }, "a weight of -1e+300"},
		{"start too large", func(_ *header, w *layerWeights) { w.layers.OutBias[1] = 1e300 }, "an output starts at 1e+300"},
		{"numbers", func(h *header, _ *layerWeights) { h.Task, h.Classes, h.Costs = data.Regression, nil, nil }, "2 outputs, want 1"},
		{"anomalies", func(h *header, _ *layerWeights) { h.Task, h.Costs, h.Threshold = data.Anomaly, nil, 0.5 }, "cannot predict the task anomaly"},
		{"encoding", func(_ *header, w *layerWeights) { w.encoding.fraction[0] = -1 }, "a fraction of -1"},
	})
	var unsupported *codec.UnsupportedError
	if _, err := decodeBytes(writeNetwork(t, func(h *header, _ *layerWeights) { h.Activation = "swish" })); !errors.As(err, &unsupported) {
		t.Errorf("unknown activation: %v", err)
	}
}
