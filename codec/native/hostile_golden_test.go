package native

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
)

// Golden rows that do not fit the model are refused.
func TestHostileGoldenRows(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(g *goldenRows)
		want string
	}{
		{"no row", func(g *goldenRows) { g.kind = nil }, "0 golden rows"},
		{"a row more", func(g *goldenRows) { g.kind = append(g.kind, 1) }, "3 golden rows"},
		{"too many rows", func(g *goldenRows) {
			*g = goldenRows{make([]uint8, 33), make([]float64, 33*4), make([]float64, 33)}
		}, "33 golden rows"},
		{"another kind", func(g *goldenRows) { g.kind[0], g.kind[1] = 2, 2 }, "golden rows of kind 2"},
		{"two kinds", func(g *goldenRows) { g.kind[0] = 0 }, "golden rows of kind 0 and 1"},
		{"a value less", func(g *goldenRows) { g.values = g.values[1:] }, "with 7 values"},
		{"no predictions", func(g *goldenRows) { g.predictions = nil }, "and 0 predictions"},
		{"a prediction less", func(g *goldenRows) { g.predictions = g.predictions[1:] }, "and 1 predictions"},
		{"predictions of two outputs", func(g *goldenRows) { g.predictions = make([]float64, 4) }, "4 predictions of 2 rows with 1 outputs"},
		{"a prediction that is NaN", func(g *goldenRows) { g.predictions[1] = math.NaN() }, "golden prediction 2 is NaN"},
		{"an infinite prediction", func(g *goldenRows) { g.predictions[0] = math.Inf(1) }, "golden prediction 1 is +Inf"},
		{"a code beyond the dictionary", func(g *goldenRows) { g.values[1] = 3 }, `golden row 1, column "c": 3 is no code`},
		{"a negative code", func(g *goldenRows) { g.values[1] = -1 }, `golden row 1, column "c": -1 is no code`},
		{"half a code", func(g *goldenRows) { g.values[1] = 0.5 }, `golden row 1, column "c": 0.5 is no code`},
		{"an infinite code", func(g *goldenRows) { g.values[1] = math.Inf(1) }, `golden row 1, column "c": +Inf is no code`},
	} {
		m := codectest.Profiled()
		own := newGolden(m.Meta.Golden)
		c.edit(own)
		m.Meta.Golden = nil
		b := write(t, m, func(d *draft) { d.more = []section{own.section()} })
		_, err := decodeBytes(b)
		if corrupt := (*codec.CorruptError)(nil); !errors.As(err, &corrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a corrupt file and %q", c.name, err, c.want)
		}
	}
}

// Golden rows that a file has are verified, and a prediction that differs is named.
func TestVerifyGoldenRows(t *testing.T) {
	m, err := decodeBytes(encode(t, codectest.Profiled()))
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Verify(m); err != nil {
		t.Error(err)
	}
	changed := codectest.Profiled()
	changed.Bias[0] += 1e-6
	m, err = decodeBytes(encode(t, changed))
	if err != nil {
		t.Fatal(err)
	}
	var differs *model.GoldenError
	if err := model.Verify(m); !errors.As(err, &differs) || *differs != (model.GoldenError{Want: 1.5, Got: changed.Bias[0]}) {
		t.Errorf("%v", err)
	}
	if err := model.Verify(codectest.Tiny()); !errors.Is(err, model.ErrNoGolden) {
		t.Errorf("a model without golden rows: %v", err)
	}
}
