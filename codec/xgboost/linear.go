package xgboost

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// linear returns the model of a gblinear booster: a missing value adds nothing to a score, so it is
// encoded as 0, and a number as itself.
func (f *file) linear(in *input, o objective, meta model.Spec) model.Model {
	scores, features := f.scores(), int(f.features)
	in.Need(int64(features)*int64(8*scores+96) + 8*int64(scores))
	m := &dense.Linear{Model: dense.Model{Meta: meta}, Link: o.link,
		Coef: make([]float64, scores*features),
		Origin: &model.Origin{Tool: toolName, Version: f.versionText(), Objective: f.objective,
			Settings: f.kept()}}
	for c := range meta.Schema.Fields {
		if meta.Schema.Fields[c].Kind != data.Numeric {
			in.unsupported("categories in gblinear")
		}
		m.Encoding.Columns = append(m.Encoding.Columns, dense.Column{Field: int32(c), Scale: 1,
			Low: -math.MaxFloat32, High: math.MaxFloat32, Missing: -1, Unseen: -1})
	}
	for s, b := range f.bias(o) {
		m.Bias = append(m.Bias, float64(b)+float64(f.weights[features*scores+s]))
		for c := range features {
			m.Coef[s*features+c] = float64(f.weights[c*scores+s])
		}
	}
	in.check(m.Validate())
	return m
}

// linear stores a linear model as the booster gblinear. There a missing value adds nothing, so the
// mean of each column must be 0, as that of the models which linear above makes.
func (w *writing) linear(m *dense.Linear) error {
	f, features, scores := w.file, len(m.Meta.Schema.Fields), len(m.Bias)
	f.booster, f.weights = "gblinear", make([]float32, (features+1)*scores)
	base, _ := w.objective().base(0)
	f.base = []float32{base}
	for i := range m.Meta.Schema.Fields { // also those that no coefficient is of
		if m.Meta.Schema.Fields[i].Kind != data.Numeric {
			return w.unsupported("a linear model of categories")
		}
	}
	for place, c := range m.Encoding.Columns {
		if c.Mean != 0 {
			return w.unsupported("a linear model in which missing values are means")
		}
		for s := range scores {
			f.weights[int(c.Field)*scores+s] = float32(m.Of(s)[place] / c.Scale)
		}
	}
	for s, b := range m.Bias {
		f.weights[features*scores+s] = float32(b) + 0 // no negative zero
	}
	for _, x := range f.weights {
		if !finite(x) {
			return w.unsupported("a coefficient beyond single precision")
		}
	}
	return nil
}
