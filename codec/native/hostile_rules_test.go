package native

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/model"
)

// writeRules returns the file of codectest.FullRules with its header and arrays changed.
func writeRules(t testing.TB, edit func(*header, *ruleList)) []byte {
	t.Helper()
	m := codectest.FullRules()
	h := headerOf(t, m)
	l := newRuleList(m)
	edit(h, l)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("rules", l.arrays()))
}

func TestHostileRules(t *testing.T) {
	refuseEdits(t, codectest.FullRules(), writeRules, []edited[*ruleList]{
		{"number of rules", func(h *header, _ *ruleList) { h.Rules = math.MaxInt32 }, "the header has 2147483647 rules"},
		{"negative number of rules", func(h *header, _ *ruleList) { h.Rules = -1 }, "the header has -1 rules"},
		{"no rules", func(h *header, l *ruleList) { *l, h.Rules = ruleList{}, 0 }, "no rule"},
		{"values", func(_ *header, l *ruleList) { l.value = l.value[1:] }, "5 values of 2 classes"},
		{"classes", func(h *header, _ *ruleList) { h.Classes = raw(`["a"]`); h.Costs = nil }, "6 values of 1 classes"},
		{"regression", func(h *header, _ *ruleList) { h.Task = data.Regression }, "rules predict classes"},
		{"decided", func(_ *header, l *ruleList) { l.decided = nil }, "numbers of 3 rules"},
		{"covered", func(_ *header, l *ruleList) { l.covered = l.covered[:2] }, "numbers of 3 rules"},
		{"right", func(_ *header, l *ruleList) { l.right = append(l.right, 1) }, "numbers of 3 rules"},
		{"conditions beyond the arrays", func(_ *header, l *ruleList) { l.conditions[0] = math.MaxUint32 }, "rule 0 has 4294967295 conditions, 6 are left"},
		{"conditions of nobody", func(_ *header, l *ruleList) { l.conditions[1] = 0 }, "1 conditions belong to no rule"},
		{"conditions of the last rule", func(_ *header, l *ruleList) { l.conditions[1], l.conditions[2] = 0, 1 }, "0 conditions, rule 1 of 3"},
		{"features", func(_ *header, l *ruleList) { l.feature = l.feature[1:] }, "5 features"},
		{"split points", func(_ *header, l *ruleList) { l.splitPoint = nil }, "0 split points"},
		{"sets", func(_ *header, l *ruleList) { l.words = append(l.words, 0) }, "7 sets"},
		{"words beyond the array", func(_ *header, l *ruleList) { l.words[1] = 1 << 30 }, "condition 1 has a set of 1073741824 words, 3 are left"},
		{"words of nobody", func(_ *header, l *ruleList) { l.sets = append(l.sets, 0) }, "1 words of sets belong to no condition"},
		{"set of a number", func(_ *header, l *ruleList) { l.words[0], l.words[1] = 1, 1 }, "has a set"},
		{"unknown kind", func(_ *header, l *ruleList) { l.kind[5] = 99 }, "unknown kind 99"},
		{"feature beyond the schema", func(_ *header, l *ruleList) { l.feature[0] = 4 }, "no column 4"},
		{"negative feature", func(_ *header, l *ruleList) { l.feature[0] = math.MinInt32 }, "no column -2147483648"},
		{"feature of another kind", func(_ *header, l *ruleList) { l.feature[0] = 1 }, "is tested as numeric"},
		{"split point is NaN", func(_ *header, l *ruleList) { l.splitPoint[0] = math.NaN() }, "compared with NaN"},
		{"code beyond the dictionary", func(_ *header, l *ruleList) { l.sets[1] = 4 }, "code 66 in the set"},
		{"negative weight", func(_ *header, l *ruleList) { l.value[2] = -1 }, "weight -1"},
		{"no weight", func(_ *header, l *ruleList) { l.value[3] = 0 }, "weight 0"},
		{"weights without end", func(_ *header, l *ruleList) { l.value[2] = math.MaxFloat64 }, "weight +Inf"},
		{"rows of weight NaN", func(_ *header, l *ruleList) { l.covered[2] = math.NaN() }, "weight NaN"},
	})
}

// A file of one type that has only the arrays of the other is damaged.
func TestArraysOfAnotherModel(t *testing.T) {
	for model, want := range map[string]string{"ensemble": "damaged coppice model (trees", "rules": "damaged coppice model (rules"} {
		h := newHeader(model, &codectest.Tiny().Meta)
		h.Trees, h.Combine, h.Rules = 1, "mean", 2
		first := h.section()
		other := arraySection("rules", newRuleList(codectest.TinyRules()).arrays())
		if model == "rules" {
			f := newForest(codectest.Tiny())
			other = arraySection("trees", append(f.perTree(), f.perNode()...))
		}
		var b bytes.Buffer
		if err := writeFile(&b, []section{first, other}); err != nil {
			t.Fatal(err)
		}
		if _, err := decodeBytes(b.Bytes()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", model, err)
		}
	}
}

func TestEncodeRefusesRules(t *testing.T) {
	invalid := codectest.TinyRules()
	invalid.List = invalid.List[:1]
	for want, m := range map[string]model.Model{"cannot store a model of type *rules.Rules": (*rules.Rules)(nil), "cannot be stored: rule 0": invalid} {
		var b bytes.Buffer
		if err := Encode(&b, m); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes, want %q", err, b.Len(), want)
		}
	}
}
