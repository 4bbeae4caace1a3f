package codectest

import (
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
)

// TinyBayes returns the smallest naive Bayes model worth looking at, on the column of Tiny:
//
//	x is -0.5 ± 0.5 for no, 3 of 5 rows, and 2 ± 0.25 for yes
func TinyBayes() *dense.Bayes {
	m := &dense.Bayes{Prior: []float64{0.6, 0.4}, Mean: []float64{-1, 1.5},
		Variance: []float64{0.25, 0.0625},
		Model: dense.Model{Meta: Tiny().Meta, Encoding: dense.Encoding{Columns: []dense.Column{
			{Scale: 1, Mean: 0.5, Low: -1, High: 3, Missing: -1, Unseen: -1}}}}}
	m.Meta.Learner, m.Meta.Params = "bayes", nil
	return m
}

// FullBayes returns a naive Bayes model with the hard texts of Full, columns of both kinds and one
// that is left out.
func FullBayes() *dense.Bayes {
	l := FullLinear()
	m := &dense.Bayes{Model: dense.Model{Meta: l.Meta, Encoding: l.Encoding}, Prior: []float64{1, 0}}
	m.Meta.Learner = "bayes"
	for class := range m.Prior {
		for i := range m.Encoding.Columns {
			for p := range m.Encoding.Columns[i].Width() {
				mean, variance := float64(class-p)+0.25, 1e-100
				if !m.Encoding.Columns[i].Numeric() {
					mean, variance = 1/float64(1+class+p), 0
				}
				m.Mean, m.Variance = append(m.Mean, mean), append(m.Variance, variance)
			}
		}
	}
	return m
}

// Bayes generates valid naive Bayes models.
func Bayes() *rapid.Generator[*dense.Bayes] {
	return rapid.Custom(func(t *rapid.T) *dense.Bayes {
		m := &dense.Bayes{Model: dense.Model{Meta: spec().Filter(isClasses).Draw(t, "spec")}}
		m.Encoding = Encoding(t, m.Meta.Schema.Fields)
		sum := 0.0
		for range m.Meta.Classes {
			w := rapid.Float64Range(0.001, 1).Draw(t, "prior")
			m.Prior = append(m.Prior, w)
			sum += w
			for i := range m.Encoding.Columns {
				for range m.Encoding.Columns[i].Width() {
					mean, variance := rapid.Float64Range(-1e9, 1e9).Draw(t, "mean"),
						rapid.Float64Range(1e-99, 1e99).Draw(t, "variance")
					if m.Meta.Schema.Fields[m.Encoding.Columns[i].Field].Kind == data.Categorical {
						mean, variance = rapid.Float64Range(1e-9, 1).Draw(t, "spread"), 0
					}
					m.Mean, m.Variance = append(m.Mean, mean), append(m.Variance, variance)
				}
			}
		}
		for c := range m.Prior {
			m.Prior[c] /= sum
		}
		return m
	})
}
