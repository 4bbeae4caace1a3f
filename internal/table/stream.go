package table

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// ErrStopped is what EndRow and EndRows return once nobody wants more tables of Stream.
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
	b.wanted = wanted
	if err := b.stream(pass); err != nil {
		return err
	}
	if err = add(b); err == nil {
		err = b.last()
	}
	if errors.Is(err, ErrStopped) {
		return nil
	}
	return err
}

// stream makes the builder pass its rows on, and forget them. last passes on the last ones.
func (b *Builder) stream(pass func(*data.RowBlock) bool) error {
	if o := b.options; o.Schema == nil || o.Also != nil || o.Optional != nil {
		return BadOption("the kinds of columns that no schema has depend on all rows")
	}
	b.full = &full{bytes: BlockSize(b.options), tables: true, do: func() error {
		t, err := b.block()
		if err == nil && !pass(t) {
			err = ErrStopped
		}
		b.forget(b.before + b.rows)
		return err
	}}
	return nil
}

// forget forgets where rows up to one come from, which is of the current file.
func (b *Builder) forget(next int) {
	b.lines = Lines{}
	b.lines.Begin(b.file, 0)
	b.base = next
	if n := len(b.partitions); n > 1 {
		b.partitions = b.partitions[n-1:]
	}
}

// leavesOut reports whether the next rows of the file, so many of them, are before those that
// wanted has. It counts them as read then. Behind all wanted rows it ends the reading.
func (b *Builder) leavesOut(n int) (bool, error) {
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
	b.first -= n
	b.forget(b.before)
	return true, nil
}

// full is what happens to rows that make a block.
type full struct {
	bytes  int64
	tables bool // it makes tables
	do     func() error
}

// InBlocks reports whether the builder does not keep the rows of the whole table.
func (b *Builder) InBlocks() bool { return b.full != nil }

// Scans reports whether the builder finds out what columns hold, and keeps no value.
func (b *Builder) Scans() bool { return b.full != nil && !b.full.tables }

// LateColumns reports that a column may begin in any row, so that one without values so far may
// still come.
func (b *Builder) LateColumns() { b.late = true }

// promise makes columns of missing values where columns that are needed may still begin.
func (b *Builder) promise() {
	if !b.late || b.promised != nil {
		return
	}
	b.promised = map[string]bool{}
	names := append([]string{}, b.options.Verbatim...)
	spare := set(b.options.Spare)
	for i := range b.options.Schema.Fields {
		if name := b.options.Schema.Fields[i].Source(); !spare[name] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if !b.Has(name) && !b.partitioned(name) {
			if _, err := b.add(name, Untyped); err == nil { // the limit is checked again
				b.promised[name] = true
			}
		}
	}
}

func (b *Builder) partitioned(name string) bool {
	for _, parts := range b.partitions {
		for _, p := range parts {
			if p.Key == name {
				return true
			}
		}
	}
	return false
}

// passOn passes the rows on if they make a block.
func (b *Builder) passOn() error {
	if !b.makesBlock(b.rows) {
		return nil
	}
	if b.full.tables {
		b.promise()
	}
	return b.flush()
}

// makesBlock reports whether a number of rows is passed on.
func (b *Builder) makesBlock(rows int) bool {
	if b.full == nil {
		return false
	}
	bytes := int64(rows) * max(b.width, 1)
	if b.full.tables {
		bytes += b.plan.account.texts
	} else { // a scan keeps the others
		bytes += b.plan.account.brief
	}
	return bytes >= b.full.bytes
}

// flush passes the rows on, however few they are.
func (b *Builder) flush() error {
	if b.plan.fault != nil {
		return b.fault(b.plan.faultRow - b.first + 1)
	}
	for _, c := range b.columns {
		pad(c, b.rows)
	}
	err := b.full.do()
	for _, c := range b.columns {
		c.Empty()
	}
	b.before += b.rows
	b.first -= b.rows
	b.rows = 0
	return err
}

// last passes on what is left of the rows. Errors are those of Table.
func (b *Builder) last() error {
	for name := range b.promised {
		return &data.ReadError{File: b.name, Err: data.ErrHeader,
			Msg: fmt.Sprintf("there is no column %q in any row", name)}
	}
	if b.rows == 0 && b.before > 0 {
		return nil
	}
	if err := b.filled(); err != nil {
		return err
	}
	return b.flush()
}

// block returns the table of the rows since the last one.
func (b *Builder) block() (*data.RowBlock, error) {
	plan := b.plan.Fork() // what the columns of folders take is taken once
	keys := plan.PartitionKeys(b.partitions, b.names())
	more, err := plan.PartitionColumns(keys, b.partitions, b.rows, &b.lines.Origin)
	if err != nil {
		return nil, err
	}
	if err := b.plan.Check(b.name, append(b.names(), keys...)); err != nil {
		return nil, err
	}
	t, err := AssembleBlock(b.options, append(b.columns[:len(b.columns):len(b.columns)], more...),
		b.rows, b.lines.Origin)
	if err == nil {
		t.First = b.before
	}
	return t, err
}
