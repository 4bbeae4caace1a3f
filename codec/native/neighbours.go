package native

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// neighbourHead is what the header holds of a model of neighbours.
type neighbourHead struct {
	K       int    `json:"k"`
	Weights string `json:"weights"`
}

// neighbourRows is the section of neighbours: their encoding, and the training rows.
type neighbourRows struct {
	encoding encoding
	rows     []float64
	class    []uint32
	y        []float64
	weight   []float64
}

func (r *neighbourRows) arrays() []array {
	return append(r.encoding.arrays(),
		whole("row.vectors", required, &r.rows),
		whole("row.class", required, &r.class),
		whole("row.number", required, &r.y),
		whole("row.weight", required, &r.weight),
	)
}

func newNeighbourRows(m *dense.Neighbours) *neighbourRows {
	return &neighbourRows{encoding: *newEncoding(&m.Encoding), rows: m.Rows, class: m.Class, y: m.Y,
		weight: m.Weight}
}

func encodeNeighbours(m model.Model, h *header) []array {
	n := m.(*dense.Neighbours)
	h.Neighbours = stored(neighbourHead{n.K, n.Weights.String()})
	return newNeighbourRows(n).arrays()
}

func decodeNeighbours(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	var head neighbourHead
	h.detail("knn", h.Neighbours, &head, p)
	r := &neighbourRows{}
	p.loadAll(r.arrays())
	m := &dense.Neighbours{Model: dense.Model{Meta: *s}, K: head.K, Rows: r.rows, Class: r.class,
		Y: r.y, Weight: r.weight}
	named(&m.Weights, head.Weights)
	m.Encoding = r.encoding.decode(&m.Meta.Schema, p, f.budget)
	return m
}

// detail reads the key of the header that only one kind of models has.
func (h *header) detail(key string, raw json.RawMessage, to any, p *payload) {
	if len(raw) == 0 {
		p.corrupt(0, "the header has no %q", key)
	}
	if err := json.Unmarshal(raw, to); err != nil {
		p.corrupt(0, "%q of the header: %v", key, err)
	}
}

// named sets a value to the one of a name in the header. A name that this program does not know is
// of a newer one.
func named(value interface{ UnmarshalText(text []byte) error }, name string) {
	if err := value.UnmarshalText([]byte(name)); err != nil {
		unsupported("%v: use a newer program", err)
	}
}
