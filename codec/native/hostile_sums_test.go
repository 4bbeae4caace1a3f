package native

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// writeLinear returns the file of codectest.FullLinear with its header and arrays changed.
func writeLinear(t testing.TB, edit func(*header, *sums)) []byte {
	t.Helper()
	m := codectest.FullLinear()
	h := headerOf(t, m)
	s := newSums(m)
	edit(h, s)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("linear", s.arrays()))
}

func TestHostileLinearModels(t *testing.T) {
	refuseEdits(t, codectest.FullLinear(), writeLinear, []edited[*sums]{
		{"no score", func(_ *header, s *sums) { s.bias, s.coef = nil, nil }, "no score"},
		{"coefficients", func(_ *header, s *sums) { s.coef = s.coef[1:] }, "coefficients for 2 scores"},
		{"scores", func(_ *header, s *sums) {
			s.bias, s.coef = append(s.bias, 1), append(s.coef, s.coef[:len(s.coef)/2]...)
		}, "3 scores for 2 classes"},
		{"encoding", func(_ *header, s *sums) { s.encoding = encoding{} }, "coefficients for 2 scores of 0 places"},
		{"column", func(_ *header, s *sums) { s.field[0] = 99 }, "field 99"},
		{"order of columns", func(_ *header, s *sums) { s.field[0] = s.field[2] }, "encoded column"},
		{"deviation", func(_ *header, s *sums) { s.scale[len(s.scale)-1] = 0 }, "deviation 0"},
		{"coefficient is NaN", func(_ *header, s *sums) { s.coef[0] = math.NaN() }, "not finite"},
		{"start value is infinite", func(_ *header, s *sums) { s.bias = []float64{math.Inf(1), 0} }, "not finite"},
	})
	_, err := decodeBytes(writeLinear(t, func(h *header, _ *sums) { h.Link = "cauchit" }))
	var newer *codec.UnsupportedError
	if !errors.As(err, &newer) || !strings.Contains(err.Error(), `unknown link "cauchit"`) {
		t.Errorf("unknown link: %v", err)
	}
}

// own is a link that no table has.
type own struct{ link.Link }

func (own) Name() string { return "own" }

func TestEncodeRefusesLinearModels(t *testing.T) {
	invalid, strange := codectest.TinyLinear(), codectest.TinyLinear()
	invalid.Coef = nil
	strange.Link = own{link.Identity()}
	for want, m := range map[string]model.Model{"cannot store a model of type *dense.Linear": (*dense.Linear)(nil), "0 coefficients": invalid,
		"cannot store a link": strange} {
		var b bytes.Buffer
		if err := Encode(&b, m); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes, want %q", err, b.Len(), want)
		}
	}
}
