package csvdata

import (
	"bytes"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/table"
)

// store is columns that are filled row by row.
type store struct {
	options  *Options
	columns  []column
	rows     int // complete ones so far
	capacity int // rows that the columns have memory for
	turns    int // how many columns turned categorical
	before   int // rows of the table before these, which are not kept
}

// readRow reads the row at s.pos into the columns and moves s behind it. On errMore s stays, and
// what the columns got of the row is overwritten when it is read again.
func (t *store) readRow(s *splitter) error {
	b, p := s.buf, s.pos
	s.folded = 0
	stop := s.separator
	for j := range t.columns {
		c := &t.columns[j]
		if j == len(t.columns)-1 {
			stop = '\n'
		}
		if c.fast {
			v, end := table.ScanNumber(b, p)
			if end == p && s.blank[b[p]] { // as behind ", "
				v, end = table.ScanNumber(b, p+1)
			}
			if b[end] == stop {
				c.Num[t.rows] = v
				p = end + 1
				continue
			}
		}
		text, end, err := s.field(p)
		if err != nil {
			return err
		}
		if b[end] != stop {
			return t.countError(s)
		}
		if err := t.put(c, text, s); err != nil {
			return err
		}
		p = end + 1
	}
	s.next(p - 1)
	return nil
}

// put stores one field of the current row.
func (t *store) put(c *column, text []byte, s *splitter) error {
	var fault *data.ReadError
	if c.Storage == table.Numbers {
		v, ok := c.number(text)
		switch {
		case ok:
			c.Num[t.rows] = v
		case c.Texts.Turn(bytes.TrimSpace(text)):
			c.turn(t.rows, t.capacity, &table.Turn{Text: table.Quote(text), Row: t.before + t.rows,
				File: s.name, Line: s.at})
			t.turns++
		default:
			fault = c.Texts.NotNumber(text)
		}
	}
	if c.Refuses(text) {
		fault = c.Texts.NotNumber(text)
	} else if c.Storage == table.Codes {
		c.Code[t.rows], fault = c.Dict.Encode(text)
	}
	if c.Kept.Dict != nil && fault == nil {
		c.Kept.Codes[t.rows], fault = c.Kept.Dict.Encode(text)
	}
	if fault != nil {
		at := s.fault(fault.Err, fault.Msg)
		at.Column = c.Field.Name
		return at
	}
	return nil
}

// number reads a field of a numeric column; NaN if it is missing.
func (c *column) number(text []byte) (float64, bool) {
	if c.Texts.IsMissing(text) {
		return math.NaN(), true
	}
	return c.Texts.Parse(bytes.TrimSpace(text)) // there may be blanks inside quotes
}

// countError reports how many fields the row at s.pos has.
func (t *store) countError(s *splitter) error {
	fields, _, err := s.record()
	if err != nil {
		return err
	}
	what := "the header has"
	if t.options.NoHeader {
		what = "the first row has"
	}
	return &data.ReadError{File: s.name, Line: s.line,
		Msg: fmt.Sprintf("%s, %s %d", humanize.Count(len(fields), "field", "fields"), what,
			len(t.columns)),
		Err: ErrFields}
}
