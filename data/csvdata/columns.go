package csvdata

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// column is one column of the file. Its slices hold as many rows as its store has memory for and
// are filled by row number.
type column struct {
	table.Column
	fast  bool // numeric, and no more than ScanNumber has to look at a field
	again int  // the rows before it were read as numbers of what proved to be a categorical column
}

// check finds faults that need no file.
func (o *Options) check() error {
	switch {
	case o.Comma != 0 && !separates(o.Comma):
		return table.BadOption(fmt.Sprintf("%q cannot separate fields", o.Comma))
	case o.Comment != 0 && (o.Comment >= 0x80 || o.Comment <= ' ' || o.Comment == '"' ||
		o.Comment == o.Comma):
		return table.BadOption(fmt.Sprintf("%q cannot begin comments", o.Comment))
	case o.Skip < 0:
		return table.BadOption(fmt.Sprintf("%d lines cannot be skipped", o.Skip))
	}
	return table.CheckOptions(&o.ReadOptions)
}

// separates reports whether a character may separate fields.
func separates(c byte) bool {
	return !(c >= 0x80 || c != '\t' && c < ' ' || c == 0x7f || strings.IndexByte(`"+-._`, c) >= 0 ||
		'0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z')
}

// newColumns decides what to read of the columns with these names.
func (t *reading) newColumns(file string, names []string) error {
	t.plan = table.NewPlan(&t.options.ReadOptions, t.tokens)
	t.account = t.plan.Account()
	t.keys = t.plan.PartitionKeys(t.partitions, names)
	if err := t.plan.Check(file, slices.Concat(names, t.keys)); err != nil {
		return err
	}
	t.columns = make([]column, len(names))
	for i, n := range names {
		c := &t.columns[i]
		c.Column = t.plan.Column(n, table.Untyped)
		c.StoreFormat()
		if by := t.turned[n]; by != nil && c.Storage == table.Numbers {
			c.Turn(by)
		}
		// A token for missing that is a number can only be distinguished from a value by comparing
		// texts.
		c.fast = c.Storage == table.Numbers && c.Kept.Dict == nil && !c.Texts.Comparing() &&
			c.Texts.ReadsPlain()
	}
	return nil
}

// width returns how many bytes a row takes.
func (t *reading) width() int64 {
	n := int64(0)
	for j := range t.columns {
		n += t.columns[j].Width()
	}
	return n
}

// grow allocates memory for a number of rows.
func (c *column) grow(rows int) {
	switch c.Storage {
	case table.Numbers:
		c.Num = extend(c.Num, rows)
	case table.Codes:
		c.Code = extend(c.Code, rows)
	}
	if c.Kept.Dict != nil {
		c.Kept.Codes = extend(c.Kept.Codes, rows)
	}
}

func extend[T any](values []T, rows int) []T {
	longer := hugepage.Slice[T](rows)
	copy(longer, values)
	return longer
}

// turn makes a categorical column, with memory for a number of rows, of one that was read as
// numbers until row, because of a text in that row.
func (c *column) turn(row, capacity int, by *table.Turn) {
	c.Turn(by)
	c.Code, c.fast, c.again = make([]uint32, capacity), false, row
}

// readAgain gives their codes to the rows that late categorical columns took for numbers.
func (t *reading) readAgain(ctx context.Context, sources []source.Source, block int) error {
	again := &reading{store: store{options: t.options, capacity: t.capacity}, tokens: t.tokens,
		first: t.first, header: t.header, account: t.account, plan: t.plan}
	again.columns = make([]column, len(t.columns))
	for j := range t.columns {
		if c := &t.columns[j]; c.again > 0 {
			again.columns[j].Column = table.Column{Field: c.Field, Storage: table.Codes,
				Code: c.Code, Dict: c.Dict}
			again.until = max(again.until, c.again)
		}
	}
	if again.until == 0 {
		return nil
	}
	if err := again.readAll(ctx, sources, block); err != nil {
		return err
	}
	if again.rows < again.until {
		return &data.ReadError{File: sources[0].Name, Msg: "the file changed while it was read",
			Err: io.ErrUnexpectedEOF}
	}
	return nil
}

// finish makes the table.
func (t *reading) finish() (*data.RowBlock, error) {
	t.countUnnamed()
	t.leaveOut()
	more, err := t.plan.PartitionColumns(t.keys, t.partitions, t.rows, &t.origin.Origin)
	if err != nil {
		return nil, err
	}
	return table.Assemble(&t.options.ReadOptions, append(t.dense(), more...), t.rows, t.origin.Origin)
}
