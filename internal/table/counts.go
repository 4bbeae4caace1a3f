package table

import "github.com/coppice-ml/coppice/data"

// Counts is how many rows hold each text of a column whose rows are not kept.
type Counts struct {
	rows, first []int // by code: rows, and the first of them
}

// Add counts rows by their codes; row is the number of the first.
func (n *Counts) Add(codes []uint32, row int) {
	for i, code := range codes {
		n.add(code, 1, row+i)
	}
}

// add counts some rows of a code, of which the first is row.
func (n *Counts) add(code uint32, rows, row int) {
	if code >= data.UnseenCode {
		return
	}
	for int(code) >= len(n.rows) {
		n.rows, n.first = append(n.rows, 0), append(n.first, 0)
	}
	if n.rows[code] == 0 {
		n.first[code] = row
	}
	n.rows[code] += rows
}

// SetCounts gives a column the counts of its texts in place of its rows, for Assemble of no rows.
// All that depends on the rows is decided by these: what the column holds, and what notes report.
func (c *Column) SetCounts(n *Counts) {
	for len(n.rows) < len(c.Dict.levels) {
		n.rows, n.first = append(n.rows, 0), append(n.first, 0)
	}
	c.counts = n
}

// Empty forgets the rows of a column, and the texts of dictionaries that no other row needs: of
// verbatim columns, of dates and of texts.
func (c *Column) Empty() {
	c.Num, c.Code, c.Stored, c.Kept.Codes, c.rows = nil, nil, nil, nil, 0
	if c.Kept.Dict != nil {
		c.Kept.Dict = c.Kept.Dict.emptied()
	}
	if (c.Field.Kind == data.Date || c.Field.Kind == data.Text) && c.Dict != nil {
		c.Dict = c.Dict.emptied()
	}
}

// Between returns the origin of the rows from ... to-1 as those of a table of their own, and which
// file is the first of them.
func (l *Lines) Between(from, to int) (o data.Origin, firstFile int) {
	for i, first := range l.First {
		end := int32(to)
		if i+1 < len(l.First) {
			end = min(end, l.First[i+1])
		}
		if int(first) >= to || int(end) <= from {
			continue
		}
		if o.Files == nil {
			firstFile = i
		}
		o.Files, o.First = append(o.Files, l.Files[i]), append(o.First, max(0, first-int32(from)))
		o.Skip = l.Skip + max(0, int32(from)-first)
	}
	if l.Line != nil {
		o.Line = l.Line[from:to]
	} else if len(o.Files) > 1 { // the first may begin before these rows, which the others do not
		for row := from; row < to; row++ {
			_, line := l.Place(row)
			o.Line = append(o.Line, int32(line))
		}
	}
	return o, firstFile
}
