package codectest

import (
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// TinyLinear returns the smallest linear model worth looking at, a logistic regression on the
// column of Tiny:
//
//	log odds of yes = 0.25 + 2 (x - 0.5) / 4
func TinyLinear() *dense.Linear {
	m := &dense.Linear{Bias: []float64{0.25}, Coef: []float64{2}, Link: link.Logistic(),
		Model: dense.Model{Meta: Tiny().Meta, Encoding: dense.Encoding{Columns: []dense.Column{
			{Scale: 4, Mean: 0.5, Low: -1, High: 3, Missing: -1, Unseen: -1}}}}}
	m.Meta.Learner, m.Meta.Params = "logistic", nil
	return m
}

// FullLinear returns a linear model with the hard texts of Full, columns of both kinds and one that
// is left out. No field is zero in all columns.
func FullLinear() *dense.Linear {
	m := &dense.Linear{Model: dense.Model{Meta: Full().Meta}, Link: link.Softmax(),
		Bias: []float64{math.MaxFloat64, -5e-324}}
	fields := m.Meta.Schema.Fields
	for i := range fields {
		c := dense.Column{Field: int32(i), Missing: -1, Unseen: -1}
		switch {
		case i == 0:
			continue
		case fields[i].Kind == data.Numeric:
			c.Mean, c.Scale, c.Low, c.High = -0.5, 1e-300, -1e300, 1.5
		default:
			c.Fraction, c.Missing, c.Unseen = []float64{0.25, 0.5, 0.125, 0.125}, 3, 2
			for code := range fields[i].Levels {
				c.Place = append(c.Place, int32(code%3)-1)
			}
		}
		m.Encoding.Columns = append(m.Encoding.Columns, c)
	}
	for i := range 2 * m.Encoding.Width() {
		m.Coef = append(m.Coef, float64(i)-2.5)
	}
	m.Meta.Learner = "linear"
	return m
}

// Linear generates valid linear models.
func Linear() *rapid.Generator[*dense.Linear] {
	return rapid.Custom(func(t *rapid.T) *dense.Linear {
		m := &dense.Linear{Model: dense.Model{Meta: spec().Filter(noAnomalies).Draw(t, "spec")}}
		scores := len(m.Meta.Classes)
		switch {
		case m.Meta.Quantiles != nil:
			scores = len(m.Meta.Quantiles)
		case !m.Meta.Task.Classes():
			scores = rapid.IntRange(1, 3).Draw(t, "scores")
		case scores == 2 && rapid.Bool().Draw(t, "one"):
			scores = 1
		}
		m.Encoding = Encoding(t, m.Meta.Schema.Fields)
		m.Bias = rapid.SliceOfN(number, scores, scores).Draw(t, "bias")
		n := scores * m.Encoding.Width()
		m.Coef = rapid.SliceOfN(number, n, n).Draw(t, "coef")
		if rapid.Bool().Draw(t, "linked") {
			m.Link = anyLink().Draw(t, "link")
		}
		return m
	})
}

func noAnomalies(s model.Spec) bool { return s.Task != data.Anomaly }

// Encoding makes a valid encoding of some of the fields.
func Encoding(t *rapid.T, fields []data.Field) dense.Encoding {
	var e dense.Encoding
	for i := range fields {
		if rapid.Bool().Draw(t, "left out") {
			continue
		}
		c := dense.Column{Field: int32(i), Missing: -1, Unseen: -1}
		if fields[i].Kind == data.Numeric {
			c.Mean, c.Scale = rapid.Float64Range(-1e9, 1e9).Draw(t, "mean"),
				rapid.Float64Range(1e-300, 1e300).Draw(t, "scale")
			c.Low, c.High = c.Mean-1, c.Mean+2
			e.Columns = append(e.Columns, c)
			continue
		}
		n := rapid.IntRange(2, 5).Draw(t, "places")
		place := rapid.Int32Range(-1, int32(n)-1)
		c.Fraction = rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "fractions")
		c.Missing, c.Unseen = place.Draw(t, "missing"), place.Draw(t, "unseen")
		for range fields[i].Levels {
			c.Place = append(c.Place, place.Draw(t, "place"))
		}
		e.Columns = append(e.Columns, c)
	}
	return e
}
