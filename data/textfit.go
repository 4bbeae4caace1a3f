package data

import "slices"

// FitTexts returns the table with those of its columns of texts that the given training rows make,
// nil = all: the numbers of words, and each bucket that enough of them have an n-gram of
// (TextFormat.Rows). A row that repeats counts once. So the rows of a fold or of a test set have no
// say in the columns of a model that is tested on them.
//
//	min_rows=2          row  0 1 2 3 4 5    rows 0 ... 3
//	review~great             1 . 2 . . .    stays
//	review~broken            . . . 1 1 1    is left out
//
// Columns that all rows made hold those that some of them make, so the texts are not read again,
// and names stay (see NameTexts). A schema, such as that of a model whose training is resumed,
// decides in place of the rows. f itself is returned where all columns stay, or where it does not
// have the rows.
func (f *Frame) FitTexts(rows []int32, like *Schema) *Frame {
	if !f.Schema.hasTexts() || f.CheckRows(rows) != nil {
		return f
	}
	in := make([]bool, f.rows)
	for _, row := range f.Chosen(rows) {
		in[row] = true
	}
	kept := make([]int, 0, len(f.Columns))
	for i := range f.Columns {
		field := &f.Schema.Fields[i]
		stays := true
		switch {
		case field.Text == nil || field.Text.Bucket == WordCount:
		case like != nil:
			stays = slices.ContainsFunc(like.madeOf(field.Text.Source), field.Text.isPart)
		default:
			stays = f.Columns[i].nonzero(in, field.Text.Format.Rows)
		}
		if stays {
			kept = append(kept, i)
		}
	}
	if len(kept) == len(f.Columns) {
		return f
	}
	return f.Select(kept)
}

// isPart reports whether a field is made of a text in this way.
func (t *TextPart) isPart(f Field) bool { return t.Equal(f.Text) }

// nonzero reports whether at least n of the marked rows of a column of numbers, which are finite,
// are not 0.
func (c *Column) nonzero(in []bool, n int) bool {
	if s := c.sparse; s != nil && s.absent == 0 {
		for i, row := range s.row {
			if in[row] && s.value[i] != 0 {
				n--
			}
			if n <= 0 {
				return true
			}
		}
		return false
	}
	for row := range in {
		if in[row] && c.Number(row) != 0 {
			n--
		}
		if n <= 0 {
			return true
		}
	}
	return false
}

// NameTexts returns the data set with names of the buckets by the texts of the given rows alone,
// nil = all. table is what Roles.Apply was given, all of whose rows named them before. Names are
// for people to read, and decide nothing. A text that the table does not have keeps its names, and
// so does a bucket whose new name another column has.
func (d *Dataset) NameTexts(rows []int32, table *Frame) *Dataset {
	if !d.Schema.hasTexts() {
		return d
	}
	own, f := *d, *d.Frame
	own.Frame, f.Schema.Fields = &f, slices.Clone(f.Schema.Fields)
	if rows = Distinct(d.Chosen(rows)); d.Kept != nil {
		rows = Pick(d.Kept, rows)
	}
	taken := map[string]bool{}
	for i := range f.Schema.Fields {
		if f.Schema.Fields[i].Text == nil {
			taken[f.Schema.Fields[i].Name] = true
		}
	}
	names := map[string][]string{} // by source
	for i := range f.Schema.Fields {
		field := &f.Schema.Fields[i]
		t := field.Text
		if t == nil || t.Bucket == WordCount {
			continue
		}
		if names[t.Source] == nil {
			at := table.Schema.Index(t.Source)
			if at < 0 || !table.Schema.Fields[at].Kind.HasLevels() {
				continue
			}
			codes := Pick(table.Columns[at].code, rows)
			names[t.Source] = table.Schema.Fields[at].gramNames(codes, t.Format)
		}
		if name := t.name(names[t.Source][t.Bucket]); !taken[name] {
			field.Name = name
		}
	}
	return &own
}
