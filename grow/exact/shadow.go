package exact

import (
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// ErrUnshadowed is returned by Shadowed for a table that Prepare made ready.
var ErrUnshadowed = errors.New("shadow columns need a table prepared in frames")

// Shadowed returns the table with a shadow of every column behind its p columns: column p + j is column j with its rows in
// another order, the same for all columns. A shadow has the values of its column, and the columns have among each other
// what they had, but it knows nothing of the label. What a forest makes of the shadows is therefore what it makes of
// the number of values and of chance alone (Nembrini, König & Wright 2018). It takes as much memory as the table.
func (p *Prepared) Shadowed(seed uint64) (*Prepared, error) {
	if p.all == nil {
		return nil, ErrUnshadowed
	}
	order := rng.New(seed).Perm(len(p.rows))
	s := &Prepared{rows: p.rows, columns: slices.Clone(p.columns), all: &frame{columns: slices.Clone(p.all.columns)}}
	for i := range p.columns {
		c, f := p.columns[i], p.all.columns[i]
		c.num = nil // by frame row, for directions, which frames do not serve
		if c.kind == data.Categorical {
			c.code = reorder(c.code, order)
		} else {
			f.place = reorder(f.place, order)
		}
		s.columns, s.all.columns = append(s.columns, c), append(s.all.columns, f)
	}
	s.all.setRows(len(p.rows))
	return s, nil
}

func reorder(values []uint32, order []int32) []uint32 {
	out := make([]uint32, len(values))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}
