package exact

import (
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// ErrUnshadowed is returned by Shadowed for a table that Prepare made ready.
var ErrUnshadowed = errors.New("shadow columns need a table prepared in frames")

// Shadowed returns the table with a shadow of every column behind its p columns: column p + j is
// column j with its rows in another order, the same for all columns. A shadow has the values of its
// column, and the columns have among each other what they had, but it knows nothing of the label.
// What a forest makes of the shadows is therefore what it makes of the number of values and of
// chance alone (Nembrini, König & Wright 2018). It takes as much memory as the table.
func (p *Prepared) Shadowed(seed uint64) (*Prepared, error) {
	if !p.shared() {
		return nil, ErrUnshadowed
	}
	order := rng.New(seed).Perm(len(p.rows))
	s := &Prepared{rows: p.rows, columns: slices.Clone(p.columns)}
	for _, c := range p.columns {
		if c.kind == data.Categorical {
			c.code, c.few = reorder(c.code, order), reorder(c.few, order)
		} else if p.all != nil {
			num := make([]float64, len(c.num)) // by frame row
			for i, from := range order {
				num[p.rows[i]] = c.num[p.rows[from]]
			}
			c.num, c.few = num, reorder(c.few, order)
		}
		s.columns = append(s.columns, c)
	}
	if p.numbers != nil {
		s.numbers = &numbers{columns: slices.Clone(p.numbers.columns)}
		for _, c := range p.numbers.columns {
			s.numbers.columns = append(s.numbers.columns, reorder(c, order))
		}
		s.numbers.setRows(len(p.rows))
		return s, nil
	}
	s.all = &rankStore{columns: slices.Clone(p.all.columns)}
	for _, c := range p.all.columns {
		s.all.columns = append(s.all.columns, c.reordered(order))
	}
	s.all.join()
	return s, nil
}

// reorder returns values in another order, nil of nil.
func reorder[T any](values []T, order []int32) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(values))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}
