package native

import (
	"github.com/coppice-ml/coppice/data"
)

// texts is the section of dictionaries: the levels of all fields, one after the other, without
// separators. They are not in the JSON header because they may be many, and need not be UTF-8. The
// header reports how many belong to each field.
type texts struct {
	size  []uint32 // bytes of each text
	bytes []uint8
}

func (t *texts) arrays() []array {
	return []array{
		whole("size", required, &t.size),
		whole("bytes", required, &t.bytes),
	}
}

// newTexts collects the dictionaries of a schema.
func newTexts(s *data.Schema) *texts {
	t := &texts{}
	for i := range s.Fields {
		for _, l := range s.Fields[i].Levels {
			t.size = append(t.size, uint32(len(l)))
			t.bytes = append(t.bytes, l...)
		}
	}
	return t
}

// textCost is the memory of one dictionary text: its string header and its place in the map that
// finds duplicates.
const textCost = 96

// parseTexts fills the dictionaries of a schema, levels[i] texts for field i. A nil payload holds
// no text.
func parseTexts(p *payload, s *data.Schema, levels []int, b *budget) {
	t := &texts{}
	if p == nil {
		p = &payload{name: "texts", data: make([]byte, tableHeadSize)}
	}
	p.loadAll(t.arrays())
	b.take(textCost*int64(len(t.size)) + int64(len(t.bytes)))
	all := string(t.bytes) // one allocation; every level is a part of it
	for i, n := range levels {
		if n < 0 || n > len(t.size) {
			p.corrupt(0, "column %q has %d levels, %d texts are left", s.Fields[i].Name,
				n, len(t.size))
		}
		if n == 0 {
			continue
		}
		own := make([]string, n)
		for k, size := range t.size[:n] {
			if uint64(size) > uint64(len(all)) {
				p.corrupt(0, "column %q: a text of %d bytes, %d are left", s.Fields[i].Name,
					size, len(all))
			}
			own[k], all = all[:size], all[size:]
		}
		s.Fields[i].Levels, t.size = own, t.size[n:]
	}
	if len(t.size) > 0 || len(all) > 0 {
		p.corrupt(0, "%d texts and %d bytes belong to no column", len(t.size), len(all))
	}
}
