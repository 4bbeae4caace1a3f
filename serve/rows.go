package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// fault is a value of a request that cannot be predicted.
type fault struct {
	Row    int    `json:"row"`              // from 1
	Column string `json:"column,omitempty"` // "" = the row as a whole
	Detail string `json:"detail"`
}

func (f *fault) Error() string {
	if f.Column == "" {
		return fmt.Sprintf("row %d: %s", f.Row, f.Detail)
	}
	return fmt.Sprintf("row %d, column %q: %s", f.Row, f.Column, f.Detail)
}

// faultList are those of a request, in the order of its rows.
type faultList []*fault

func (f faultList) Error() string {
	texts := make([]string, 0, len(f))
	for i, one := range f {
		if i == mostFaults {
			texts = append(texts, fmt.Sprintf("and %d more", len(f)-i))
			break
		}
		texts = append(texts, one.Error())
	}
	return strings.Join(texts, "; ")
}

// mostFaults is how many faults an answer lists.
const mostFaults = 20

// syntaxError reports a body that is not what its type says.
type syntaxError struct{ text string }

func (e *syntaxError) Error() string { return e.text }

func syntaxf(format string, args ...any) error {
	return &syntaxError{fmt.Sprintf(format, args...)}
}

// reading is how the rows of a request are read.
type reading struct {
	model  *Model
	absent string       // what a column means that a row does not name: refuse, missing or zero
	strict bool         // a field that is no column is a fault
	id     string       // a field that is given back with the prediction; "" = none
	seen   *Observation // nil: nobody wants it
}

// named is a row that was read, with what stands beside the model's columns.
type named struct {
	id     json.RawMessage // nil: the row has none
	faults faultList
}

// object reads the fields of a JSON object into r. The opening brace was read.
func (in *reading) object(d *json.Decoder, r *rowScratch, row int) (named, error) {
	var out named
	clear(r.named)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return out, jsonError(d, err)
		}
		key, ok := token.(string)
		if !ok {
			return out, syntaxf("byte %d: want the name of a column", d.InputOffset())
		}
		if in.id != "" && key == in.id {
			if err := in.takeID(d, r, &out, key, row); err != nil {
				return out, err
			}
			continue
		}
		column := in.model.rows.Index([]byte(key))
		if column < 0 {
			if in.strict {
				out.fault(row, key, in.unknown(key))
			}
			if err := skip(d); err != nil {
				return out, err
			}
			continue
		}
		if r.named[column] {
			out.fault(row, key, "the field occurs twice")
		}
		r.named[column] = true
		if err := in.value(d, r, &out, column, row); err != nil {
			return out, err
		}
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return out, jsonError(d, err)
	}
	in.rest(r, &out, row)
	return out, nil
}

// takeID keeps the value that is given back, which may be that of a column, too.
func (in *reading) takeID(
	d *json.Decoder, r *rowScratch, out *named, key string, row int,
) error {
	if err := d.Decode(&out.id); err != nil {
		return jsonError(d, err)
	}
	column := in.model.rows.Index([]byte(key))
	if column < 0 {
		return nil
	}
	r.named[column] = true
	inner := decoderOf(bytes.NewReader(out.id))
	return in.value(inner, r, out, column, row)
}

// value reads the value of a column.
func (in *reading) value(
	d *json.Decoder, r *rowScratch, out *named, column, row int,
) error {
	token, err := d.Token()
	if err != nil {
		return jsonError(d, err)
	}
	rows := in.model.rows
	switch v := token.(type) {
	case nil:
		rows.Missing(r.row, column)
	case string:
		err = rows.Text(r.row, column, []byte(v))
	case json.Number:
		err = rows.Numeral(r.row, column, []byte(v))
	case bool:
		err = rows.Truth(r.row, column, v)
	case json.Delim:
		if err := skipOpen(d); err != nil {
			return err
		}
		err = errors.New("want one value, not an object or an array")
	}
	if err != nil {
		out.fault(row, rows.Field(column).Name, err.Error())
	}
	return nil
}

// rest gives the columns that a row does not name their values.
func (in *reading) rest(r *rowScratch, out *named, row int) {
	rows := in.model.rows
	for column, has := range r.named {
		if has {
			continue
		}
		switch f := rows.Field(column); {
		case in.absent == "zero" && f.Kind == data.Numeric:
			_ = rows.Number(r.row, column, 0) // which a column of numbers takes
		case in.absent == "zero" || in.absent == "missing":
			rows.Missing(r.row, column)
		default:
			out.fault(row, f.Name, "the row does not name the column: null is a missing value")
		}
	}
}

// unknown says that a field is no column, with the nearest.
func (in *reading) unknown(key string) string {
	names := make([]string, in.model.rows.Columns())
	for i := range names {
		names[i] = in.model.rows.Field(i).Name
	}
	if near := param.Nearest(key, names); near != "" {
		return fmt.Sprintf("the model has no such column: the nearest is %q", near)
	}
	return "the model has no such column"
}

func (n *named) fault(row int, column, detail string) {
	n.faults = append(n.faults, &fault{Row: row, Column: column, Detail: detail})
}

// decoderOf returns a decoder that keeps numbers as they are written.
func decoderOf(r io.Reader) *json.Decoder {
	d := json.NewDecoder(r)
	d.UseNumber()
	return d
}

// skip moves over a value.
func skip(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return jsonError(d, err)
	}
	if _, open := token.(json.Delim); open {
		return skipOpen(d)
	}
	return nil
}

// skipOpen moves over the rest of an object or an array that was opened.
func skipOpen(d *json.Decoder) error {
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return jsonError(d, err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

// jsonError says where JSON is broken.
func jsonError(d *json.Decoder, err error) error {
	var broken *json.SyntaxError
	switch {
	case errors.As(err, &broken):
		return syntaxf("the body is no JSON behind byte %d: %s", d.InputOffset(), broken.Error())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return syntaxf("the body ends inside of its JSON, behind byte %d", d.InputOffset())
	}
	return err
}

// end reports what stands behind the JSON of a body.
func end(d *json.Decoder) error {
	_, err := d.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return jsonError(d, err)
	}
	return syntaxf("byte %d of the body: something follows the JSON", d.InputOffset())
}
