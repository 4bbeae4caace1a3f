package xlsxdata

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

const format = "Excel"

// Suffixes end the names of Excel workbooks. Of a folder the files with such names are read.
var Suffixes = []string{".xlsx", ".xlsm"}

// Sniff reports whether a file that begins so looks like an Excel workbook.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) &&
		(bytes.Contains(head, []byte("[Content_Types].xml")) || bytes.Contains(head, []byte("xl/"))) ||
		bytes.HasPrefix(head, []byte(oldExcel))
}

// Open returns the table of workbooks, one after the other; "-" is standard input. Each has the
// same columns, in any order. The rows of the frame record their numbers in the sheet. Paths may be
// patterns and folders: see package data.
func Open(o data.ReadOptions, paths ...string) data.Table {
	n := &noted{before: map[string]bool{}}
	f := source.ByRows(source.Format{Name: format, Suffixes: Suffixes, Missing: data.DefaultMissing,
		Size: size}, func(o *data.ReadOptions) source.Reader { return &reader{options: o, noted: n} })
	return f.Open(o, paths)
}

// noted are the notes of a table so far, which may be read several times.
type noted struct{ before map[string]bool }

func (n *noted) log(o *data.ReadOptions, note string) {
	if o.Schema == nil {
		n.always(o, note)
	}
}

// always is log for a note that is news for the table of a model, too.
func (n *noted) always(o *data.ReadOptions, note string) {
	if o.Log != nil && !n.before[note] {
		n.before[note] = true
		o.Log("%s", note)
	}
}

// size returns about how many rows a sheet has, by the size of its part, and the columns of its
// header.
func size(
	ctx context.Context, o *data.ReadOptions, s *source.Source,
) (rows, columns int64, err error) {
	b, err := table.NewBuilder(o, nil)
	if err != nil {
		return 0, 0, err
	}
	b.Begin(s.Name, nil)
	r := &reader{options: o}
	part, found, err := r.begin(ctx, b, s)
	if err != nil {
		return 0, 0, err
	}
	const cellBytes = 30 // of XML for most cells
	columns = int64(max(1, len(found.names)))
	return int64(part) / cellBytes / columns, columns, nil
}

// reader reads the sheets of all files.
type reader struct {
	options *data.ReadOptions
	noted   *noted
	// of the first file
	file    string
	line    int
	places  table.Places
	columns []*table.Column
	unnamed []*table.Unnamed
	files   int
}

// layout is where the table of a sheet stands.
type layout struct {
	*table.Header
	names       []string
	line        int // of the header
	from, above int // the place of its first column, and the rows above
}

// begin opens a workbook and finds the table in its sheet. It returns the size of the sheet.
func (r *reader) begin(
	ctx context.Context, b *table.Builder, s *source.Source,
) (bytes uint64, l *layout, err error) {
	f, err := s.Open(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	w, err := openWorkbook(f, b, r.options)
	if err != nil {
		return 0, nil, err
	}
	part, err := w.sheet(r.options.Sheet)
	if err != nil {
		return 0, nil, err
	}
	l, err = w.layout(ctx, part)
	return w.parts[part].UncompressedSize64, l, err
}

// lookRows is how many rows are looked at to find the header.
const lookRows = 50

// errFound ends the look at the first rows.
var errFound = errors.New("xlsxdata: enough rows")

// layout finds the header of a sheet.
func (w *workbook) layout(ctx context.Context, part string) (*layout, error) {
	var rows [][]cell
	var lines []int
	err := w.rows(ctx, part, func(line int, cells []cell) error {
		rows, lines = append(rows, slices.Clone(cells)), append(lines, line)
		if len(rows) == lookRows {
			return errFound
		}
		return nil
	})
	if err != nil && err != errFound {
		return nil, err
	}
	most, left := 0, mostColumns
	for _, row := range rows {
		most, left = max(most, filled(row)), min(left, firstOf(row))
	}
	for i, row := range rows {
		// an index without a name may stand before the first name
		index := filled(row) == most-1 && firstOf(row) > left
		if 2*filled(row) <= most && !index {
			continue
		}
		from := firstOf(row)
		for _, below := range rows[i+1:] {
			from = min(from, firstOf(below))
		}
		if err := w.oneHeader(rows, lines, i); err != nil {
			return nil, err
		}
		var called []string
		for j := from; j < len(row); j++ {
			called = append(called, row[j].shown())
		}
		for len(called) > 0 && called[len(called)-1] == "" {
			called = called[:len(called)-1]
		}
		h := table.NewHeader(called)
		return &layout{Header: h, names: h.Names, line: lines[i], from: from, above: i}, nil
	}
	return nil, w.fault(data.ErrEmpty, "the sheet is empty")
}

// firstOf returns the place of the first cell that is not empty, of which a row has one.
func firstOf(row []cell) int {
	return slices.IndexFunc(row, func(c cell) bool { return c.kind != empty })
}

func filled(row []cell) int {
	n := 0
	for i := range row {
		if row[i].kind != empty {
			n++
		}
	}
	return n
}

// Add appends the rows of one workbook.
func (r *reader) Add(ctx context.Context, b *table.Builder, s *source.Source) error {
	f, err := s.Open(ctx)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := openWorkbook(f, b, r.options)
	if err != nil {
		return err
	}
	part, err := w.sheet(r.options.Sheet)
	if err != nil {
		return err
	}
	if r.options.Sheet == "" && len(w.sheets) > 1 {
		r.noted.always(r.options, fmt.Sprintf(option.Expand("%s: the first of %d sheets is read, %q "+
			"({sheet} %s reads the next one)"), b.File(), len(w.sheets), w.sheets[0].name,
			humanize.ShellQuote(w.sheets[1].name)))
	}
	l, err := w.layout(ctx, part)
	if err != nil {
		return err
	}
	columns, err := r.header(b, l)
	if err != nil {
		return err
	}
	w.header, w.merged = l.line, merged{}
	err = w.rows(ctx, part, func(line int, cells []cell) error {
		if line <= l.line {
			return nil
		}
		return r.row(b, l, columns, line, cells)
	})
	if m := w.merged; m.count > 0 && err == nil {
		r.noted.log(r.options, fmt.Sprintf("%s: %s merged (%s): the first cell has the value, and the "+
			"others are missing", b.File(), humanize.Count(m.count, "range of cells is", "ranges of cells are"),
			m.first))
	}
	return err
}

// header begins the columns of a file.
func (r *reader) header(b *table.Builder, l *layout) ([]*table.Column, error) {
	if l.above > 0 {
		r.noted.log(r.options, fmt.Sprintf("%s:%d: the rows above the header are left out as a title",
			b.File(), l.line))
	}
	if err := b.Names(l.names); err != nil {
		return nil, err
	}
	columns := make([]*table.Column, len(l.names))
	for i, name := range l.names {
		c, err := b.Column(name, table.Untyped)
		if err != nil {
			return nil, err
		}
		columns[i] = c
	}
	r.files++
	if r.columns == nil {
		r.file, r.line, r.columns = b.File(), l.line, columns
		r.places = func(place int) string { return letters(l.from + place) }
		if note := l.RepeatedNote(r.places); note != "" {
			r.noted.log(r.options, fmt.Sprintf("%s:%d: %s", r.file, r.line, note))
		}
		for _, place := range l.Unnamed {
			r.unnamed = append(r.unnamed, table.NewUnnamed(place))
		}
	}
	return columns, nil
}

// row appends a row.
func (r *reader) row(
	b *table.Builder, l *layout, columns []*table.Column, line int, cells []cell,
) error {
	for i := l.from + len(columns); i < len(cells); i++ {
		if cells[i].kind != empty {
			return &data.ReadError{File: b.File(), Line: line, Err: data.ErrHeader,
				Msg: fmt.Sprintf("cell %s%d holds a value, and the header in row %d has no name for it",
					letters(i), line, l.line)}
		}
	}
	for _, u := range r.unnamed {
		c := cell{}
		if at := l.from + u.Place; at < len(cells) {
			c = cells[at]
		}
		u.AddValue(c.num, c.kind == number, c.kind != empty)
	}
	for i, c := range columns {
		at := l.from + i
		if at >= len(cells) || !c.Used() {
			continue // missing
		}
		switch v := &cells[at]; v.kind {
		case number:
			c.AppendNumber(v.num)
		case date:
			c.AppendText([]byte(data.DateText(v.num)))
		case words:
			c.AppendText([]byte(v.text))
		default:
			c.AppendMissing()
		}
	}
	return b.EndRow(line)
}

// Finish leaves out columns without names.
func (r *reader) Finish(b *table.Builder) error {
	if r.options.Schema != nil || r.columns == nil {
		return nil
	}
	for _, note := range b.LeaveOut(r.unnamed, r.columns, r.files, r.places) {
		r.noted.log(r.options, fmt.Sprintf("%s:%d: %s", r.file, r.line, note))
	}
	return nil
}
