package serve

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
)

// TableFormat is a type of content of the row API beside JSON and CSV, whose body is a whole table,
// as Arrow IPC is. A program that wants none compiles none.
type TableFormat struct {
	Type string // of content, such as application/vnd.apache.arrow.stream
	// Read reads a body. The error is that of a body that is none; one that wraps memory.ErrLimit
	// refuses its size.
	Read func(ctx context.Context, body []byte) (*data.Frame, error)
	// Write writes predictions: columns of numbers and of texts.
	Write func(w io.Writer, f *data.Frame) error
}

// tableFormat returns the format of a type of content; nil if there is none.
func (h *handler) tableFormat(kind string) *TableFormat {
	for i := range h.Tables {
		if h.Tables[i].Type == kind {
			return &h.Tables[i]
		}
	}
	return nil
}

// table answers a body that is a table.
func (q *rowRequest) table(r *http.Request, format *TableFormat) error {
	f, err := format.Read(r.Context(), q.buffer.body.Bytes())
	if err != nil {
		if ctx := r.Context().Err(); ctx != nil {
			return ctx
		}
		var at *data.ReadError
		if errors.As(err, &at) && at.Line > 0 && errors.Is(err, data.ErrText) {
			return &fault{at.Line, at.Column, "want a text in UTF-8"}
		}
		return syntaxf("the body is no %s: %v", format.Type, err)
	}
	rows, err := q.frameRows(f)
	if err != nil {
		return err
	}
	return q.answer(r, rows, format.Type)
}

// frameRows are the rows of a table.
type frameRows struct {
	*reading
	frame   *data.Frame
	columns []int // by column of the table, as of columnsOf
	id      int   // column of the table that is given back; -1 = none
}

// frameRows finds the columns of a table by their names.
func (in *reading) frameRows(f *data.Frame) (*frameRows, error) {
	names := f.Schema.Names()
	columns, err := in.columnsOf(names)
	if err != nil {
		return nil, err
	}
	id := -1
	if in.id != "" {
		id = slices.Index(names, in.id)
	}
	return &frameRows{in, f, columns, id}, nil
}

// next reads a row.
func (t *frameRows) next(r *rowScratch, row int) (named, error) {
	var out named
	if row > t.frame.Rows() {
		return out, io.EOF
	}
	clear(r.named)
	for i, at := range t.columns {
		text, v, is := t.value(i, row-1)
		if i == t.id {
			if out.id = appendNumber(nil, v); is {
				out.giveID(row, t.reading.id, text)
			}
		}
		if at < 0 {
			continue
		}
		r.named[at] = true
		rows, err := t.model.rows, error(nil)
		switch kind := t.frame.Schema.Fields[i].Kind; {
		case is:
			err = rows.Text(r.row, at, []byte(text))
		case v != v:
			rows.Missing(r.row, at)
		case kind == data.Date:
			err = rows.Time(r.row, at, v)
		default:
			err = rows.Number(r.row, at, v)
		}
		if err != nil {
			out.fault(row, rows.Field(at).Name, err.Error())
		}
	}
	t.rest(r, &out, row)
	return out, nil
}

// value returns a value of the table, which is a text or a number; NaN is missing.
func (t *frameRows) value(column, row int) (text string, v float64, is bool) {
	f, c := &t.frame.Schema.Fields[column], &t.frame.Columns[column]
	if !f.Kind.HasLevels() {
		return "", c.Number(row), false
	}
	if code := c.Code(row); int64(code) < int64(len(f.Levels)) {
		return f.Levels[code], 0, true
	}
	return "", math.NaN(), false
}

// answerTable predicts the rows of a source, and answers by a table of the columns that CSV has.
func (q *rowRequest) answerTable(r *http.Request, rows rowSource, format *TableFormat) error {
	names, numbers := q.header()
	lines := make([][]string, len(names)) // by column
	line := make([]string, 0, len(names))
	size := 0
	err := q.each(r.Context(), rows, func(p *prediction) int {
		for i, text := range q.csvLine(line[:0], p) {
			lines[i] = append(lines[i], text)
			size += 16 + len(text)
		}
		return size
	})
	if err != nil {
		return err
	}
	f, err := tableOf(names, numbers, lines)
	if err != nil {
		return err
	}
	q.Header().Set("X-Model-Id", q.model.id)
	q.Header().Set("Content-Type", format.Type)
	return format.Write(q.call, f)
}

// tableOf makes a table of columns that are texts, some of them of numbers. The empty text is
// missing.
func tableOf(names []string, numbers []bool, lines [][]string) (*data.Frame, error) {
	s := data.Schema{Fields: make([]data.Field, len(names))}
	columns := make([]data.Column, len(names))
	for i, name := range names {
		s.Fields[i].Name = name
		if numbers[i] {
			values := make([]float64, len(lines[i]))
			for k, text := range lines[i] {
				var err error
				if values[k], err = strconv.ParseFloat(text, 64); err != nil {
					values[k] = math.NaN()
				}
			}
			columns[i] = data.Numbers(values)
			continue
		}
		levels := slices.Compact(slices.Sorted(slices.Values(lines[i])))
		if len(levels) > 0 && levels[0] == "" {
			levels = levels[1:]
		}
		codes := make([]uint32, len(lines[i]))
		for k, text := range lines[i] {
			code, has := slices.BinarySearch(levels, text)
			if codes[k] = uint32(code); !has {
				codes[k] = data.MissingCode
			}
		}
		s.Fields[i].Kind, s.Fields[i].Levels = data.Categorical, levels
		columns[i] = data.Codes(codes)
	}
	return data.NewFrame(s, columns)
}
