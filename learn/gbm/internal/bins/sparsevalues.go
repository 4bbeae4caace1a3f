package bins

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// fillStored lists the rows of a column that are not in its most frequent bin, in proportion to
// what is stored, if the column is sparse in all blocks of a table. Of listed columns usual is that
// bin. It reports false, and lists none, for other columns and where that bin is not the one of the
// rows which are not stored.
func (s *sparse) fillStored(
	ctx context.Context, from data.RowSource, rows []int32, by *encoder,
) (bool, error) {
	var count [narrowCodes]int32
	var memory storedMemory
	usual, same := -1, true
	s.rows, s.bins = []int32{}, []uint8{}
	err := eachPart(ctx, from, rows, func(p part) bool {
		bin, sparse := by.absent(&p)
		if same = sparse && (usual < 0 || usual == bin); !same {
			return false
		}
		usual = bin
		at, stored := memory.read(&p, by)
		s.rows, s.bins = slices.Grow(s.rows, len(at)), slices.Grow(s.bins, len(at))
		for i, b := range stored {
			if count[b]++; int(b) != usual {
				s.rows, s.bins = append(s.rows, int32(p.at)+at[i]), append(s.bins, b)
			}
		}
		return true
	})
	if err == nil && same && usual >= 0 {
		count[usual] = int32(len(rows) - len(s.rows))
		if s.listed && s.usual == int32(usual) ||
			!s.listed && usual == slices.Index(count[:], slices.Max(count[:])) {
			s.usual = int32(usual)
			return true, nil
		}
	}
	s.rows, s.bins = nil, nil
	return false, err
}

// absent returns the bin of the rows that a column does not store. It reports false for a dense
// column.
func (e *encoder) absent(p *part) (bin int, sparse bool) {
	_, _, absent, sparse := p.Columns[e.column.Feature].Stored()
	if !sparse {
		return 0, false
	}
	var found [1]uint8
	codes(e.find, found[:], []float64{absent})
	return int(found[0]), true
}

// storedMemory is what the stored rows of a part are read into.
type storedMemory struct {
	at    []int32
	value []float64
	bins  []uint8
}

// read returns the places in a part of the rows that a column stores, and their bins.
func (m *storedMemory) read(p *part, by *encoder) (at []int32, bins []uint8) {
	c := &p.Columns[by.column.Feature]
	at, value, _, _ := c.Stored()
	if len(p.rows) != p.Rows() {
		m.at, m.value = c.AppendStored(m.at[:0], m.value[:0], p.rows)
		at, value = m.at, m.value
	}
	m.bins = slices.Grow(m.bins[:0], len(value))[:len(value)]
	codes(by.find, m.bins, value)
	return at, m.bins
}
