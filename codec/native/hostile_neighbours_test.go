package native

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// writeNeighbours returns the file of codectest.FullNeighbours with its header and arrays changed.
func writeNeighbours(t testing.TB, edit func(*header, *neighbourRows)) []byte {
	t.Helper()
	m := codectest.FullNeighbours()
	h := headerOf(t, m)
	r := newNeighbourRows(m)
	edit(h, r)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("knn", r.arrays()))
}

func TestHostileNeighbours(t *testing.T) {
	refuseEdits(t, codectest.FullNeighbours(), writeNeighbours, []edited[*neighbourRows]{
		{"no key", func(h *header, _ *neighbourRows) { h.Neighbours = nil }, `the header has no "knn"`},
		{"key of another type", func(h *header, _ *neighbourRows) { h.Neighbours = raw(`[5]`) }, "cannot unmarshal"},
		{"no neighbour", func(h *header, _ *neighbourRows) { h.Neighbours = raw(`{"k":0,"weights":"uniform"}`) }, "0 neighbours"},
		{"fewer neighbours", func(h *header, _ *neighbourRows) { h.Neighbours = raw(`{"k":-9,"weights":"uniform"}`) }, "-9 neighbours"},
		{"half a neighbour", func(h *header, _ *neighbourRows) { h.Neighbours = raw(`{"k":0.5,"weights":"uniform"}`) }, "cannot unmarshal"},
		{"no rows", func(_ *header, r *neighbourRows) { r.rows, r.class, r.weight = nil, nil, nil }, "no training row"},
		{"fewer numbers", func(_ *header, r *neighbourRows) { r.rows = r.rows[1:] }, "9 numbers in the vectors of 2 rows"},
		{"more classes", func(_ *header, r *neighbourRows) { r.class = append(r.class, 0) }, "10 numbers in the vectors of 3 rows"},
		{"fewer weights", func(_ *header, r *neighbourRows) { r.weight = r.weight[1:] }, "1 weights of 2 rows"},
		{"weight 0", func(_ *header, r *neighbourRows) { r.weight[1] = 0 }, "row 1 has weight 0"},
		{"weight NaN", func(_ *header, r *neighbourRows) { r.weight[0] = math.NaN() }, "row 0 has weight NaN"},
		{"weight without end", func(_ *header, r *neighbourRows) { r.weight[0] = math.MaxFloat64 }, "row 0 has weight 1.7"},
		{"class beyond the classes", func(_ *header, r *neighbourRows) { r.class[1] = math.MaxUint32 }, "row 1 has class 4294967295 of 2"},
		{"vector with NaN", func(_ *header, r *neighbourRows) { r.rows[3] = math.NaN() }, "a vector has the value NaN"},
		{"vector without end", func(_ *header, r *neighbourRows) { r.rows[3] = math.Inf(-1) }, "a vector has the value -Inf"},
		{"numbers for classes", func(_ *header, r *neighbourRows) { r.y, r.class = []float64{1, 2}, nil }, "labels that do not fit"},
		{"numbers beside classes", func(_ *header, r *neighbourRows) { r.y = []float64{1, 2} }, "labels that do not fit"},
		{"anomalies", func(h *header, _ *neighbourRows) { h.Task, h.Costs, h.Threshold = data.Anomaly, nil, 0.5 }, "cannot predict the task anomaly"},
		{"encoding of too few columns", func(_ *header, r *neighbourRows) { r.encoding.mean = r.encoding.mean[1:] }, "arrays of 2 encoded columns"},
		{"encoding of another kind", func(_ *header, r *neighbourRows) { r.encoding.scale[0] = 0 }, "deviation 0"},
	})
	newer := writeNeighbours(t, func(h *header, _ *neighbourRows) { h.Neighbours = raw(`{"k":5,"weights":"gauss"}`) })
	var unsupported *codec.UnsupportedError
	if _, err := decodeBytes(newer); !errors.As(err, &unsupported) {
		t.Errorf("unknown weights: %v", err)
	}
}

func TestEncodeRefusesNeighbours(t *testing.T) {
	invalid := codectest.TinyNeighbours()
	invalid.K = 0
	var b bytes.Buffer
	if err := Encode(&b, model.Model(invalid)); err == nil || !strings.Contains(err.Error(), "cannot be stored: 0 neighbours") || b.Len() > 0 {
		t.Errorf("%v and %d bytes", err, b.Len())
	}
}
