package csvdata

import (
	"bytes"
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// blocks reads the files once, or twice, and returns the features of which segments of so many
// blocks of bytes are read at a time.
func (o *Options) blocks(
	ctx context.Context, sources []source.Source, block, segment int,
) (data.Features, error) {
	if err := o.check(); err != nil {
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
		return nil, &data.ReadError{File: sources[0].Name, Msg: "no rows below the header",
			Err: data.ErrEmpty}
	}
	for j := range t.columns {
		if c := &t.columns[j]; c.Storage == table.Codes && c.Field.Kind != data.Text {
			c.SetCounts(&s.counts[j])
		}
		t.columns[j].Empty()
	}
	t.leaveOut()
	found, err := t.found()
	if err != nil {
		return nil, err
	}
	return table.Blocks(&o.ReadOptions, t.tokens, found, t.before, func(
		ctx context.Context, common *data.ReadOptions, _ *data.Region,
		pass func(*data.RowBlock) bool,
	) error {
		own := *o
		own.ReadOptions = *common
		return own.segments(sources, block, segment).pass(ctx, pass)
	}), nil
}

// found returns the table without its rows.
func (t *reading) found() (*data.RowBlock, error) {
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

// stream passes the table on in segments.
func (o *Options) stream(
	ctx context.Context, sources []source.Source, block, segment int,
	pass func(*data.RowBlock) bool,
) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.Schema == nil || o.NewLevels || o.Also != nil || o.Optional != nil {
		return table.BadOption("the kinds of columns that no schema has depend on all rows")
	}
	return o.segments(sources, block, segment).pass(ctx, pass)
}

// pass passes the rows of each segment on, until pass returns false.
func (s *segments) pass(ctx context.Context, pass func(*data.RowBlock) bool) error {
	return s.each(ctx, func() (bool, error) {
		made, err := s.t.block()
		if err != nil {
			return false, err
		}
		more := pass(made)
		for j := range s.t.columns {
			s.t.columns[j].Empty()
		}
		s.t.capacity = 0
		s.t.forgetOrigin()
		return more, nil
	})
}

// block returns the table of the rows that are in memory.
func (t *reading) block() (*data.RowBlock, error) {
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
	made, err := table.AssembleBlock(&t.options.ReadOptions, columns, t.rows, origin)
	if err == nil {
		made.First = t.before
	}
	return made, err
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
		t.countUnnamed()
		if s.counts == nil {
			s.counts = make([]table.Counts, len(t.columns))
		}
		for j := range t.columns {
			c := &t.columns[j]
			switch {
			case c.Turned == nil || t.turned[c.Field.Name] != nil:
			case c.again == 0 && t.before == 0:
				t.turned[c.Field.Name] = c.Turned // from the first row on
			default:
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

// estimate returns about how many rows and columns a file has, by its first block.
func (o *Options) estimate(
	ctx context.Context, from *source.Source, block int,
) (rows, columns int64, err error) {
	s := o.segments([]source.Source{*from}, block, 1)
	c := s.t.cutter(ctx, s.sources, block)
	defer c.end()
	b := c.next(nil)
	if b.err != nil {
		return 0, 0, b.err
	}
	lines := int64(bytes.Count(b.buf[:b.limit], []byte{'\n'}))
	return int64(float64(lines) * float64(s.t.size) / float64(max(1, b.stored))),
		int64(len(b.header.Names)), nil
}
