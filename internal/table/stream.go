package table

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// ErrStopped is what EndRow and ReadGroups return once nobody wants more tables of Stream.
var ErrStopped = errors.New("table: no more rows are needed")

// PassOn passes the rows that a function adds to a builder on in tables of about
// ReadOptions.BlockSize bytes: those that are wanted, or all for nil. ReadOptions.Schema decides on
// all columns but verbatim ones. pass returns false to end the reading.
func PassOn(
	o *data.ReadOptions, tokens []string, wanted *data.Region, pass func(*data.RowBlock) bool,
	add func(*Builder) error,
) error {
	b, err := NewBuilder(o, tokens)
	if err != nil {
		return err
	}
	if o.Schema == nil || o.NewLevels || o.Also != nil || o.Optional != nil {
		return BadOption("the kinds of columns that no schema has depend on all rows")
	}
	b.wanted = wanted
	b.full = &full{bytes: BlockSize(o), tables: true, do: stream{b, pass}.passOn}
	if err = add(b); err == nil {
		err = b.last()
	}
	if errors.Is(err, ErrStopped) {
		return nil
	}
	return err
}

// stream passes the rows of a builder on, which then forgets them.
type stream struct {
	b    *Builder
	pass func(*data.RowBlock) bool // false: it wants no more
}

// passOn passes the rows on that the builder has.
func (s stream) passOn() error {
	t, err := s.block()
	if err == nil && !s.pass(t) {
		err = ErrStopped
	}
	s.b.files.forget(s.b.before + s.b.rows)
	return err
}

// block returns the table of the rows since the last one.
func (s stream) block() (*data.RowBlock, error) {
	b := s.b
	plan := b.plan.Fork() // what the columns of folders take is taken once
	keys := plan.PartitionKeys(b.files.partitions, b.columns.names())
	more, err := plan.PartitionColumns(keys, b.files.partitions, b.rows, &b.files.lines.Origin)
	if err != nil {
		return nil, err
	}
	if err := b.plan.Check(b.files.first, append(b.columns.names(), keys...)); err != nil {
		return nil, err
	}
	t, err := AssembleBlock(b.options, append(b.columns[:len(b.columns):len(b.columns)], more...),
		b.rows, b.files.lines.Origin)
	if err != nil {
		return nil, err
	}
	t.First = b.before
	b.state(t)
	return t, nil
}

// leavesOut reports whether the next rows of the file, so many of them, are before those that
// wanted has. It counts them as read then. Behind all wanted rows it ends the reading.
func leavesOut(b *Builder, n int) (bool, error) {
	w, at := b.wanted, b.before+b.rows
	if w == nil || at+n > w.From && at < w.To {
		return false, nil
	}
	if at >= w.To {
		if b.rows > 0 {
			if err := b.flush(); err != nil {
				return false, err
			}
		}
		return false, ErrStopped
	}
	b.before += n
	b.files.forget(b.before)
	return true, nil
}

// full is what happens to rows that make a block.
type full struct {
	bytes  int64
	tables bool // it makes tables
	do     func() error
}

// made reports whether a number of rows makes a block of a table.
func (f *full) made(rows int, of *Size) bool {
	if f == nil {
		return false
	}
	bytes := int64(rows)*max(of.width, 1) + storedBytes*int64(of.stored)
	if f.tables {
		bytes += of.account.texts
	} else { // a scan keeps the others
		bytes += of.account.brief
	}
	return bytes >= f.bytes
}

// mayBeMade reports whether the texts of some rows may make a block. Nobody knows what they take
// before they are read: each counts as one of no length that no other row has.
func (f *full) mayBeMade(rows int, of columns) bool {
	if f == nil {
		return false
	}
	columns := int64(0)
	for _, c := range of {
		if c.Dict != nil && c.Dict.brief {
			columns++
		}
		if c.Kept.Dict != nil {
			columns++
		}
	}
	return int64(rows)*columns*levelBytes >= f.bytes
}

// InBlocks reports whether the builder does not keep the rows of the whole table.
func (b *Builder) InBlocks() bool { return b.full != nil }

// Scans reports whether the builder finds out what columns hold, and keeps no value.
func (b *Builder) Scans() bool { return b.full != nil && !b.full.tables }

// passOn passes the rows on if they make a block.
func (b *Builder) passOn() error {
	if !b.full.made(b.rows, &b.Size) {
		return nil
	}
	if b.full.tables {
		promise(b)
	}
	return b.flush()
}

// flush passes the rows on, however few they are.
func (b *Builder) flush() error {
	if b.plan.fault != nil {
		return b.files.fault(b.plan.fault, b.files.line(b.before+b.plan.faultRow))
	}
	if err := b.complete(); err != nil {
		return err
	}
	err := b.full.do()
	b.Size.release()
	for _, c := range b.columns {
		c.Empty()
	}
	b.before += b.rows
	b.rows = 0
	return err
}

// last passes on what is left of the rows. Errors are those of Table.
func (b *Builder) last() error {
	for _, name := range slices.Sorted(maps.Keys(b.Late.promised)) {
		return &data.ReadError{File: b.files.first, Err: data.ErrHeader,
			Msg: fmt.Sprintf("there is no column %q in any row", name)}
	}
	if b.rows > 0 || b.before == 0 {
		if err := filled(b); err != nil {
			return err
		}
		if err := b.flush(); err != nil {
			return err
		}
	}
	if !b.Scans() { // whose rows may be scanned again
		b.report(b.options)
	}
	return nil
}
