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
	"github.com/coppice-ml/coppice/model/bayes"
)

// writeBayes returns the file of codectest.FullBayes with its header and arrays changed.
func writeBayes(t testing.TB, edit func(*header, *profiles)) []byte {
	t.Helper()
	m := codectest.FullBayes()
	h, err := newHeader("bayes", &m.Meta)
	if err != nil {
		t.Fatal(err)
	}
	b := newProfiles(m)
	edit(h, b)
	first, err := h.section()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := writeFile(&out, []section{first, arraySection("texts", newTexts(&m.Meta.Schema).arrays()), arraySection("bayes", b.arrays())}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestHostileBayes(t *testing.T) {
	if !bytes.Equal(writeBayes(t, func(*header, *profiles) {}), encode(t, codectest.FullBayes())) {
		t.Error("a draft without edits is not what Encode writes")
	}
	set := func(s []float64, i int, x float64) []float64 {
		s = append([]float64(nil), s...)
		s[i] = x
		return s
	}
	last := len(codectest.FullBayes().Mean) - 1
	for _, c := range []struct {
		name string
		edit func(*header, *profiles)
		want string
	}{
		{"numbers", func(h *header, _ *profiles) { h.Task, h.Classes, h.Costs = data.Regression, nil, nil }, "naive Bayes predicts classes"},
		{"priors", func(_ *header, b *profiles) { b.prior = b.prior[1:] }, "1 priors"},
		{"means", func(_ *header, b *profiles) { b.mean = nil }, "0 means"},
		{"variances", func(_ *header, b *profiles) { b.variance = b.variance[1:] }, "variances for 2 classes"},
		{"negative prior", func(_ *header, b *profiles) { b.prior = []float64{2, -1} }, "a prior of -1"},
		{"prior is NaN", func(_ *header, b *profiles) { b.prior = []float64{1, math.NaN()} }, "a prior of NaN"},
		{"sum of priors", func(_ *header, b *profiles) { b.prior = []float64{0.5, 0.25} }, "add up to 0.75"},
		{"share of 0", func(_ *header, b *profiles) { b.mean = set(b.mean, 0, 0) }, "class 0: share 0"},
		{"mean is infinite", func(_ *header, b *profiles) { b.mean = set(b.mean, last, math.Inf(1)) }, "class 1: mean +Inf"},
		{"variance of 0", func(_ *header, b *profiles) { b.variance = set(b.variance, last, 0) }, "variance 0"},
		{"column", func(_ *header, b *profiles) { b.field[0] = 99 }, "field 99"},
	} {
		_, err := decodeBytes(writeBayes(t, c.edit))
		var corrupt *codec.CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a corrupt file and %q", c.name, err, c.want)
		}
	}
	var b bytes.Buffer
	if err := Encode(&b, (*bayes.Bayes)(nil)); err == nil || b.Len() > 0 {
		t.Errorf("a nil model is stored: %v", err)
	}
}
