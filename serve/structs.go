package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// HandlerOf answers rows that are structs: the body of a POST is one as JSON, or an array of them,
// and encoding/json decodes it by the struct's own tags and methods. Columns are its fields by the
// tags that data.FromStructs uses:
//
//	type Customer struct {
//		Age  *float64 `json:"age" coppice:"age"`        // nil is missing
//		Plan string   `json:"tariff" coppice:"plan"`    // "" is missing
//	}
//
//	h, err := serve.HandlerOf[Customer](churn, serve.Options{})
//	http.Handle("POST /score", h)
//
// It answers as the row API does, with its parameters but for id and absent: a field that the JSON
// does not name has its zero value. The limits, tokens and Observe of the options hold; EachRow and
// ID do not, since the columns are those of the struct. Errors are those of data.NewRowReader,
// which names a column that has no field.
func HandlerOf[T any](m *Model, o Options) (http.Handler, error) {
	reader, err := data.NewRowReader(reflect.TypeFor[T](), &m.spec.Schema)
	if err != nil {
		return nil, err
	}
	typed := &Model{name: m.name, version: m.version, id: m.id, head: m.head, levels: m.levels,
		model: m.model, spec: m.spec, rows: m.rows, checked: m.checked, reference: m.reference}
	if err := typed.bind(reader.Schema()); err != nil {
		return nil, fmt.Errorf("struct %s: %w", reflect.TypeFor[T](), err)
	}
	set := NewModels()
	set.Put(typed)
	o.EachRow, o.ID = nil, ""
	h := newHandler(set, o)
	return h.limited(writeProblem, func(c *call, r *http.Request) error {
		if r.Method != "POST" {
			c.Header().Set("Allow", "POST")
			return newProblem(http.StatusMethodNotAllowed, kindMethod,
				fmt.Sprintf("%s has no method %s: use POST", r.URL.Path, r.Method))
		}
		if h.Tokens != nil {
			if _, err := h.allowed(r); err != nil {
				c.Header().Set("WWW-Authenticate", "Bearer")
				return err
			}
		}
		values := r.URL.Query()
		for _, name := range []string{"id", "absent", "version"} {
			if values.Has(name) {
				return syntaxf("the address has no parameter %s", name)
			}
		}
		q, err := c.newRowRequest(typed, values)
		if err != nil {
			return err
		}
		return answerStructs[T](r, q, reader)
	}, typeJSON, typeCSV), nil
}

// answerStructs answers a body of structs.
func answerStructs[T any](r *http.Request, q *rowRequest, reader *data.RowReader) error {
	kind, _, err := contentType(r)
	if err == nil && kind != typeJSON {
		err = unsupported(kind, typeJSON)
	}
	if err == nil {
		err = q.receive()
	}
	if err != nil {
		return err
	}
	rows := &structRows[T]{&q.reading, reader, q.scan()}
	if rows.scanner.Next() == '[' {
		return q.answer(r, rows, typeJSON)
	}
	return q.one(r, func(s *rowScratch) (named, error) { return rows.read(s, 1) })
}

// structRows are the rows of a JSON array of structs.
type structRows[T any] struct {
	*reading
	reader  *data.RowReader
	scanner *jsonScanner
}

// next reads a row. Behind the last one the text ends.
func (t *structRows[T]) next(r *rowScratch, row int) (named, error) {
	if err := t.scanner.row(row); err != nil {
		return named{}, err
	}
	return t.read(r, row)
}

// read reads the struct that comes next.
func (t *structRows[T]) read(r *rowScratch, row int) (named, error) {
	var out named
	if t.scanner.Next() != '{' {
		return out, t.scanner.broken("a row as a JSON object, or an array of them")
	}
	from := t.scanner.At
	if err := t.scanner.skip(); err != nil {
		return out, err
	}
	var value T
	d := json.NewDecoder(bytes.NewReader(t.scanner.Text[from:t.scanner.At]))
	if t.strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(&value); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			out.fault(row, kind.Field, fmt.Sprintf("want %s, not a JSON %s",
				cmp.Or(wantedJSON[kind.Type.Kind()], "a whole number"), kind.Value))
		} else {
			out.fault(row, "", strings.TrimPrefix(err.Error(), "json: "))
		}
		return out, nil
	}
	t.reader.Read(r.row, reflect.ValueOf(&value).Elem(), nil)
	return out, nil
}

// wantedJSON is the JSON that a type of Go is read from, where that is no whole number.
var wantedJSON = map[reflect.Kind]string{reflect.Struct: "an object", reflect.Map: "an object",
	reflect.Slice: "an array", reflect.Array: "an array", reflect.String: "a text",
	reflect.Bool: "true or false", reflect.Float32: "a number", reflect.Float64: "a number"}
