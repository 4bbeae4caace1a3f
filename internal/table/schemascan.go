package table

import (
	"maps"

	"github.com/coppice-ml/coppice/data"
)

// Find finds out what the rows that a function adds to a builder hold, without keeping them. It
// returns their table without rows, and their number. Where a column turns out to be categorical
// behind rows that were taken for numbers, it calls the function again, for the same rows.
func Find(
	o *data.ReadOptions, tokens []string, add func(*Builder) error,
) (found *data.RowBlock, rows int, err error) {
	var s *scan
	var late map[string]*Turn
	for again := true; again; again = late != nil {
		b, err := NewBuilder(o, tokens)
		if err != nil {
			return nil, 0, err
		}
		s = newScan(b, late)
		if err := add(b); err != nil {
			return nil, 0, err
		}
		if err := b.last(); err != nil {
			return nil, 0, err
		}
		late = s.again()
	}
	return s.found()
}

// scan finds out what columns hold without keeping their rows.
type scan struct {
	b      *Builder
	counts map[*Column]*Counts
	turned map[string]*Turn // columns that are categorical from the first row on
	late   map[string]*Turn // those that turned behind rows that were taken for numbers
}

// newScan makes a builder forget its rows, of which found returns the columns. turned are columns
// that again found in an earlier pass over the same rows.
func newScan(b *Builder, turned map[string]*Turn) *scan {
	s := &scan{b: b, counts: map[*Column]*Counts{}, turned: map[string]*Turn{}}
	maps.Copy(s.turned, turned)
	b.turned = turned
	b.full = &full{bytes: BlockSize(b.options), do: func() error {
		for _, c := range b.columns {
			s.add(c)
		}
		return nil
	}}
	return s
}

// add counts the texts of a block of a column.
func (s *scan) add(c *Column) {
	switch {
	case c.Turned == nil || s.turned[c.Field.Name] != nil:
	case s.b.before == 0 && c.Turned.first:
		s.turned[c.Field.Name] = c.Turned // from the first row on
	case s.b.before > 0:
		if s.late == nil {
			s.late = map[string]*Turn{}
		}
		s.late[c.Field.Name] = c.Turned
	}
	if c.Storage == Codes && c.Field.Kind != data.Date && c.Field.Kind != data.Text {
		if s.counts[c] == nil {
			s.counts[c] = new(Counts)
		}
		s.counts[c].Add(c.Code, s.b.before)
	}
	c.start.before += s.b.rows
}

// again returns, if there are any, the columns that proved to be categorical behind rows of which
// nobody has the texts any more. The rows are to be scanned again, by a builder that knows them.
func (s *scan) again() map[string]*Turn {
	if s.late == nil {
		return nil
	}
	for name, by := range s.turned {
		s.late[name] = by
	}
	return s.late
}

// found returns the table without its rows, and their number, after last.
func (s *scan) found() (*data.RowBlock, int, error) {
	b := s.b
	keys := b.plan.PartitionKeys(b.files.partitions, b.columns.names())
	if err := b.plan.Check(b.files.first, append(b.columns.names(), keys...)); err != nil {
		return nil, 0, err
	}
	for c, n := range s.counts {
		c.SetCounts(n)
	}
	more, err := b.plan.PartitionKinds(keys, b.files.partitions, b.before, &b.files.lines.Origin)
	if err != nil {
		return nil, 0, err
	}
	b.report(b.options)
	t, err := Assemble(b.options, append(b.columns, more...), 0, b.files.lines.Origin)
	if err != nil {
		return nil, 0, err
	}
	b.state(t)
	return t, b.before, nil
}
