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

func encodeLinear(m model.Model, h *header) []array {
	l := m.(*dense.Linear)
	h.setOrigin(l.Origin)
	h.setLink(l.Link)
	return newSums(l).arrays()
}

func decodeLinear(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	a := &sums{}
	p.loadAll(a.arrays())
	m := &dense.Linear{Model: dense.Model{Meta: *s}, Bias: a.bias, Coef: a.coef}
	m.Encoding = a.encoding.decode(&s.Schema, p, f.budget)
	m.Origin = h.origin(len(s.Schema.Fields), p, f.budget)
	m.Link = h.link()
	return m
}
