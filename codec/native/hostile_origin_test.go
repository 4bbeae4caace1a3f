package native

import (
	"bytes"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
)

// hostileOrigins are damages of rounds, gains and leaf numbers.
var hostileOrigins = []damage{
	{"a number too few", func(d *draft) { d.origin.numbers = d.origin.numbers[:5] },
		"5 leaf numbers of 6 leaves"},
	{"a number too many", func(d *draft) { d.origin.numbers = append(d.origin.numbers, 1) },
		"7 leaf numbers of 6 leaves"},
	{"a number below 0", func(d *draft) { d.origin.numbers[2] = -1 }, "the leaf number -1"},
	{"numbers of no tool", func(d *draft) { d.head.Tool = "" }, "a tool in a model of none"},
	{"a gain too many", func(d *draft) { d.origin.gain = append(d.origin.gain, 1) },
		"2 gains of 1 columns"},
	{"an infinite gain", func(d *draft) { d.origin.gain = []float64{math.Inf(1)} }, "not finite"},
	{"rows of no certificate", func(d *draft) { d.head.Certificate = nil }, "the header has none"},
	{"a certificate that is none", func(d *draft) { d.head.Certificate = raw("[1]") },
		"cannot unmarshal"},
	{"a certificate of fewer than no rows", func(d *draft) {
		d.head.Certificate = raw(`{"rows":-1}`)
	}, "fewer than no rows"},
	{"a difference below 0", func(d *draft) { d.head.Certificate = raw(`{"largest":-1}`) },
		"no numbers"},
	{"expected values of no row", func(d *draft) { d.origin.probes = nil },
		"a certificate of 0 values and 2 expected"},
	{"rows in part", func(d *draft) { d.origin.expected = d.origin.expected[:1] },
		"a certificate of 2 values and 1 expected"},
	{"categories of a column too many", func(d *draft) {
		d.head.ToolCategories = raw(`[{"as":"text","columns":[1]}]`)
	}, "a column beyond 1"},
	{"categories of a column below 0", func(d *draft) {
		d.head.ToolCategories = raw(`[{"as":"text","columns":[-1]}]`)
	}, "a column beyond 1"},
	{"two settings of one name", func(d *draft) {
		d.head.ToolSettings = raw(`[{"name":"a","value":"1"},{"name":"a","value":"2"}]`)
	}, "two settings of a tool have one name"},
	{"settings that are no list", func(d *draft) { d.head.ToolSettings = raw(`{"name":"a"}`) }, "cannot unmarshal object"},
	{"categories that are no list", func(d *draft) { d.head.ToolCategories = raw(`{"as":"text"}`) },
		"cannot unmarshal"},
	{"categories of columns that are no list", func(d *draft) {
		d.head.ToolCategories = raw(`[{"as":"text","columns":"x"}]`)
	}, "cannot unmarshal"},
	{"rounds below 0", func(d *draft) { d.head.RoundsUsed = -1 }, "-1 rounds"},
	{"a late first round", func(d *draft) { d.forest.rounds[0] = 1 }, "round 0 begins with tree 1"},
	{"an empty round", func(d *draft) { d.forest.rounds[1] = 0 }, "round 1 begins with tree 0"},
	{"a round beyond the trees", func(d *draft) { d.forest.rounds[1] = 4 },
		"round 1 begins with tree 4 of 4"},
}

func TestHostileOrigins(t *testing.T) { refuse(t, codectest.Imported, hostileOrigins) }

// A reader may skip the section: the model predicts the same, and its leaves have the numbers of
// their nodes.
func TestLeafNumbersAreOptional(t *testing.T) {
	m := codectest.Imported()
	b := write(t, m, func(d *draft) {
		d.edit = func(s []section) []section {
			if last := s[len(s)-1]; last.name != "origin" || last.flags != 0 {
				t.Errorf("section %q has the flags %d", last.name, last.flags)
			}
			return s[:len(s)-1]
		}
	})
	read, err := Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	cert := *m.Origin.Certificate
	cert.Probes, cert.Expected = nil, nil
	m.Origin = &model.Origin{Tool: m.Origin.Tool, Version: m.Origin.Version, Certificate: &cert,
		Objective: m.Origin.Objective, Categories: m.Origin.Categories,
		Settings: m.Origin.Settings}
	if d := codectest.Diff(m, read); d != "" {
		t.Errorf("the models differ in more than leaf numbers:\n%s", d)
	}
}
