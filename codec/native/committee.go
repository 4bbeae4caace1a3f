package native

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// memberFiles is the section of the members of a committee: each is a whole file of its own, with
// head and sections.
//
//	member.size   416          1024                (multiples of 16)
//	models        head header  head header texts
//
// A member that has classes and fields of the committee does not repeat them: see header.leaveOut.
type memberFiles struct {
	size    []uint64 // bytes of each file
	weights []float64
	output  []int32   // of sums: which score each member feeds
	bias    []float64 // of sums
	models  []uint8

	// of ranks: knots of each scale, whose numbers and ranks follow each other
	scaleSize             []uint64
	scaleValue, scaleRank []float64
}

func (l *memberFiles) arrays() []array {
	return []array{
		whole("member.size", required, &l.size),
		whole("weights", required, &l.weights),
		whole("output", required, &l.output),
		whole("bias", required, &l.bias),
		whole("scale.size", required, &l.scaleSize),
		whole("scale.value", required, &l.scaleValue),
		whole("scale.rank", required, &l.scaleRank),
		whole("models", required, &l.models),
	}
}

func encodeCommittee(m model.Model, h *header) []array {
	c := m.(*committee.Committee)
	h.Members, h.Combine, h.Floor = len(c.Members), c.Combine.String(), c.Floor
	h.setLink(c.Link)
	l := &memberFiles{weights: c.Weights, output: c.Output, bias: c.Bias}
	for i := range c.Scales {
		scale := &c.Scales[i]
		l.scaleSize = append(l.scaleSize, uint64(len(scale.Value)))
		l.scaleValue, l.scaleRank = append(l.scaleValue, scale.Value...),
			append(l.scaleRank, scale.Rank...)
	}
	return l.encode(c.Members, &c.Meta, h.bare)
}

// encode returns the arrays with the files of members, which stand inside a model: bare ones if
// that is requested.
func (l *memberFiles) encode(
	members []model.Model, around *model.Spec, bare bool,
) []array {
	files := make([][]section, len(members))
	for i, member := range members {
		var err error
		files[i], err = memberSections(member, around, bare)
		foreign.Check(inMember(i, 0, err))
		l.size = append(l.size, uint64(fileSize(files[i])))
	}
	arrays := l.arrays()
	models := &arrays[len(arrays)-1] // are written without being in memory first
	models.count = func() int64 {
		total := int64(0)
		for _, size := range l.size {
			total += int64(size)
		}
		return total
	}
	models.emit = func(w io.Writer) error {
		for _, file := range files {
			if err := writeFile(w, file); err != nil {
				return err
			}
		}
		return nil
	}
	return arrays
}

// memberCost is the memory that reading a member takes whatever its size: its file's sections, its
// header, what checks it.
const memberCost = 4096

func decodeCommittee(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	l, members := decodeMembers(f, h.Members, s, p)
	c := &committee.Committee{Meta: *s, Members: members, Weights: l.weights, Output: l.output,
		Bias: l.bias, Floor: h.Floor}
	named(&c.Combine, h.Combine)
	c.Link = h.link()
	f.take(scaleCost * int64(len(l.scaleSize)))
	c.Scales = l.scales(p)
	return c
}

// decodeMembers reads the arrays of members, of which the header has a number, and the files in
// them.
func decodeMembers(
	f *file, number int, s *model.Spec, p *payload,
) (*memberFiles, []model.Model) {
	if f.depth >= committee.MaxDepth {
		p.corrupt(0, "more than %d committees inside each other", committee.MaxDepth)
	}
	l := &memberFiles{}
	p.loadAll(l.arrays())
	if len(l.size) != number {
		p.corrupt(0, "sizes of %d members, the header has %d", len(l.size), number)
	}
	f.take(memberCost * int64(len(l.size)))
	members := make([]model.Model, len(l.size))
	rest := l.models
	for i, size := range l.size {
		if size > uint64(len(rest)) || size%align != 0 {
			p.corrupt(0, "member %d has %d bytes, %d are left", i, size, len(rest))
		}
		own := &file{r: bytes.NewReader(rest[:size]), memory: rest[:size], size: int64(size),
			around: s, depth: f.depth + 1, owner: f.owner, budget: f.budget}
		var err error
		members[i], err = own.decode()
		foreign.Check(inMember(i, p.at+int64(len(p.data)-len(rest)), err))
		rest = rest[size:]
	}
	if len(rest) > 0 {
		p.corrupt(0, "%d bytes belong to no member", len(rest))
	}
	return l, members
}

// scaleCost is the memory of a scale beside its knots.
const scaleCost = 64

// scales returns the scales of ranks, nil if there are none.
func (l *memberFiles) scales(p *payload) []committee.Scale {
	if len(l.scaleValue) != len(l.scaleRank) {
		p.corrupt(0, "%d numbers and %d ranks of scales", len(l.scaleValue),
			len(l.scaleRank))
	}
	var scales []committee.Scale
	values, ranks := l.scaleValue, l.scaleRank
	for i, n := range l.scaleSize {
		if n > uint64(len(values)) {
			p.corrupt(0, "scale %d has %d knots, %d are left", i, n, len(values))
		}
		scales = append(scales, committee.Scale{Value: values[:n:n], Rank: ranks[:n:n]})
		values, ranks = values[n:], ranks[n:]
	}
	if len(values) > 0 {
		p.corrupt(0, "%d knots belong to no scale", len(values))
	}
	return scales
}

// inMember adds to an error in which member, whose file starts at a place of the file around it,
// something is wrong.
func inMember(number int, at int64, err error) error {
	return inPart(fmt.Sprintf("member %d", number), at, err)
}

// inPart reports that something is wrong in the file of a part of a model.
func inPart(part string, at int64, err error) error {
	var corrupt *codec.CorruptError
	var unsupported *codec.UnsupportedError
	switch {
	case errors.As(err, &corrupt):
		return &codec.CorruptError{Format: name, Offset: at + corrupt.Offset,
			Section: part + ", " + corrupt.Section, Err: corrupt.Err}
	case errors.As(err, &unsupported):
		return &codec.UnsupportedError{Format: name, What: part + ": " + unsupported.What}
	}
	return err
}

// leaveOut leaves classes and schema out of a header if they are those of the model around, or if
// its fields are some of that model's. Fields are stored by their places then:
//
//	around  a b c      member  a c      columns [0,2]
//
// Members that are models of numbers have no classes, whatever the model around predicts; the
// header states that.
func (h *header) leaveOut(own, around *model.Spec) bool {
	plain := len(own.Classes) == 0 && len(around.Classes) > 0
	if !plain && !slices.Equal(own.Classes, around.Classes) ||
		!slices.Equal(own.Schema.Tokens, around.Schema.Tokens) ||
		(own.Schema.Tokens == nil) != (around.Schema.Tokens == nil) ||
		!maps.EqualFunc(own.Schema.TokensOf, around.Schema.TokensOf, slices.Equal) ||
		(own.Schema.TokensOf == nil) != (around.Schema.TokensOf == nil) ||
		own.Schema.AbsentValues != around.Schema.AbsentValues ||
		own.Schema.FirstIndex != around.Schema.FirstIndex {
		return false
	}
	columns := make([]int, len(own.Schema.Fields))
	all := len(columns) == len(around.Schema.Fields)
	place := make(map[string]int, len(around.Schema.Fields))
	for i := range around.Schema.Fields {
		place[around.Schema.Fields[i].Name] = i
	}
	for i := range columns {
		at, ok := place[own.Schema.Fields[i].Name]
		if !ok || !sameField(&own.Schema.Fields[i], &around.Schema.Fields[at]) {
			return false
		}
		columns[i], all = at, all && at == i
	}
	if !all {
		h.Columns = stored(columns)
	}
	h.Common, h.Plain, h.Classes, h.Schema.Fields, h.Schema.Tokens = true, plain, nil, nil, nil
	h.Schema.Of = nil
	h.Schema.Absent, h.Schema.First = "", ""
	return true
}

func sameField(f, g *data.Field) bool {
	return f.Kind == g.Kind && f.Format == g.Format && f.MadeAs(g) &&
		f.Missing == g.Missing && f.Unseen == g.Unseen && slices.Equal(f.Levels, g.Levels)
}

// sharedCost is what a shared field or class costs in time and memory, in bytes, when a member is
// checked.
const sharedCost = 128

// parseShared takes classes and schema from the model around.
func (h *header) parseShared(s *model.Spec, p *payload, around *model.Spec, b *budget) {
	if around == nil {
		p.corrupt(0, "has the columns of a model around it, and there is none")
	}
	b.take(sharedCost * int64(len(around.Schema.Fields)+len(around.Classes)))
	s.Schema = around.Schema
	if !h.Plain {
		s.Classes = around.Classes
	}
	if len(h.Columns) == 0 {
		return
	}
	columns := list[int](h.Columns, p, b)
	s.Schema.Fields = make([]data.Field, len(columns))
	for i, at := range columns {
		if at < 0 || at >= len(around.Schema.Fields) {
			p.corrupt(0, "has column %d of %d of the model around it", at,
				len(around.Schema.Fields))
		}
		s.Schema.Fields[i] = around.Schema.Fields[at]
	}
}
