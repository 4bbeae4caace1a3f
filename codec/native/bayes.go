package native

import (
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// profiles is the section of naive Bayes models: the encoding, and the distributions of the
// classes.
type profiles struct {
	encoding
	prior          []float64 // of each class
	mean, variance []float64 // of the first class by place, then those of the second, ...
}

func (b *profiles) arrays() []array {
	return append(b.encoding.arrays(), whole("prior", required, &b.prior),
		whole("mean", required, &b.mean), whole("variance", required, &b.variance))
}

func newProfiles(m *dense.Bayes) *profiles {
	return &profiles{*newEncoding(&m.Encoding), m.Prior, m.Mean, m.Variance}
}

func encodeBayes(m model.Model, _ *header) []array {
	return newProfiles(m.(*dense.Bayes)).arrays()
}

func decodeBayes(f *file, _ *header, s *model.Spec, p *payload) model.Checked {
	b := &profiles{}
	p.loadAll(b.arrays())
	m := &dense.Bayes{Model: dense.Model{Meta: *s}, Prior: b.prior, Mean: b.mean,
		Variance: b.variance}
	m.Encoding = b.encoding.decode(&s.Schema, p, f.budget)
	return m
}
