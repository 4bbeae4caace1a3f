package csvdata

import (
	"bytes"
	"context"
	"iter"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// segmentBlocks is how many blocks of text make a block of rows.
func (o *Options) segmentBlocks() int { return int(max(1, table.BlockSize(&o.ReadOptions)/blockSize)) }

// OpenBlocks reads the files once, for the kinds of columns, their dictionaries and the number of
// rows. Where a column turns out to hold texts behind the first rows, they are read twice. Options
// and errors are those of ReadTable; Verbatim is refused.
func OpenBlocks(ctx context.Context, o Options, paths ...string) (*table.Blocks, error) {
	sources, err := source.All(ctx, &o.ReadOptions, paths, Suffixes)
	if err != nil {
		return nil, err
	}
	return o.openBlocks(ctx, sources, blockSize, o.segmentBlocks())
}

func (o *Options) openBlocks(
	ctx context.Context, sources []source.Source, block, segment int,
) (*table.Blocks, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := table.CheckBlocks(&o.ReadOptions); err != nil {
		return nil, err
	}
	for i := range sources {
		sources[i].Encoding = o.Encoding
	}
	var s *scan
	turned := map[string]*table.Turn{}
	for again := true; again; {
		s = &scan{segments: o.segments(sources, block, segment)}
		s.t.turned = turned
		if err := s.run(ctx); err != nil {
			return nil, err
		}
		again = len(s.late) > 0
		for name, by := range s.late {
			turned[name] = by
		}
	}
	t := s.t
	if t.before == 0 {
		return nil, &data.ReadError{File: sources[0].Name, Msg: "no rows below the header",
			Err: data.ErrEmpty}
	}
	for j := range t.columns {
		if c := &t.columns[j]; c.Storage == table.Codes && c.Field.Kind != data.Text {
			c.SetCounts(&s.counts[j])
		}
		t.columns[j].Empty()
	}
	found, err := t.found()
	if err != nil {
		return nil, err
	}
	return table.NewBlocks(&o.ReadOptions, t.tokens, found, t.before,
		func(ctx context.Context, common *data.ReadOptions, _ *data.Region) iter.Seq2[*table.Table, error] {
			own := *o
			own.ReadOptions = *common
			return own.tables(ctx, sources, block, segment)
		}), nil
}

// found returns the table without its rows.
func (t *reading) found() (*table.Table, error) {
	more, err := t.plan.PartitionKinds(t.keys, t.partitions, t.before, &t.origin.Origin)
	if err != nil {
		return nil, err
	}
	return table.Assemble(&t.options.ReadOptions, append(t.dense(), more...), 0, t.origin.Origin)
}

// dense returns the columns of the files.
func (t *reading) dense() []*table.Column {
	columns := make([]*table.Column, len(t.columns))
	for j := range t.columns {
		columns[j] = &t.columns[j].Column
	}
	return columns
}

// Tables reads the tables of files as consecutive tables of some rows, which together are what
// ReadTable returns. Options.Schema decides on all columns that are read, but for verbatim ones.
// Errors are those of ReadTable; the first one is the last that is yielded. Standard input is not
// held in memory.
func Tables(ctx context.Context, o Options, paths ...string) iter.Seq2[*table.Table, error] {
	return func(yield func(*table.Table, error) bool) {
		sources, err := source.AllOnce(ctx, &o.ReadOptions, paths, Suffixes)
		if err == nil {
			err = o.check()
		}
		if err == nil && (o.Schema == nil || o.Also != nil || o.Optional != nil) {
			err = table.BadOption("the kinds of columns that no schema has depend on all rows")
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range sources {
			sources[i].Encoding = o.Encoding
		}
		for t, err := range o.tables(ctx, sources, blockSize, o.segmentBlocks()) {
			if !yield(t, err) {
				return
			}
		}
	}
}

// tables yields the tables of segments.
func (o *Options) tables(
	ctx context.Context, sources []source.Source, block, segment int,
) iter.Seq2[*table.Table, error] {
	return func(yield func(*table.Table, error) bool) {
		s := o.segments(sources, block, segment)
		err := s.each(ctx, func() (bool, error) {
			made, err := s.t.block()
			if err != nil {
				return false, err
			}
			more := yield(made, nil)
			for j := range s.t.columns {
				s.t.columns[j].Empty()
			}
			s.t.capacity = 0
			s.t.forgetOrigin()
			return more, nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// block returns the table of the rows that are in memory.
func (t *reading) block() (*table.Table, error) {
	from := t.before - t.unplaced
	origin, first := t.origin.Between(from, from+t.rows)
	first += t.left
	columns := t.dense()
	if len(t.keys) > 0 {
		parts := t.partitions[first : first+len(origin.Files)]
		more, err := t.plan.Fork().PartitionColumns(t.keys, parts, t.rows, &origin)
		if err != nil {
			return nil, err
		}
		columns = append(columns, more...)
	}
	return table.AssembleBlock(&t.options.ReadOptions, columns, t.rows, origin)
}

// forgetOrigin forgets where the rows so far come from.
func (t *reading) forgetOrigin() {
	last := len(t.origin.Files) - 1
	name := t.origin.Files[last]
	t.origin = table.Lines{}
	t.origin.Begin(name, 0)
	t.unplaced, t.left = t.before+t.rows, t.left+last
}

// segments is a table of which the rows of some blocks of text are in memory at a time.
type segments struct {
	t       *reading
	sources []source.Source
	block   int // bytes of text
	segment int // blocks of text
}

func (o *Options) segments(sources []source.Source, block, segment int) *segments {
	t := &reading{store: store{options: o}, tokens: table.Tokens(&o.ReadOptions, data.DefaultMissing),
		until: math.MaxInt, hint: 1 << 10}
	for i := range sources {
		t.size += sources[i].Size
		t.partitions = append(t.partitions, sources[i].Partitions)
	}
	return &segments{t, sources, block, segment}
}

// each reads the table and calls f for each segment, until it returns false.
func (s *segments) each(ctx context.Context, f func() (bool, error)) error {
	c := s.t.cutter(ctx, s.sources, s.block)
	defer c.end()
	for !c.over() {
		c.pause = c.number + s.segment
		if err := s.t.readFrom(c); err != nil {
			return err
		}
		if s.t.rows == 0 {
			continue
		}
		s.t.hint = s.t.rows + s.t.rows/16 + 16
		more, err := f()
		if err != nil || !more {
			return err
		}
		s.t.before += s.t.rows
		s.t.rows = 0
	}
	return nil
}

// scan is the pass that finds out what columns hold.
type scan struct {
	*segments
	counts []table.Counts
	// columns that turned categorical behind rows that were taken for numbers
	late map[string]*table.Turn
}

func (s *scan) run(ctx context.Context) error {
	return s.each(ctx, func() (bool, error) {
		t := s.t
		if s.counts == nil {
			s.counts = make([]table.Counts, len(t.columns))
		}
		for j := range t.columns {
			c := &t.columns[j]
			if c.Turned != nil && t.turned[c.Field.Name] == nil && (c.again > 0 || t.before > 0) {
				if s.late == nil {
					s.late = map[string]*table.Turn{}
				}
				s.late[c.Field.Name] = c.Turned
			}
			c.again = 0
			if c.Storage == table.Codes && c.Field.Kind != data.Text {
				s.counts[j].Add(c.Code[:t.rows], t.before)
			}
			if c.Field.Kind == data.Date || c.Field.Kind == data.Text {
				c.Empty() // they are many, and nothing depends on them
				t.capacity = 0
			}
		}
		if t.capacity == 0 {
			for j := range t.columns {
				t.columns[j].Num, t.columns[j].Code = nil, nil
			}
		}
		return true, nil
	})
}

// Estimate returns about how many rows and columns the files have together, by the first block of
// the first one. Errors are those of ReadTable.
func Estimate(ctx context.Context, o Options, paths ...string) (rows, columns int64, err error) {
	sources, err := source.All(ctx, &o.ReadOptions, paths, Suffixes)
	if err != nil {
		return 0, 0, err
	}
	s := o.segments(sources, blockSize, 1)
	c := s.t.cutter(ctx, sources, blockSize)
	defer c.end()
	b := c.next(nil)
	if b.err != nil {
		return 0, 0, b.err
	}
	lines := int64(bytes.Count(b.buf[:b.limit], []byte{'\n'}))
	return int64(float64(lines) * float64(s.t.size) / float64(max(1, b.stored))),
		int64(len(b.header)), nil
}
