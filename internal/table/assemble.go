package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// MaxRows is the largest number of rows of a table: row numbers are int32, and the largest of them
// stays free.
const MaxRows = math.MaxInt32 - 1

// Assemble makes the table of columns in the file's order: it shortens them to the number of rows,
// sorts their dictionaries and puts a model's columns, in the order of its schema, before the
// others. It may take the memory of the columns' numbers. ReadOptions.Log receives its notes.
func Assemble(o *data.ReadOptions, columns []*Column, rows int, origin data.Origin) (*data.RowBlock, error) {
	return assemble(o, columns, rows, origin, compactValues)
}

// AssembleBlock is Assemble for some rows of a table that is read in blocks. The columns keep their
// memory, and numbers stay in double precision.
func AssembleBlock(o *data.ReadOptions, columns []*Column, rows int, origin data.Origin) (*data.RowBlock, error) {
	return assemble(o, columns, rows, origin, values)
}

func assemble(
	o *data.ReadOptions, columns []*Column, rows int, origin data.Origin,
	finish func(*Column, int) (data.Field, data.Column),
) (*data.RowBlock, error) {
	var result data.RowBlock
	var order, kept []*Column
	for _, c := range columns {
		origin.Columns = append(origin.Columns, c.Field.Name)
		if c.Storage != NotStored {
			order = append(order, c)
		}
		if c.Kept.Dict != nil {
			kept = append(kept, c)
		}
	}
	order = append(order, spare(o, columns, rows)...)
	// -1 is last
	slices.SortStableFunc(order,
		func(a, b *Column) int { return cmp.Compare(uint(a.Position), uint(b.Position)) })
	for _, c := range order {
		if err := checkTexts(c, o, rows, &origin); err != nil {
			return nil, err
		}
		if c.Turned == nil && (!c.Texts.declared || c.Literal || namesOnly(c.Dict.levels)) {
			continue
		}
		if err := resolve(c, o, rows, &origin); err != nil {
			return nil, err
		}
	}
	var err error
	if result.Frame, err = frame(order, rows, o.Threads, origin, finish); err == nil &&
		len(kept) > 0 {
		result.Verbatim, err = frame(kept, rows, o.Threads, origin, verbatimValues)
	}
	if err != nil {
		return nil, &data.ReadError{File: origin.Files[0], Msg: err.Error(), Err: err}
	}
	if o.Log != nil {
		report(o, order, result.Frame)
		noteWeak(o.Log, order, result.Frame.Schema.Fields)
	}
	return &result, nil
}

func frame(
	columns []*Column, rows, threads int, origin data.Origin,
	finish func(*Column, int) (data.Field, data.Column),
) (*data.Frame, error) {
	schema := data.Schema{Fields: make([]data.Field, len(columns))}
	made := make([]data.Column, len(columns))
	parallel.Each(parallel.Workers(threads), len(columns), func(_, i int) {
		schema.Fields[i], made[i] = finish(columns[i], rows)
	})
	f, err := data.NewFrame(schema, made)
	if err != nil {
		return nil, err
	}
	f.Origin = &origin
	return f, nil
}

// values shortens a column to its rows and returns it with its field.
func values(c *Column, rows int) (data.Field, data.Column) {
	if c.Field.Kind == data.Date {
		return c.Field, data.Numbers(dateValues(c, rows))
	}
	if c.Stored != nil {
		return c.Field, *c.Stored
	}
	if c.Storage == Numbers {
		return c.Field, data.Numbers(fit(c.Num, rows))
	}
	codes := fit(c.Code, rows)
	c.Dict.sort(codes)
	if c.Field.Levels = c.Dict.levels; c.Field.Kind != data.Text {
		c.Field.Kind = data.Categorical
	}
	return c.Field, data.Codes(codes).WithUnseen(c.Dict.takeUnseen())
}

// compactRows is the number of rows from which numbers are stored in the least memory. Of fewer
// rows it does not count.
const compactRows = 1 << 16

// compactValues is values for a table that stays in memory.
func compactValues(c *Column, rows int) (data.Field, data.Column) {
	field, column := values(c, rows)
	if rows >= compactRows {
		if column = column.Compact(); !column.InPlace() {
			c.Num = nil // the other columns need the memory
		}
	}
	return field, column
}

// verbatimValues is values with the texts that were kept.
func verbatimValues(c *Column, rows int) (data.Field, data.Column) {
	codes := fit(c.Kept.Codes, rows)
	c.Kept.Dict.sort(codes)
	return data.Field{Name: c.Field.Name, Kind: data.Categorical, Levels: c.Kept.Dict.levels},
		data.Codes(codes)
}

// fit shortens values to their rows. Where much capacity is unused it copies them to free it.
func fit[T any](values []T, rows int) []T {
	if cap(values)-rows > rows/8 {
		return slices.Clone(values[:rows])
	}
	return values[:rows:rows]
}

// fewNotes is the number of columns up to which each gets a line of its own where one line of the
// file made them categorical. Of more a line names the first ones.
const fewNotes, namedNotes = 3, 5

// report logs what happened to the columns. Many columns that became categorical at one place of
// the file, mostly its first row, have one note together. Those of which a recogniser reports more
// have notes of their own. What a label is from its first row on, or a column that a model has not,
// as a group, is no news.
func report(o *data.ReadOptions, columns []*Column, f *data.Frame) {
	log, at := o.Log, map[string][]*Column{}
	known := func(c *Column) bool {
		return o.Schema != nil || c.Turned.Row == 0 && c.Field.Name == o.Label
	}
	for _, c := range columns {
		if c.Turned != nil && c.resolved.note == "" && !known(c) {
			at[turnedAt(c, f)] = append(at[turnedAt(c, f)], c)
		}
	}
	for _, c := range columns {
		switch {
		case c.resolved.note != "":
			log("column %q %s", c.Field.Name, c.resolved.note)
		case c.Turned != nil && known(c):
		case c.Turned != nil && len(at[turnedAt(c, f)]) <= fewNotes:
			log("column %q is categorical: %s at %s", c.Field.Name, c.Turned.Text, turnedAt(c, f))
		case c.Turned != nil && at[turnedAt(c, f)][0] == c:
			all := at[turnedAt(c, f)]
			var names []string
			for _, same := range all[:min(namedNotes, len(all))] {
				names = append(names, strconv.Quote(same.Field.Name))
			}
			if more := len(all) - len(names); more > 0 {
				names = append(names, fmt.Sprintf("and %d more", more))
			}
			log("%d columns are categorical, the first by %s, at %s: %s", len(all), c.Turned.Text,
				turnedAt(c, f), strings.Join(names, ", "))
		case c.Turned == nil && c.rounded.first != nil && !c.rounded.reported:
			c.rounded.reported = true
			log("column %q: integers are rounded, the first is %s at %s, read as %s (a "+
				"categorical column keeps all digits)",
				c.Field.Name, c.rounded.first.Text, f.Locate(c.rounded.first.Row), c.rounded.became)
		}
	}
}

// turnedAt names where a column became categorical.
func turnedAt(c *Column, f *data.Frame) string {
	if c.Turned.File != "" {
		return fmt.Sprintf("%s:%d", c.Turned.File, c.Turned.Line)
	}
	return f.Locate(c.Turned.Row)
}
