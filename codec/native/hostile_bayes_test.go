package native

import (
	"bytes"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
)

// writeBayes returns the file of codectest.FullBayes with its header and arrays changed.
func writeBayes(t testing.TB, edit func(*header, *profiles)) []byte {
	t.Helper()
	m := codectest.FullBayes()
	h := headerOf(t, m)
	b := newProfiles(m)
	edit(h, b)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("bayes", b.arrays()))
}

func TestHostileBayes(t *testing.T) {
	set := func(s []float64, i int, x float64) []float64 {
		s = append([]float64(nil), s...)
		s[i] = x
		return s
	}
	last := len(codectest.FullBayes().Mean) - 1
	refuseEdits(t, codectest.FullBayes(), writeBayes, []edited[*profiles]{
		{"numbers", func(h *header, _ *profiles) { h.Task, h.Classes, h.Costs = data.Regression, nil, nil }, "naive Bayes predicts classes"},
		{"priors", func(_ *header, b *profiles) { b.prior = b.prior[1:] }, "1 priors"},
		{"means", func(_ *header, b *profiles) { b.mean = nil }, "0 means"},
		{"variances", func(_ *header, b *profiles) { b.variance = b.variance[1:] }, "variances for 2 classes"},
		{"negative prior", func(_ *header, b *profiles) { b.prior = []float64{2, -1} }, "a prior of -1"},
		{"prior is NaN", func(_ *header, b *profiles) { b.prior = []float64{1, math.NaN()} }, "a prior of NaN"},
		{"sum of priors", func(_ *header, b *profiles) { b.prior = []float64{0.5, 0.25} }, "add up to 0.75"},
		{"probability of 0", func(_ *header, b *profiles) { b.mean = set(b.mean, 0, 0) }, "class 0: probability 0"},
		{"mean is infinite", func(_ *header, b *profiles) { b.mean = set(b.mean, last, math.Inf(1)) }, "class 1: mean +Inf"},
		{"variance of 0", func(_ *header, b *profiles) { b.variance = set(b.variance, last, 0) }, "variance 0"},
		{"column", func(_ *header, b *profiles) { b.field[0] = 99 }, "field 99"},
	})
	var b bytes.Buffer
	if err := Encode(&b, (*dense.Bayes)(nil)); err == nil || b.Len() > 0 {
		t.Errorf("a nil model is stored: %v", err)
	}
}
