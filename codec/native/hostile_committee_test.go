package native

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// writeCommittee returns the file of codectest.FullCommittee with its header and arrays changed.
func writeCommittee(t testing.TB, edit func(*header, *memberFiles)) []byte {
	t.Helper()
	m := codectest.FullCommittee()
	h := headerOf(t, m)
	l := &memberFiles{weights: m.Weights}
	for _, member := range m.Members {
		b := memberFile(t, member, &m.Meta)
		l.size, l.models = append(l.size, uint64(len(b))), append(l.models, b...)
	}
	edit(h, l)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("members", l.arrays()))
}

// writeMembers returns the file of a mean of members whose files are given.
func writeMembers(t testing.TB, meta *model.Spec, files ...[]byte) []byte {
	t.Helper()
	h := newHeader("committee", meta)
	h.Members, h.Combine = len(files), "mean"
	first := h.section()
	l := &memberFiles{models: bytes.Join(files, nil)}
	for _, file := range files {
		l.size = append(l.size, uint64(len(file)))
	}
	var b bytes.Buffer
	if err := writeFile(&b, []section{first, arraySection("members", l.arrays())}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func memberFile(t testing.TB, m model.Model, around *model.Spec) []byte {
	t.Helper()
	sections := sectionsOf(m, around)
	var b bytes.Buffer
	if err := writeFile(&b, sections); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// replaceMember puts a file in the place of the first member.
func replaceMember(l *memberFiles, file []byte) {
	l.models = append(bytes.Clone(file), l.models[l.size[0]:]...)
	l.size[0] = uint64(len(file))
}

// shared returns the file of codectest.TinyRules as a member, with its header changed.
func shared(t testing.TB, edit func(*header)) []byte {
	t.Helper()
	m := codectest.TinyRules()
	h := newHeader("rules", &m.Meta)
	arrays := encodeRules(m, h)
	h.Common, h.Classes, h.Schema.Fields = true, nil, nil
	edit(h)
	first := h.section()
	var b bytes.Buffer
	if err := writeFile(&b, []section{first, arraySection("rules", arrays)}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHostileCommittees(t *testing.T) {
	refuseEdits(t, codectest.FullCommittee(), writeCommittee, []edited[*memberFiles]{
		{"number of members", func(h *header, _ *memberFiles) { h.Members = math.MaxInt32 }, "sizes of 5 members, the header has 2147483647"},
		{"negative number", func(h *header, _ *memberFiles) { h.Members = -1 }, "the header has -1"},
		{"no members", func(h *header, l *memberFiles) { *l, h.Members = memberFiles{}, 0 }, "no member"},
		{"weights of too few", func(_ *header, l *memberFiles) { l.weights = l.weights[1:] }, "4 weights for 5 members"},
		{"weight of nothing", func(_ *header, l *memberFiles) { l.weights[2] = 0 }, "member 2 has weight 0"},
		{"weights without end", func(_ *header, l *memberFiles) { l.weights[2] = math.Inf(1) }, "weight +Inf"},
		{"size beyond the array", func(_ *header, l *memberFiles) { l.size[0] = math.MaxUint64 - 7 }, "member 0 has 18446744073709551608 bytes"},
		{"size of no file", func(_ *header, l *memberFiles) { l.size[0]-- }, "bytes, "},
		{"size too large", func(_ *header, l *memberFiles) { l.size[0] += align }, "(member 0, head, byte "},
		{"size of nothing", func(_ *header, l *memberFiles) { l.size[0] = 0 }, "(member 0, head, byte "},
		{"bytes of nobody", func(_ *header, l *memberFiles) { l.models = append(l.models, make([]byte, 16)...) }, "16 bytes belong to no member"},
		{"damaged member", func(_ *header, l *memberFiles) { l.models[l.size[0]+headSize+30]++ }, "(member 1, header, byte "},
		{"damaged member of a member", func(_ *header, l *memberFiles) { l.models[len(l.models)-20]++ }, "(member 4, members, byte "},
		{"a vote of numbers", func(h *header, l *memberFiles) { h.Task, h.Combine = data.Regression, "vote" }, "members vote for classes"},
		{"another task", func(h *header, _ *memberFiles) { h.Task = data.Binary }, "member 0: predicts multiclass"},
		{"other classes", func(_ *header, l *memberFiles) { replaceMember(l, encode(t, codectest.Tiny())) }, `member 0: predicts binary`},
		{"a sum of classes", func(h *header, _ *memberFiles) { h.Combine = "sum" }, "member 0: predicts multiclass, a sum is one of models of numbers"},
		{"start values of a mean", func(_ *header, l *memberFiles) { l.bias = []float64{1} }, "start values of a mean"},
		{"scores of a mean", func(_ *header, l *memberFiles) { l.output = []int32{math.MaxInt32} }, "scores of members or a link of a mean"},
		{"link of a mean", func(h *header, _ *memberFiles) { h.Link = "softmax" }, "scores of members or a link of a mean"},
		{"a median of classes", func(h *header, _ *memberFiles) { h.Combine = "median" }, "a median of members, the task is multiclass"},
	})
}

// What damages a sum.
func TestHostileSums(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*committee.Committee)
		want string
	}{
		{"none", func(*committee.Committee) {}, ""},
		{"score beyond all", func(m *committee.Committee) { m.Output[1] = math.MaxInt32 }, "member 1 feeds score 2147483647"},
		{"score below all", func(m *committee.Committee) { m.Output[1] = -2 }, "member 1 feeds score -2"},
		{"scores of too few", func(m *committee.Committee) { m.Output = m.Output[1:] }, "scores of 2 members"},
		{"many start values", func(m *committee.Committee) { m.Bias = make([]float64, 1000) }, "1000 scores of 2 classes"},
		{"start value of nothing", func(m *committee.Committee) { m.Bias[0] = math.NaN() }, "start value NaN"},
		{"weight of nothing", func(m *committee.Committee) { m.Weights[0] = math.NaN() }, "weight NaN"},
		{"members of classes", func(m *committee.Committee) { m.Members[0] = codectest.Full() }, "a sum is one of models of numbers"},
	} {
		m := codectest.SumCommittee()
		c.edit(m)
		h := newHeader("committee", &m.Meta)
		arrays := encodeCommittee(m, h)
		_, err := decodeBytes(writeEdited(t, h, &m.Meta.Schema, arraySection("members", arrays)))
		var corrupt *codec.CorruptError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &corrupt) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want a corrupt file and %q", c.name, err, c.want)
		}
	}
	if b := encode(t, codectest.SumCommittee()); bytes.Count(b, []byte(`"no_classes":true`)) != 3 || bytes.Count(b, []byte(`"levels"`)) > bytes.Count(encode(t, codectest.Full()), []byte(`"levels"`)) {
		t.Error("members repeat the columns around them")
	}
}

// What damages the scales of ranks.
func TestHostileRanks(t *testing.T) {
	scales := func(edit func(l *memberFiles)) []byte {
		m := codectest.FullRanks()
		h := headerOf(t, m)
		l := &memberFiles{}
		for i, member := range m.Members {
			b := memberFile(t, member, &m.Meta)
			l.size, l.models = append(l.size, uint64(len(b))), append(l.models, b...)
			l.scaleSize = append(l.scaleSize, uint64(len(m.Scales[i].Value)))
			l.scaleValue, l.scaleRank = append(l.scaleValue, m.Scales[i].Value...), append(l.scaleRank, m.Scales[i].Rank...)
		}
		edit(l)
		return writeEdited(t, h, &m.Meta.Schema, arraySection("members", l.arrays()))
	}
	if !bytes.Equal(scales(func(*memberFiles) {}), encode(t, codectest.FullRanks())) {
		t.Error("a draft without edits is not what Encode writes")
	}
	for _, c := range []struct {
		name string
		edit func(*memberFiles)
		want string
	}{
		{"no scales", func(l *memberFiles) { l.scaleSize, l.scaleValue, l.scaleRank = nil, nil, nil }, "0 scales, want 2"},
		{"a scale too few", func(l *memberFiles) { l.scaleSize = l.scaleSize[1:] }, "knots belong to no scale"},
		{"knots without end", func(l *memberFiles) { l.scaleSize[1] = math.MaxUint64 }, "scale 1 has 18446744073709551615 knots"},
		{"no knots", func(l *memberFiles) { l.scaleSize[0], l.scaleSize[1] = 0, l.scaleSize[0]+l.scaleSize[1] }, "scale 0: 0 numbers"},
		{"ranks of too few", func(l *memberFiles) { l.scaleRank = l.scaleRank[1:] }, "ranks of scales"},
		{"rank beyond 1", func(l *memberFiles) { l.scaleRank[0] = 7 }, "scale 0: rank 7"},
		{"number of nothing", func(l *memberFiles) { l.scaleValue[0] = math.NaN() }, "of NaN"},
		{"numbers that fall", func(l *memberFiles) { l.scaleValue[1] = -1 }, "of -1 after rank"},
	} {
		mustBeCorrupt(t, c.name, scales(c.edit), c.want)
	}
}

// The place of damage in a member is one of the whole file.
func TestDamageInMembers(t *testing.T) {
	m := &committee.Committee{Meta: codectest.TinyCommittee().Meta, Members: []model.Model{codectest.TinyRules(), codectest.TinyCommittee()}}
	b := encode(t, m)
	inner := bytes.LastIndex(b, []byte(magic))
	b[inner+9]++ // of the version of the last member, whose head has a checksum
	_, err := decodeBytes(reseal(b))
	var corrupt *codec.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Section != "member 1, members" {
		t.Errorf("%v, want damage of the section around the member", err)
	}
	// With the checksums of the sections around it mended, the member's own is found wrong.
	b = encode(t, &committee.Committee{Meta: m.Meta, Members: []model.Model{codectest.TinyRules(), codectest.TinyRules()}})
	inner = bytes.LastIndex(b, []byte(magic))
	b[inner+9]++
	outer := int64(inner) + headSize - crcSize
	_, err = decodeBytes(reseal(b))
	if !errors.As(err, &corrupt) || corrupt.Section != "member 1, head" || corrupt.Offset != outer {
		t.Errorf("%v, want damage of member 1 at byte %d", err, outer)
	}
}

func TestHostileSharing(t *testing.T) {
	around := func(file []byte) []byte { return writeMembers(t, &codectest.TinyCommittee().Meta, file) }
	if _, err := decodeBytes(around(shared(t, func(*header) {}))); err != nil {
		t.Error(err)
	}
	for want, file := range map[string][]byte{
		"has the columns of a model around it, and there is none": shared(t, func(*header) {}),
		"has column 1 of 1":              around(shared(t, func(h *header) { h.Columns = raw(`[1]`) })),
		"has column -1 of 1":             around(shared(t, func(h *header) { h.Columns = raw(`[-1]`) })),
		"cannot unmarshal string":        around(shared(t, func(h *header) { h.Columns = raw(`["x"]`) })),
		`two columns are called "x"`:     around(shared(t, func(h *header) { h.Columns = raw(`[0,0]`) })),
		"rule 0: condition 0: there is ": around(shared(t, func(h *header) { h.Columns = raw(`[]`) })),
	} {
		var corrupt *codec.CorruptError
		if _, err := decodeBytes(file); !errors.As(err, &corrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	var novel *codec.UnsupportedError
	if _, err := decodeBytes(around(shared(t, func(h *header) { h.Model = "orchestra" }))); !errors.As(err, &novel) ||
		err.Error() != `coppice model: member 0: the file holds a model of type "orchestra": use a newer program` {
		t.Errorf("%v", err)
	}
}

// Committees inside each other beyond the limit are refused before their members are read.
func TestDeepCommittees(t *testing.T) {
	var m model.Model = codectest.Tiny()
	for range committee.MaxDepth {
		m = &committee.Committee{Meta: codectest.Tiny().Meta, Members: []model.Model{m}}
	}
	deepest := encode(t, m)
	if _, err := decodeBytes(deepest); err != nil {
		t.Error(err)
	}
	var corrupt *codec.CorruptError
	if _, err := decodeBytes(writeMembers(t, m.Spec(), deepest)); !errors.As(err, &corrupt) || !strings.HasSuffix(err.Error(), "more than 16 committees inside each other") {
		t.Errorf("%v", err)
	}
}

// Many members that share many columns take time that the memory limit bounds.
func TestSharedColumnsAreCharged(t *testing.T) {
	m := codectest.TinyCommittee()
	for i := range 5000 {
		m.Meta.Schema.Fields = append(m.Meta.Schema.Fields, data.Field{Name: fmt.Sprint("c", i)})
	}
	file := shared(t, func(*header) {})
	for members, refused := range map[int]bool{10: false, 300: true} {
		_, err := decodeBytes(writeMembers(t, &m.Meta, slices.Repeat([][]byte{file}, members)...))
		if limit := (*codec.LimitError)(nil); errors.As(err, &limit) != refused || !refused && err != nil {
			t.Errorf("%d members: %v", members, err)
		}
	}
}

// A member repeats nothing that it has from the committee.
func TestMembersFraction(t *testing.T) {
	m := codectest.FullCommittee()
	for i, want := range []string{`"same":true,"trees"`, `"schema":{"fields":[`, `"same":true,"columns":[2,1],"combine"`, `"schema":{"fields":[`, `"same":true,"combine"`} {
		b := memberFile(t, m.Members[i], &m.Meta)
		if want = strings.ReplaceAll(want, `"columns":[2,1],"combine"`, `"columns":[2,1],"rules"`); !bytes.Contains(b, []byte(want)) {
			t.Errorf("member %d does not have %s in its header: %q", i, want, b[:700])
		}
		if sharing := strings.Contains(want, "same"); sharing && bytes.Contains(b, []byte("texts\x00")) {
			t.Errorf("member %d has dictionaries of its own", i)
		}
	}
}

func TestEncodeRefusesCommittees(t *testing.T) {
	invalid := codectest.TinyCommittee()
	invalid.Weights = []float64{1}
	stranger := codectest.TinyCommittee()
	stranger.Members[1] = strange{codectest.Tiny()}
	for want, m := range map[string]model.Model{"cannot store a model of type *committee.Committee": (*committee.Committee)(nil),
		"cannot be stored: 1 weights for 2 members": invalid, "member 1: cannot store a model of type native.strange": stranger} {
		var b bytes.Buffer
		if err := Encode(&b, m); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("%v and %d bytes, want %q", err, b.Len(), want)
		}
	}
}

// strange is a model that no format can hold.
type strange struct{ model.Model }
