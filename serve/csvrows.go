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

	"github.com/coppice-ml/coppice/data"
)

// csvReader reads rows of CSV.
type csvReader struct {
	*reading
	csv     *csv.Reader
	columns []int // by field of a line: the model's column, -1 = none, idField
	tokens  []string
	row     int
}

// idField stands for the field that is given back.
const idField = -2

// newCSVReader reads the header; without one the fields are the model's columns in their order.
func (in *reading) newCSVReader(body io.Reader, header bool) (*csvReader, error) {
	c := &csvReader{reading: in, csv: csv.NewReader(body)}
	c.csv.ReuseRecord = true
	c.csv.FieldsPerRecord = -1
	rows := in.model.rows
	if in.model.spec.Schema.Tokens == nil { // as files of CSV have them
		c.tokens = data.DefaultMissing
	}
	if !header {
		for i := range rows.Columns() {
			c.columns = append(c.columns, i)
		}
		return c, nil
	}
	names, err := c.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil, syntaxf("the body is empty: send a line with the names of the columns, then rows")
	}
	if err != nil {
		return nil, csvError(err)
	}
	for i, name := range names {
		if i == 0 {
			name = strings.TrimPrefix(name, "\ufeff")
		}
		at := rows.Index([]byte(name))
		switch {
		case at >= 0 && slices.Contains(c.columns, at):
			return nil, syntaxf("the column %q occurs twice in the first line", name)
		case at < 0 && in.id != "" && name == in.id:
			at = idField
		case at < 0 && in.strict:
			return nil, faultList{{Row: 0, Column: name, Detail: in.unknown(name)}}
		}
		c.columns = append(c.columns, at)
	}
	return c, nil
}

// next reads a row into r; io.EOF is the end.
func (c *csvReader) next(r *rowScratch) (named, error) {
	var out named
	fields, err := c.csv.Read()
	if errors.Is(err, io.EOF) {
		return out, err
	}
	if err != nil {
		return out, csvError(err)
	}
	c.row++
	clear(r.named)
	if len(fields) != len(c.columns) {
		out.fault(c.row, "", fmt.Sprintf("the line has %d fields, want %d", len(fields),
			len(c.columns)))
		return out, nil
	}
	rows := c.model.rows
	for i, at := range c.columns {
		if at == idField || at >= 0 && c.id == rows.Field(at).Name {
			out.id = quotedJSON(fields[i])
		}
		if at < 0 {
			continue
		}
		r.named[at] = true
		text := bytes.TrimSpace([]byte(fields[i]))
		if rows.Field(at).Kind != data.Text && slices.Contains(c.tokens, string(text)) {
			rows.Missing(r.row, at)
		} else if err := rows.Text(r.row, at, text); err != nil {
			out.fault(c.row, rows.Field(at).Name, err.Error())
		}
	}
	c.rest(r, &out, c.row)
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

// csv answers rows of CSV by rows of CSV, or by JSON where the request accepts that alone.
func (q *rowRequest) csv(w http.ResponseWriter, r *http.Request, header bool) error {
	in, err := q.newCSVReader(r.Body, header)
	if err != nil {
		return err
	}
	all, err := q.eachCSV(r, in)
	if err != nil {
		return err
	}
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		return writeJSON(w, struct {
			modelFields
			Predictions []*prediction `json:"predictions"`
		}{q.model.fields(), all})
	}
	w.Header().Set("X-Model-Id", q.model.id)
	return q.writeCSV(w, all)
}

// eachCSV predicts the rows of CSV.
func (q *rowRequest) eachCSV(r *http.Request, in *csvReader) ([]*prediction, error) {
	s := q.model.newScratch()
	defer q.model.scratch.Put(s)
	all := []*prediction{}
	var faults faultList
	for {
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		row, err := in.next(s)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if in.row > q.limit {
			return nil, newProblem(http.StatusRequestEntityTooLarge, kindSize,
				fmt.Sprintf("the body has more than %d rows: send JSON lines", q.limit))
		}
		p, err := q.row(s, row, in.row)
		if more, is := asFaults(err); is {
			faults = append(faults, more...)
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return all, nil
}

// writeCSV answers as the command predict writes: the label or number, then probabilities, flags
// and reasons. What a client requested stands before and behind.
func (q *rowRequest) writeCSV(w http.ResponseWriter, all []*prediction) error {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	spec := q.model.spec
	var line []string
	if q.id != "" {
		line = append(line, q.id)
	}
	line = append(line, "prediction")
	if spec.Task.Classes() {
		for _, class := range spec.Classes {
			line = append(line, "p_"+class)
		}
	}
	line = append(line, "flags")
	for i := range q.most {
		n := strconv.Itoa(i + 1)
		line = append(line, "reason_"+n, "value_"+n, "effect_"+n)
	}
	if q.by {
		line = append(line, "error")
	}
	_ = out.Write(line) // a buffer takes all
	for _, p := range all {
		_ = out.Write(q.csvLine(line[:0:0], p))
	}
	out.Flush()
	w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
	_, _ = w.Write(b.Bytes())
	return nil
}

// csvLine appends the fields of a prediction.
func (q *rowRequest) csvLine(line []string, p *prediction) []string {
	if q.id != "" {
		line = append(line, unquotedJSON(p.ID))
	}
	line = append(line, p.text())
	if classes := q.model.spec; classes.Task.Classes() {
		for i := range classes.Classes {
			text := ""
			if p.Probabilities != nil {
				text = numberText(p.Probabilities.values[i])
			}
			line = append(line, text)
		}
	}
	flags := make([]string, len(p.Flags))
	for i, f := range p.Flags {
		flags[i] = f.Kind + " " + f.Column
	}
	line = append(line, strings.Join(flags, "; "))
	for i := range q.most {
		if i < len(p.Reasons) {
			r := &p.Reasons[i]
			line = append(line, r.Column, r.Value, numberText(r.Effect))
		} else {
			line = append(line, "", "", "")
		}
	}
	if q.by {
		text := ""
		if p.Error != nil {
			text = p.Error.Detail
		}
		line = append(line, text)
	}
	return line
}

// text is a prediction as one field: the label, else its numbers.
func (p *prediction) text() string {
	switch {
	case p.Label != nil && p.Score == nil:
		return *p.Label
	case p.Score != nil:
		return numberText(*p.Score)
	case p.Value != nil:
		return numberText(*p.Value)
	}
	values := p.Values
	if p.Quantiles != nil {
		values = p.Quantiles.values
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = numberText(v)
	}
	return strings.Join(texts, " ")
}

// numberText writes a number so that it reads as the same one.
func numberText(v number) string { return strconv.FormatFloat(float64(v), 'g', -1, 64) }
