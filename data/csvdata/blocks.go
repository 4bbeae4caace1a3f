package csvdata

import (
	"bytes"
	"context"
	"io"
	"iter"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/source"
)

// segmentBlocks is how many blocks of text make a block of rows: about 16 MB of text. Under a low
// limit of memory they are fewer.
const segmentBlocks = 32

func (o *Options) segmentBlocks() int {
	const share = 16 // of the limit: values take a few times as much as their text
	return int(min(segmentBlocks, max(1, o.Memory.Bytes()/share/blockSize)))
}

// Blocks is a table that is read in blocks of rows, again for every pass over it, so that it need
// not be in memory. It is a data.RowSource. The columns are those of ReadTable, their kinds and
// dictionaries included, for which all rows were read once. In memory there are the dictionaries,
// and 4 bytes for each row where a row takes several lines.
type Blocks struct {
	options Options // with the schema
	sources []source.Source
	rows    int
	origin  data.Origin
	names   []string // of all columns
	segment int
	block   int
}

// OpenBlocks reads the files once, for the kinds of columns, their dictionaries and the number of
// rows. Where a column turns out to hold texts behind the first rows, they are read twice. Options
// and errors are those of ReadTable; Verbatim is refused.
func OpenBlocks(ctx context.Context, o Options, paths ...string) (*Blocks, error) {
	sources, err := source.All(ctx, &o.Options, paths, Suffixes)
	if err != nil {
		return nil, err
	}
	return o.openBlocks(ctx, sources, blockSize, o.segmentBlocks())
}

func (o *Options) openBlocks(
	ctx context.Context, sources []source.Source, block, segment int,
) (*Blocks, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Verbatim != nil {
		return nil, table.BadOption("no texts are kept of a table that is read in blocks")
	}
	for i := range sources {
		sources[i].Encoding = o.Encoding
	}
	if err := refusePartitions(sources); err != nil {
		return nil, err
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
		return nil, &table.Error{File: sources[0].Name, Msg: "no rows below the header",
			Err: table.ErrEmpty}
	}
	for j := range t.columns {
		if c := &t.columns[j]; c.Storage == table.Codes {
			c.SetCounts(&s.counts[j])
		}
		t.columns[j].Empty()
	}
	t.rows = 0
	made, err := t.finish()
	if err != nil {
		return nil, err
	}
	b := &Blocks{options: *o, sources: sources, rows: t.before, origin: t.origin.Origin,
		names: made.Columns, segment: segment, block: block}
	b.options.Schema = &made.Frame.Schema
	b.options.Numeric, b.options.Categorical, b.options.Dates = nil, nil, nil
	b.options.Ignore, b.options.AllCategorical, b.options.Also = nil, false, nil
	b.options.Formats, b.options.Log = nil, nil
	return b, nil
}

// refusePartitions returns an error if folders make columns: the blocks of a file have its own
// ones.
func refusePartitions(sources []source.Source) error {
	for i := range sources {
		if sources[i].Partitions != nil {
			return &table.Error{File: sources[i].Name, Err: table.ErrOption,
				Msg: "folders key=value make columns, which are not read in blocks: raise --memory"}
		}
	}
	return nil
}

// Schema returns the columns.
func (b *Blocks) Schema() *data.Schema { return b.options.Schema }

// Fields implements data.RowSource.
func (b *Blocks) Fields() []data.Field { return b.options.Schema.Fields }

// Rows implements data.RowSource.
func (b *Blocks) Rows() int { return b.rows }

// Names returns the names of all columns of the file, those that are not read among them.
func (b *Blocks) Names() []string { return b.names }

// Origin returns where the rows come from.
func (b *Blocks) Origin() *data.Origin { return &b.origin }

// Locate implements data.RowSource.
func (b *Blocks) Locate(row int) string { return b.origin.Locate(row) }

// Blocks implements data.RowSource.
func (b *Blocks) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		first := 0
		for t, err := range b.options.tables(ctx, b.sources, b.block, b.segment) {
			if err != nil {
				yield(data.RowBlock{}, err)
				return
			}
			if !yield(data.RowBlock{Frame: t.Frame, First: first}, nil) {
				return
			}
			first += t.Frame.Rows()
		}
		if first != b.rows {
			yield(data.RowBlock{}, b.changed())
		}
	}
}

func (b *Blocks) changed() error {
	return &table.Error{File: b.sources[0].Name, Msg: "the file changed while it was read",
		Err: io.ErrUnexpectedEOF}
}

// Tables reads the tables of files as consecutive tables of some rows, which together are what
// ReadTable returns. Options.Schema decides on all columns that are read, but for verbatim ones.
// Errors are those of ReadTable; the first one is the last that is yielded.
func Tables(ctx context.Context, o Options, paths ...string) iter.Seq2[*table.Table, error] {
	return func(yield func(*table.Table, error) bool) {
		sources, err := source.All(ctx, &o.Options, paths, Suffixes)
		if err == nil {
			err = o.check()
		}
		if err == nil {
			err = refusePartitions(sources)
		}
		if err == nil && (o.Schema == nil || o.Also != nil) {
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
			columns := make([]*table.Column, len(s.t.columns))
			for j := range s.t.columns {
				columns[j] = &s.t.columns[j].Column
			}
			origin := s.t.origin.Between(s.t.before, s.t.before+s.t.rows)
			made, err := table.Assemble(&o.Options, columns, s.t.rows, origin)
			if err != nil {
				return false, err
			}
			more := yield(made, nil)
			for j := range s.t.columns {
				s.t.columns[j].Empty()
			}
			s.t.capacity = 0
			return more, nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// segments is a table of which the rows of some blocks of text are in memory at a time.
type segments struct {
	t       *reading
	sources []source.Source
	block   int // bytes of text
	segment int // blocks of text
}

func (o *Options) segments(sources []source.Source, block, segment int) *segments {
	t := &reading{store: store{options: o}, tokens: o.Tokens(table.DefaultMissing),
		until: math.MaxInt, hint: 1 << 10}
	for i := range sources {
		t.size += sources[i].Size
	}
	return &segments{t, sources, block, segment}
}

// each reads the table and calls f for each segment, until it returns false.
func (s *segments) each(ctx context.Context, f func() (bool, error)) error {
	c := s.t.cutter(ctx, s.sources, s.block)
	defer c.close()
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
			if c.Storage == table.Codes {
				s.counts[j].Add(c.Code[:t.rows], t.before)
			}
			if c.Field.Kind == data.Date {
				c.Empty() // dates are many, and nothing depends on them
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
	sources, err := source.All(ctx, &o.Options, paths, Suffixes)
	if err != nil {
		return 0, 0, err
	}
	s := o.segments(sources, blockSize, 1)
	c := s.t.cutter(ctx, sources, blockSize)
	defer c.close()
	b := c.next(nil)
	if b.err != nil {
		return 0, 0, b.err
	}
	lines := int64(bytes.Count(b.buf[:b.limit], []byte{'\n'}))
	return int64(float64(lines) * float64(s.t.size) / float64(max(1, b.stored))),
		int64(len(b.header)), nil
}
