package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// writeStack returns the file of codectest.TinyStack with its header and arrays changed.
func writeStack(t testing.TB, edit func(*header, *memberFiles)) []byte {
	t.Helper()
	m := codectest.TinyStack()
	h := headerOf(t, m)
	l := &memberFiles{}
	for _, member := range append(m.Members[:2:2], m.MetaModel) {
		b := memberFile(t, member, &m.Meta)
		l.size, l.models = append(l.size, uint64(len(b))), append(l.models, b...)
	}
	edit(h, l)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("members", l.arrays()))
}

func TestHostileStacks(t *testing.T) {
	refuseEdits(t, codectest.TinyStack(), writeStack, []edited[*memberFiles]{
		{"number of members", func(h *header, _ *memberFiles) { h.Members = math.MaxInt32 }, "sizes of 3 members, the header has 2147483647"},
		{"no members", func(h *header, l *memberFiles) { *l, h.Members = memberFiles{}, 0 }, "a stack without a meta-learner"},
		{"a meta-learner alone", func(h *header, l *memberFiles) {
			l.models = l.models[l.size[0]+l.size[1]:]
			l.size, h.Members = l.size[2:], 1
		}, "no member"},
		{"no names", func(h *header, _ *memberFiles) { h.Names = nil }, "0 names for 2 members"},
		{"names of no list", func(h *header, _ *memberFiles) { h.Names = json.RawMessage(`{"a":1}`) }, "cannot unmarshal"},
		{"many names", func(h *header, _ *memberFiles) { h.Names = json.RawMessage(`["a","b","c"]`) }, "3 names for 2 members"},
		{"one name twice", func(h *header, _ *memberFiles) { h.Names = json.RawMessage(`["a","a"]`) }, `two members are called "a"`},
		{"other names", func(h *header, _ *memberFiles) { h.Names = json.RawMessage(`["a","b"]`) }, "meta-learner: uses a numeric column"},
		{"leaves", func(h *header, _ *memberFiles) { h.MemberOutput = "leaf" }, "members predict leaf"},
		{"labels", func(h *header, _ *memberFiles) { h.MemberOutput = "label" }, "meta-learner: uses a numeric column"},
		{"weights", func(_ *header, l *memberFiles) { l.weights = []float64{1, 2, 3} }, "a stack with weights"},
		{"damaged meta-learner", func(_ *header, l *memberFiles) { l.models[len(l.models)-20]++ }, "(member 2, "},
		{"size beyond the array", func(_ *header, l *memberFiles) { l.size[2] = math.MaxUint64 - 15 }, "member 2 has 18446744073709551600 bytes"},
	})
	var newer *codec.UnsupportedError
	if _, err := decodeBytes(writeStack(t, func(h *header, _ *memberFiles) { h.MemberOutput = "tea leaves" })); !errors.As(err, &newer) {
		t.Errorf("%v, want a file of a newer program", err)
	}
}

// Stacks inside each other are limited.
func TestDeepStacks(t *testing.T) {
	m := codectest.TinyStack()
	for range 8 { // the limit of package stack
		m = &committee.Stack{Meta: m.Meta, Names: []string{"tree", "list"}, Members: []model.Model{m, codectest.TinyRules()}, MetaModel: codectest.TinyStack().MetaModel}
	}
	if err := Encode(&bytes.Buffer{}, m); err == nil || !strings.Contains(err.Error(), "stacks inside each other") {
		t.Errorf("%v, want too many stacks", err)
	}
}
