package native

import (
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// sums is the section of linear models: the encoding, start values and coefficients.
type sums struct {
	encoding
	bias []float64 // of each score
	coef []float64 // of the first score by place, then those of the second, ...
}

func (s *sums) arrays() []array {
	return append(s.encoding.arrays(), whole("bias", required, &s.bias),
		whole("coef", required, &s.coef))
}

func newSums(m *dense.Linear) *sums {
	return &sums{*newEncoding(&m.Encoding), m.Bias, m.Coef}
}

func encodeLinear(m model.Model, h *header) ([]array, error) {
	l := m.(*dense.Linear)
	if o := l.Origin; o != nil && !h.bare {
		if o.Tool == "" {
			return nil, unsupported("cannot store a model of a tool without a name")
		}
		if err := h.setOrigin(o); err != nil {
			return nil, err
		}
	}
	return newSums(l).arrays(), h.setLink(l.Link)
}

func decodeLinear(f *file, h *header, s *model.Spec, p *payload) (model.Checked, error) {
	a := &sums{}
	err := p.loadAll(a.arrays())
	if err != nil {
		return nil, err
	}
	m := &dense.Linear{Model: dense.Model{Meta: *s}, Bias: a.bias, Coef: a.coef}
	if m.Encoding, err = a.encoding.decode(&s.Schema, p, f.budget); err != nil {
		return nil, err
	}
	if h.Tool != "" {
		if m.Origin, err = h.origin(len(s.Schema.Fields), p, f.budget); err != nil {
			return nil, err
		}
	}
	m.Link, err = h.link()
	return m, err
}
