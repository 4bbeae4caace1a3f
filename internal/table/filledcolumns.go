package table

import (
	"iter"

	"github.com/coppice-ml/coppice/data"
)

// FilledColumns are columns of numbers that get the values of all rows of a block at once, such as
// those of sparse rows.
type FilledColumns struct {
	b    *Builder
	rest float64
}

// NewFilledColumns returns those of a builder, none yet. Before its rows become a block, or the
// table, the builder calls fill, which gives each column its values. Rows before the first block of
// a column have the value rest.
func NewFilledColumns(b *Builder, rest float64, fill func() error) *FilledColumns {
	b.fill = fill
	return &FilledColumns{b, rest}
}

// Make makes a column.
func (f *FilledColumns) Make(name string) (*Column, error) {
	c, err := f.b.make(name, TypedNumbers)
	if err != nil {
		return nil, err
	}
	c.start.rest, c.start.hasRest = f.rest, true
	c.start.begin(c, f.b.before)
	return c, nil
}

// Fill gives a column without values one for every row of the builder, which the table may keep. A
// sparse column stays sparse where its values are read as numbers.
func (f *FilledColumns) Fill(c *Column, values data.Column) error {
	b := f.b
	c.rows = values.Len()
	if !c.Used() {
		return nil
	}
	row, value, absent, sparse := values.Stored()
	plain := holdsNumbers(c)
	stored, bytes := c.rows, c.Width()*int64(c.rows)
	if sparse && plain {
		stored, bytes = len(value), storedBytes*int64(len(value))
	}
	if b.Size.hold(stored, bytes); stored > 0 {
		if err := b.Limit(0); err != nil {
			return err
		}
	}
	switch {
	case sparse && plain:
		if b.plan.Comparing() {
			own := make([]float64, len(value))
			for i, v := range value {
				own[i] = c.Texts.value(v)
			}
			values = data.Sparse(values.Len(), c.Texts.value(absent), row, own)
		}
		c.Stored = &values
		return nil
	case c.Storage == Numbers && c.Kept.Dict == nil && !b.plan.Comparing():
		c.Num = values.Numbers()
		return nil
	}
	c.rows = 0
	for _, v := range values.Numbers() {
		c.AppendNumber(v)
	}
	if b.plan.fault != nil {
		return b.files.fault(b.plan.fault, 0)
	}
	return nil
}

// holdsNumbers reports whether the column stores numbers and nothing else of its values.
func holdsNumbers(c *Column) bool {
	return c.Storage == Numbers && c.Field.Kind == data.Numeric && c.Kept.Dict == nil
}

// Keeps reports whether anything depends on the values of a column, which a scan does not keep:
// texts of categories, dates that may be none.
func (f *FilledColumns) Keeps(c *Column) bool {
	return c.Used() && !(f.b.Scans() && holdsNumbers(c))
}

// MoveLast puts the columns behind all others of the builder, in the order of their names.
func (f *FilledColumns) MoveLast(names []string) {
	moved := set(names)
	var order columns
	for _, c := range f.b.columns {
		if !moved[c.Field.Name] {
			order = append(order, c)
		}
	}
	for _, name := range names {
		order = append(order, f.b.byName[name])
	}
	f.b.columns = order
}

// Requested yields the names of columns that the options and the schema ask for, whether or not the
// files have them. A name may come twice.
func (f *FilledColumns) Requested() iter.Seq[string] {
	o := f.b.options
	return func(yield func(string) bool) {
		for _, list := range [][]string{o.Numeric, o.Categorical, o.Ignore, o.Also, o.Optional,
			o.Verbatim} {
			for _, name := range list {
				if !yield(name) {
					return
				}
			}
		}
		if o.Schema == nil {
			return
		}
		for i := range o.Schema.Fields {
			if !yield(o.Schema.Fields[i].Source()) {
				return
			}
		}
	}
}
