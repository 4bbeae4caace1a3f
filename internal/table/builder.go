package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// Builder collects a table from one or several files, row by row or column by column.
//
//	b.Begin("a.jsonl")                    a file
//	b.Column("x", Untyped)                its columns, the same ones for each file
//	c.AppendNumber(1) ... b.EndRow(7)     a row, which begins on line 7
//	b.ReadGroups(groups)                  or many rows, column after column
//	b.Table()                             all of it
//
// A column that gets no value in a row is missing there. What is wrong with a value is reported by
// EndRow or ReadGroups.
type Builder struct {
	// Size counts what readers hold beside the values of columns.
	Size Size

	options *data.ReadOptions
	plan    *Plan
	columns columns
	byName  map[string]*Column
	files   files
	rows    int

	full   *full        // nil: all rows are kept
	spill  *spill       // where rows go that memory does not hold; nil: nowhere
	wanted *data.Region // rows that are passed on; nil: all
	before int          // rows that are not kept, and come before the others
	turned map[string]*Turn

	Late Late
	fill func() error // called before the rows are a block; nil: columns have their values

	Statements
}

// columns are those of a table, in the order of their first file.
type columns []*Column

// names returns those of all columns.
func (all columns) names() []string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Field.Name
	}
	return names
}

// pad appends missing values up to a number of rows.
func (all columns) pad(rows int) {
	for _, c := range all {
		pad(c, rows)
	}
}

// NewBuilder returns a builder of no rows, or what is wrong with the options. The tokens mean a
// missing value (see ReadOptions.Tokens).
func NewBuilder(o *data.ReadOptions, tokens []string) (*Builder, error) {
	if err := CheckOptions(o); err != nil {
		return nil, err
	}
	b := &Builder{options: o, plan: NewPlan(o, tokens), byName: map[string]*Column{}}
	if b.Size = (Size{account: &b.plan.account, most: o.MaxValues}); b.Size.most == 0 {
		b.Size.most = defaultMaxValues
	}
	return b, nil
}

// Begin starts a file: what follows comes from it. All its rows have the values that stand in the
// names of its folders.
func (b *Builder) Begin(file string, parts []Partition) {
	b.files.begin(file, parts, b.before+b.rows)
}

// File returns the name of the current file.
func (b *Builder) File() string { return b.files.current }

// Column returns the column of a name, with a value for every row so far. Its place in the file's
// order is that of the first call. It is an error if the column had another type in an earlier
// file.
func (b *Builder) Column(name string, typed Type) (*Column, error) {
	c := b.byName[name]
	delete(b.Late.promised, name)
	if c == nil {
		var err error
		if c, err = b.add(name, typed); err != nil {
			return nil, err
		}
	}
	if c.Type != typed {
		return nil, &data.ReadError{File: b.File(), Column: name, Err: data.ErrHeader,
			Msg: fmt.Sprintf("holds %s, in %s it holds %s", typed, b.files.first, c.Type)}
	}
	pad(c, b.rows)
	return c, nil
}

// add makes a column without values, of which every row will have one.
func (b *Builder) add(name string, typed Type) (*Column, error) {
	c, err := b.make(name, typed)
	if err != nil {
		return nil, err
	}
	c.start.rest, c.start.hasRest = b.Late.rest[name]
	c.start.begin(c, b.before)
	b.Size.add(c)
	return c, b.Limit(0)
}

// make makes a column without values.
func (b *Builder) make(name string, typed Type) (*Column, error) {
	if name == "" {
		return nil,
			&data.ReadError{File: b.File(), Msg: fmt.Sprintf("column %d has no name", len(b.columns)+1),
				Err: data.ErrHeader}
	}
	c := b.plan.Column(name, typed)
	c.appended = true
	if by := b.turned[name]; by != nil && c.Storage == Numbers {
		c.Turn(by)
	}
	b.columns, b.byName[name] = append(b.columns, &c), &c
	return &c, nil
}

// State gives a column the role that the file states, unless the options ask for the column: by its
// kind, or as one of the schema's features.
func (b *Builder) State(name string, role data.Role) {
	c := b.byName[name]
	if c.Position < 0 && !b.plan.numeric[name] && !b.plan.categorical[name] {
		c.Field.Role = role
	}
}

// LeaveOut is Plan.LeaveOut for the columns of a file, in its order.
func (b *Builder) LeaveOut(unnamed []*Unnamed, columns []*Column, files int, places Places) []string {
	return b.plan.LeaveOut(unnamed, columns, files, places)
}

// Used reports whether the values of a column of a name are needed, whether or not there is one.
func (b *Builder) Used(name string) bool { return b.plan.used(name) }

// Ignores reports whether the options leave a column out by its name.
func (b *Builder) Ignores(name string) bool { return b.plan.ignore[name] }

// Rows returns how many rows the builder has: those so far, or those of the block.
func (b *Builder) Rows() int { return b.rows }

// Begun reports whether there is any row so far.
func (b *Builder) Begun() bool { return b.before+b.rows > 0 }

// Has reports whether there is a column of a name.
func (b *Builder) Has(name string) bool { return b.byName[name] != nil }

// Pad appends missing values to a column that has none for the last rows.
func (b *Builder) Pad(c *Column) { pad(c, b.rows) }

// pad appends values up to a number of rows: missing ones, but in late columns with others.
func pad(c *Column, rows int) {
	for c.rows < rows {
		c.start.appendRest(c)
	}
}

// Names checks the names of all columns of the current file, before its first call of Column: each
// must be there once, and the names be those of the first file, in any order, without late columns.
func (b *Builder) Names(names []string) error {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return b.files.headerError("two columns are called %q", n)
		}
		seen[n] = true
		if b.files.count > 1 && !isDeclared(b, n) {
			return b.files.headerError("there is a column %q, which %s does not have", n, b.files.first)
		}
	}
	for _, c := range b.columns {
		if n := c.Field.Name; !seen[n] && isDeclared(b, n) {
			return b.files.headerError("there is no column %q, which %s has", n, b.files.first)
		}
	}
	return nil
}

// EndRow ends a row that begins on a line of the current file.
func (b *Builder) EndRow(line int) error {
	if b.plan.fault != nil {
		return b.files.fault(b.plan.fault, line)
	}
	if err := b.admit(1); err != nil {
		return Place(err, line)
	}
	b.files.add(b.before+b.rows, line)
	b.rows++
	return b.passOn()
}

// Limit returns an error if the table cannot hold as many more rows of its columns.
func (b *Builder) Limit(rows int) error {
	e := b.Size.check(b.rows + rows)
	if b.before-b.files.base+b.rows+rows > MaxRows {
		e = &data.ReadError{Err: data.ErrLimit, Msg: fmt.Sprintf("more than %d rows", MaxRows)}
	}
	if e == nil {
		return nil
	}
	e.File = b.File()
	return e
}

// Spare returns an error if there is no memory for bytes that are needed for a short time, beside
// as many more rows.
func (b *Builder) Spare(rows int, bytes int64) error {
	if err := b.Size.account.Check(b.rows+rows, b.Size.width, bytes); err != nil {
		err.File = b.File()
		return err
	}
	return nil
}

// filled returns an error if there are no rows or no columns.
func filled(b *Builder) error {
	switch {
	case b.before+b.rows == 0:
		return &data.ReadError{File: b.files.first, Msg: "there are no rows", Err: data.ErrEmpty}
	case len(b.columns) == 0:
		return &data.ReadError{File: b.files.first, Msg: "there are no columns", Err: data.ErrEmpty}
	}
	return nil
}

// Table returns the table of all files.
func (b *Builder) Table() (*data.RowBlock, error) {
	if err := filled(b); err != nil {
		return nil, err
	}
	if err := b.complete(); err != nil {
		return nil, err
	}
	keys := b.plan.PartitionKeys(b.files.partitions, b.columns.names())
	if err := b.plan.Check(b.files.first, append(b.columns.names(), keys...)); err != nil {
		return nil, err
	}
	more, err := b.plan.PartitionColumns(keys, b.files.partitions, b.rows, &b.files.lines.Origin)
	if err != nil {
		return nil, err
	}
	b.report(b.options)
	t, err := Assemble(b.options, append(b.columns, more...), b.rows, b.files.lines.Origin)
	if err != nil {
		return nil, err
	}
	b.state(t)
	return t, nil
}

// complete gives all columns a value for each row.
func (b *Builder) complete() error {
	if b.fill != nil {
		if err := b.fill(); err != nil {
			return err
		}
	}
	b.columns.pad(b.rows)
	return nil
}
