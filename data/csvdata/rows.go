package csvdata

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
)

// reading collects the columns of one or several files.
type reading struct {
	options  *Options
	tokens   []string // trimmed texts that mean missing
	columns  []column // nil until the first header is read
	first    string   // name of the first file, and its header
	header   []string
	account  *table.Account
	width    int64 // bytes that a row takes
	rows     int   // complete rows so far
	capacity int   // rows that the columns have memory for
	origin   table.Lines

	size int64 // bytes of all sources, as stored
	done int64 // bytes of the sources read before this one

	block int // bytes
	until int // stop before this row
}

// readSource appends the rows of one file.
func (t *reading) readSource(ctx context.Context, src *source.Source) error {
	in, err := src.OpenText(ctx, "CSV")
	if err != nil {
		return err
	}
	defer in.Close()
	s := newSplitter(in, t.block, t.options.Memory)
	names, err := t.options.readHeader(s)
	if err != nil {
		return err
	}
	switch {
	case t.columns == nil:
		t.first, t.header = src.Name, names
		if t.columns, err = t.newColumns(src.Name, names); err != nil {
			return err
		}
	case !t.options.NoHeader:
		if err := compareHeaders(s, names, t.first, t.header); err != nil {
			return err
		}
	}
	t.origin.Begin(src.Name, t.rows)
	err = t.readRows(s)
	t.done += src.Size
	return err
}

// readRows appends rows until the text ends or t.until is reached.
func (t *reading) readRows(s *splitter) error {
	for t.rows < t.until {
		if s.pos == s.limit {
			more, err := s.fill()
			if err == nil {
				err = t.check(s, t.rows, len(s.buf))
			}
			if !more || err != nil {
				return err
			}
		}
		if c := s.buf[s.pos]; (c == '\n' || s.blank[c]) && len(t.columns) > 1 {
			if more, err := s.skipBlank(); !more {
				return err
			}
		}
		if t.rows == t.capacity {
			if err := t.grow(s); err != nil {
				return err
			}
		}
		line := s.line
		if err := t.readRow(s); err == errMore {
			if _, err := s.fill(); err != nil {
				return err
			}
			continue
		} else if err != nil {
			return err
		}
		t.origin.Add(t.rows, line)
		t.rows++
	}
	return nil
}

// readRow reads the row at s.pos into the columns and moves s behind it. On errMore s stays, and
// what the columns got of the row is overwritten when it is read again.
func (t *reading) readRow(s *splitter) error {
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
func (t *reading) put(c *column, text []byte, s *splitter) error {
	var fault *table.Error
	if c.Storage == table.Numbers {
		v, ok := c.number(text)
		switch {
		case ok:
			c.Num[t.rows] = v
		case c.Texts.Turn(bytes.TrimSpace(text)):
			t.turn(c, t.rows, text, s)
		default:
			fault = c.Texts.NotNumber(text)
		}
	}
	if c.Refuses(text) {
		fault = c.Texts.NotNumber(text)
	} else if c.Storage == table.Codes {
		c.Code[t.rows], fault = c.Dict.Encode(text)
	}
	if c.KeptDict != nil && fault == nil {
		c.Kept[t.rows], fault = c.KeptDict.Encode(text)
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
func (t *reading) countError(s *splitter) error {
	fields, _, err := s.record()
	if err != nil {
		return err
	}
	what := "the header has"
	if t.options.NoHeader {
		what = "the first row has"
	}
	return &table.Error{File: s.Name(), Line: s.line,
		Msg: fmt.Sprintf("%s, %s %d", humanize.Count(len(fields), "field", "fields"), what,
			len(t.columns)),
		Err: ErrFields}
}

// grow allocates memory for more rows: for a first block of them, then for as many as the whole
// input has if its rows stay as long. Memory that stays unused is never touched.
func (t *reading) grow(s *splitter) error {
	if t.rows == table.MaxRows {
		return &table.Error{File: s.Name(), Line: s.line,
			Msg: fmt.Sprintf("more than %d rows", table.MaxRows), Err: table.ErrLimit}
	}
	const firstFields, margin = 1 << 17, 1.02
	n := len(t.columns)
	capacity := min(firstFields/n, (s.limit-s.pos)/n) + 1
	if t.rows > 0 {
		consumed := t.done + s.Stored()
		if s.Packed() == "" {
			consumed -= int64(s.have - s.pos)
		}
		guess := float64(t.rows) * margin * float64(t.size) / float64(max(consumed, 1))
		capacity = max(t.rows+t.rows/4, int(min(guess, table.MaxRows))) + 16
	}
	capacity = min(capacity, table.MaxRows)
	if fit := t.account.Fit(t.width); capacity > fit {
		if fit <= t.rows {
			return t.check(s, capacity, 0)
		}
		capacity = fit
	}
	t.capacity = capacity
	for j := range t.columns {
		t.columns[j].grow(t.capacity)
	}
	return nil
}

// check returns an error if there is no memory for a number of rows and, for a short time, extra
// bytes.
func (t *reading) check(s *splitter, rows, extra int) error {
	if err := t.account.Check(rows, t.width, int64(extra)); err != nil {
		err.File, err.Line = s.Name(), s.line
		return err
	}
	return nil
}
