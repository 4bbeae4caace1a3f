package csvdata

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// reading collects the columns of one or several sources, of which it reads the blocks in order.
type reading struct {
	store
	tokens  []string // trimmed texts that mean missing
	first   string   // name of the first file, and its header
	header  *header
	unnamed []*table.Unnamed // columns without names, that may be left out; nil for a model's table
	account *table.Account
	plan    *table.Plan
	origin  table.Lines
	// rows of the table before those that origin has, and files before its first one
	unplaced, left int
	size           int64 // bytes of all sources, as stored
	until          int   // stop before this row
	// of the sources, and the names of the columns that they make
	partitions [][]table.Partition
	keys       []string
	// columns that are categorical from the first row on; nil: the rows decide of all
	turned map[string]*table.Turn
	hint   int // rows that there is memory for at first; 0: those of a whole table are expected

	splitter splitter
}

// beginSource begins a source with its first block.
func (t *reading) beginSource(b *block) error {
	s := &t.splitter
	s.line, s.at = b.line, b.headerAt
	switch {
	case t.columns == nil:
		t.first, t.header = b.name, b.header
		if err := t.newColumns(b.name, b.header.Names); err != nil {
			return err
		}
		if s := t.options.Schema; s != nil && b.header.RepeatedIn(s) && t.options.Log != nil {
			t.options.Log("%s:%d: %s", b.name, b.header.line, b.header.RepeatedNote(table.Numbered))
		} else if s == nil {
			for _, place := range b.header.Unnamed {
				t.unnamed = append(t.unnamed, table.NewUnnamed(place))
			}
		}
	case !t.options.NoHeader:
		if err := compareHeaders(s, b.header.Names, t.first, t.header.Names); err != nil {
			return err
		}
	}
	t.origin.Begin(b.name, t.before+t.rows-t.unplaced)
	return nil
}

// countUnnamed takes the rows that are in memory of the columns without names.
func (t *reading) countUnnamed() {
	for _, u := range t.unnamed {
		u.Add(&t.columns[u.Place].Column, t.rows)
	}
}

// leaveOut leaves out columns without names and reports what the headers show, once all rows were
// read.
func (t *reading) leaveOut() {
	notes := t.header.notes
	if note := t.header.RepeatedNote(table.Numbered); note != "" && t.options.Schema == nil {
		notes = append(notes, fmt.Sprintf("%s:%d: %s", t.first, t.header.line, note))
	}
	for _, note := range t.plan.LeaveOut(t.unnamed, t.dense(), len(t.partitions), table.Numbered) {
		notes = append(notes, fmt.Sprintf("%s:%d: %s", t.first, t.header.line, note))
	}
	if t.options.Log != nil {
		for _, note := range notes {
			t.options.Log("%s", note)
		}
	}
}

// add reads the rows of the next block, and of those behind it where its last row continues there.
func (t *reading) add(b *block) error {
	if err := t.begin(b); err != nil {
		return err
	}
	return t.readRows()
}

// begin goes to a block, which may be the first of its source.
func (t *reading) begin(b *block) error {
	s := &t.splitter
	if b.err != nil {
		return s.place(b.err)
	}
	s.load(b)
	if b.header != nil {
		return t.beginSource(b)
	}
	return t.check(t.rows, len(b.buf))
}

// readRows reads the rows of the block that the splitter is at.
func (t *reading) readRows() error {
	s := &t.splitter
	for t.rows < t.until && s.pos < s.limit {
		if s.between[s.buf[s.pos]] && !s.skipLines(len(t.columns) == 1) {
			break
		}
		if t.rows == t.capacity {
			if err := t.grow(); err != nil {
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
		t.origin.Add(t.before+t.rows-t.unplaced, line)
		t.rows++
	}
	return nil
}

// grow allocates memory for more rows: for a first block of them, then for as many as the whole
// input has if its rows stay as long. Memory that stays unused is never touched.
func (t *reading) grow() error {
	s := &t.splitter
	if t.before+t.rows == table.MaxRows {
		return &data.ReadError{File: s.name, Line: s.line,
			Msg: fmt.Sprintf("more than %d rows", table.MaxRows), Err: data.ErrLimit}
	}
	const firstFields, margin = 1 << 17, 1.02
	n := len(t.columns)
	capacity := min(firstFields/n, (s.limit-s.pos)/n) + 1
	if t.rows > 0 {
		consumed := s.stored
		if !s.packed {
			consumed -= int64(s.limit - s.pos)
		}
		guess := float64(t.rows) * margin * float64(t.size) / float64(max(consumed, 1))
		capacity = max(t.rows+t.rows/4, int(min(guess, table.MaxRows-16))) + 16
	}
	if t.hint > 0 {
		capacity = max(t.hint, 2*t.rows)
	}
	capacity = min(capacity, table.MaxRows-t.before)
	if fit := t.account.Fit(t.width()); capacity > fit {
		if fit <= t.rows {
			return t.check(capacity, 0)
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
func (t *reading) check(rows, extra int) error {
	if err := t.account.Check(rows, t.width(), int64(extra)); err != nil {
		err.File, err.Line = t.splitter.name, t.splitter.line
		return err
	}
	return nil
}
