package native

import (
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// kernelHead is what the header holds of the kernel of a vector machine.
type kernelHead struct {
	Kind   string  `json:"kind"`
	Gamma  float64 `json:"gamma,omitempty"`
	Coef0  float64 `json:"coef0,omitempty"`
	Degree int     `json:"degree,omitempty"`
}

// machineSums is the section of vector machines: their encoding, the support vectors and their
// coefficients.
type machineSums struct {
	encoding encoding
	vectors  []float64
	coef     []float64
	bias     []float64
}

func (s *machineSums) arrays() []array {
	return append(s.encoding.arrays(),
		whole("bias", required, &s.bias),
		whole("coef", required, &s.coef),
		whole("vectors", required, &s.vectors),
	)
}

func newMachineSums(m *dense.Machine) *machineSums {
	return &machineSums{encoding: *newEncoding(&m.Encoding), vectors: m.Vectors,
		coef: m.Coef, bias: m.Bias}
}

func encodeMachine(from model.Model, h *header) []array {
	m := from.(*dense.Machine)
	k := m.Kernel
	h.Kernel = stored(kernelHead{k.Kind.String(), k.Gamma, k.Coef0,
		k.Degree})
	h.setLink(m.Link)
	return newMachineSums(m).arrays()
}

func decodeMachine(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	var head kernelHead
	h.detail("kernel", h.Kernel, &head, p)
	sums := &machineSums{}
	p.loadAll(sums.arrays())
	m := &dense.Machine{Model: dense.Model{Meta: *s}, Vectors: sums.vectors, Coef: sums.coef,
		Bias: sums.bias, Kernel: dense.Kernel{Gamma: head.Gamma, Coef0: head.Coef0, Degree: head.Degree}}
	named(&m.Kernel.Kind, head.Kind)
	m.Link = h.link()
	m.Encoding = sums.encoding.decode(&m.Meta.Schema, p, f.budget)
	return m
}
