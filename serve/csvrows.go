package serve

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/model"
)

// csvReader reads rows of CSV.
type csvReader struct {
	*reading
	csv     *csv.Reader
	body    []byte
	at      int    // where the next line begins
	columns []int  // by field of a line, as of columnsOf
	text    []byte // of the last field
}

// idField stands for the field that is given back.
const idField = -2

// newCSVReader reads the header; without one the fields are the model's columns in their order.
func (in *reading) newCSVReader(body *bytes.Buffer, header bool) (*csvReader, error) {
	fields, quoted := 1, false
	for _, c := range body.Bytes() { // encoding/csv would hold a field of no byte by 40
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			fields = 1
		case c == ',' && !quoted:
			if fields++; fields > in.mostNames() {
				return nil, syntaxf("a line of the body has more than %d fields", in.mostNames())
			}
		}
	}
	c := &csvReader{reading: in, body: body.Bytes(), csv: csv.NewReader(body)}
	c.csv.ReuseRecord = true
	c.csv.FieldsPerRecord = -1
	if !header {
		c.columns = in.model.columns()
		return c, nil
	}
	names, err := c.line()
	if errors.Is(err, io.EOF) {
		return nil, syntaxf("the body is empty: send a line with the names of the columns, then rows")
	}
	if err != nil {
		return nil, csvError(err)
	}
	names[0] = strings.TrimPrefix(names[0], "\ufeff")
	c.columns, err = in.columnsOf(names)
	return c, err
}

// columns are the places of all columns, in their order.
func (m *Model) columns() []int {
	all := make([]int, m.rows.Columns())
	for i := range all {
		all[i] = i
	}
	return all
}

// columnsOf finds the columns of a list of names: the model's, -1 = none, idField.
func (in *reading) columnsOf(names []string) (columns []int, err error) {
	columns = []int{}
	for i, name := range names {
		at := in.model.rows.Index([]byte(name))
		switch {
		case !utf8.ValidString(name):
			return nil, syntaxf("the name of column %d is %q: want UTF-8", i+1, name)
		case at >= 0 && slices.Contains(names[:i], name):
			return nil, syntaxf("the column %q occurs twice", name)
		case at < 0 && in.id != "" && name == in.id:
			at = idField
		case at < 0 && in.strict:
			return nil, &fault{Column: name, Detail: in.unknown(name)}
		}
		columns = append(columns, at)
	}
	if refuses := in.absent != "missing" && in.absent != "zero"; refuses && len(names) > 0 && slices.Max(columns) < 0 {
		return nil, syntaxf("no column of the table is one of the model, whose first is %q: the table's is %.200q "+
			"(CSV has a line of names, with commas between them, or the type text/csv; header=absent)",
			in.model.rows.Field(0).Name, names[0])
	}
	return columns, nil
}

// line returns the fields of the next line. An empty one, which encoding/csv passes over, is a
// missing value where there is one column.
func (c *csvReader) line() ([]string, error) {
	if line, _, more := bytes.Cut(c.body[c.at:], []byte{'\n'}); len(c.columns) == 1 && more && len(bytes.TrimSpace(line)) == 0 {
		c.at += len(line) + 1
		return []string{""}, nil
	}
	fields, err := c.csv.Read()
	c.at = int(c.csv.InputOffset())
	return fields, err
}

// next reads a row into r; io.EOF is the end.
func (c *csvReader) next(r *rowScratch, row int) (named, error) {
	var out named
	fields, err := c.line()
	if errors.Is(err, io.EOF) {
		return out, err
	}
	if err != nil {
		return out, csvError(err)
	}
	clear(r.named)
	if len(fields) != len(c.columns) {
		out.fault(row, "", fmt.Sprintf("the line has %d fields, want %d", len(fields),
			len(c.columns)))
		return out, nil
	}
	rows := c.model.rows
	for i, at := range c.columns {
		if at == idField || at >= 0 && c.id == rows.Field(at).Name {
			out.giveID(row, c.id, fields[i])
		}
		if at < 0 {
			continue
		}
		r.named[at] = true
		c.text = append(c.text[:0], fields[i]...)
		if err := rows.Cell(r.row, at, c.text); err != nil && row == 1 && fields[i] == rows.Field(at).Name {
			return out, syntaxf("the first line of the body has the names of the columns: send text/csv; header=present")
		} else if err != nil {
			out.fault(row, rows.Field(at).Name, err.Error())
		}
	}
	c.rest(r, &out, row)
	return out, nil
}

// csvError says where CSV is broken.
func csvError(err error) error {
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return syntaxf("line %d of the body is no CSV: %v", broken.Line, broken.Err)
	}
	return err
}

// answerCSV predicts the rows of a source, and answers by rows of CSV.
func (q *rowRequest) answerCSV(r *http.Request, rows rowSource) error {
	w, b := q.call, q.buffer
	buffered := bytes.NewBuffer(b.answer)
	out := csv.NewWriter(buffered)
	line, _ := q.header()
	_ = out.Write(line) // a buffer takes all
	err := q.each(r.Context(), rows, func(p *prediction) int {
		line = q.csvLine(line[:0], p)
		_ = out.Write(line)
		return buffered.Len()
	})
	out.Flush()
	b.answer = buffered.Bytes()
	if err != nil {
		return err
	}
	w.Header().Set("X-Model-Id", q.model.id)
	w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
	_, _ = w.Write(b.answer) // a client that has gone needs no answer
	return nil
}

// header returns the names of what the command predict writes: the label, then the numbers, flags
// and reasons. What a client requested stands before and behind. numbers: the column has numbers
// alone.
func (q *rowRequest) header() (names []string, numbers []bool) {
	spec := q.model.spec
	column := func(name string, number bool) {
		names, numbers = append(names, name), append(numbers, number)
	}
	if q.id != "" {
		column(q.id, false)
	}
	if spec.Task.Classes() {
		column("prediction", false)
	}
	for _, name := range q.model.logged {
		column(unquotedJSON([]byte(name)), true)
	}
	column("flags", false)
	for i := range q.most {
		n := strconv.Itoa(i + 1)
		column("reason_"+n, false)
		column("value_"+n, false)
		column("effect_"+n, true)
	}
	if q.change != nil {
		column("why", false)
	}
	if q.by {
		column("error", false)
	}
	return names, numbers
}

// csvLine appends the fields of a prediction.
func (q *rowRequest) csvLine(line []string, p *prediction) []string {
	if q.id != "" {
		line = append(line, unquotedJSON(p.id))
	}
	var label string
	numbers := make([]string, len(q.model.logged))
	if spec := q.model.spec; p.err == nil {
		if spec.Task.Classes() {
			label = spec.Classes[spec.Decision.Label(p.response)]
		}
		for i, v := range p.response {
			numbers[i] = numberText(number(v))
		}
	}
	if q.model.spec.Task.Classes() {
		line = append(line, label)
	}
	line = append(line, numbers...)
	line = append(line, flagsText(p.flags))
	for i := range q.most {
		if i < len(p.reasons) {
			r := &p.reasons[i]
			line = append(line, r.Column, r.Value, numberText(number(r.Effect)))
		} else {
			line = append(line, "", "", "")
		}
	}
	if q.change != nil {
		line = append(line, p.changeText())
	}
	if q.by {
		text := ""
		if p.err != nil {
			text = p.err.Detail
		}
		line = append(line, text)
	}
	return line
}

// flagsText writes flags as the command predict does.
func flagsText(flags []model.Flag) string {
	texts := make([]string, len(flags))
	for i, f := range flags {
		texts[i] = f.Kind.String() + " " + f.Column
	}
	return strings.Join(texts, "; ")
}
