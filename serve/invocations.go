package serve

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// invocations answers the requests of Amazon SageMaker and of MLflow, which name no model: it is
// the only one, or that of ?model=.
func (h *handler) invocations(c *call, r *http.Request) error {
	m, err := h.invoked(r)
	if err != nil {
		return err
	}
	kind, parameters, err := contentType(r)
	if err != nil {
		return err
	}
	values := r.URL.Query()
	if r.Header.Get("X-Amzn-Sagemaker-Custom-Attributes") == "proba=1" { // its addresses have none
		values.Set("proba", "1")
	}
	q, err := c.simpleRequest(m, values, "unknown", "absent", "version", "model", "proba")
	if err == nil {
		err = c.receive()
	}
	if err != nil {
		return err
	}
	var all []any
	switch kind {
	case "application/json":
		all, err = q.invokedJSON(r)
	case "text/csv":
		header := h.CSVHeader
		if text, given := parameters["header"]; given {
			if err := oneOf("header", text, "present", "absent"); err != nil {
				return err
			}
			header = text == "present"
		}
		var rows *csvReader
		if rows, err = q.newCSVReader(&c.buffer.body, header); err == nil {
			all, err = q.simpleOf(r.Context(), rows)
		}
	default:
		err = unsupported(kind, "application/json or text/csv")
	}
	if err != nil {
		return err
	}
	if kind, _ = form(r, kind, typeJSON, typeCSV); kind == typeCSV {
		return writeInvokedCSV(c, all)
	}
	return writeJSON(c, map[string]any{"predictions": all})
}

// invoked returns the model of a request that may name none.
func (h *handler) invoked(r *http.Request) (*Model, error) {
	if name := r.URL.Query().Get("model"); name != "" {
		return find(h.set(r), name, r.URL.Query().Get("version"))
	}
	if m := h.set(r).Only(); m != nil {
		return m, nil
	}
	return nil, newProblem(http.StatusNotFound, kindModel, fmt.Sprintf(
		"%d models are served: name one by /invocations?model=NAME", len(h.set(r).All())))
}

// instancesBody is a JSON body whose rows have one of some names.
type instancesBody struct {
	form    string
	columns []string // of dataframe_split
	rows    jsonScanner
}

// instancesOf reads a body whose rows have one of some names.
func (q *rowRequest) instancesOf(names ...string) (b instancesBody, err error) {
	s := q.scan()
	err = s.fields(func(name string) (err error) {
		if b.form != "" {
			return syntaxf("the body has %s and %s: send one of them", b.form, name)
		}
		if b.form = name; name == "dataframe_split" {
			return b.split(s, q.mostNames())
		}
		b.rows, err = s.value()
		return err
	}, names...)
	if err = cmp.Or(err, s.end()); err == nil && b.form == "" {
		err = syntaxf("the body has none of %s: send a list of rows", strings.Join(names, ", "))
	}
	return b, err
}

// split reads the columns and the rows of dataframe_split.
func (b *instancesBody) split(s *jsonScanner, most int) error {
	err := s.fields(func(name string) (err error) {
		if name == "data" {
			b.rows, err = s.value()
			return err
		}
		b.columns = []string{}
		return s.list(most, "columns", func() error {
			var column string
			err := s.text(&column)
			b.columns = append(b.columns, column)
			return err
		})
	}, "columns", "data")
	if err == nil && (b.columns == nil || b.rows.Text == nil) {
		err = syntaxf(`"dataframe_split" has no "columns" and "data": it needs both`)
	}
	return err
}

// mostNames is how many columns a table may name, most of which the model may not have.
func (in *reading) mostNames() int { return in.model.rows.Columns() + 10_000 }

// invokedJSON predicts the rows of a JSON body.
func (q *rowRequest) invokedJSON(r *http.Request) ([]any, error) {
	b, err := q.instancesOf("dataframe_split", "dataframe_records", "instances", "inputs")
	if err != nil {
		return nil, err
	}
	var rows rowSource
	var columns []int
	if b.columns != nil {
		columns, err = q.columnsOf(b.columns)
	}
	switch {
	case err != nil:
	case b.form == "inputs" && b.rows.Next() == '{':
		rows, err = q.byColumns(&b.rows)
	default:
		rows, err = q.list(&b.rows, columns)
	}
	if err != nil {
		return nil, err
	}
	return q.simpleOf(r.Context(), rows)
}

// listedColumns are rows of which each column is a JSON array.
type listedColumns struct {
	*reading
	names    []string
	columns  []int // as of columnsOf
	scanners []jsonScanner
}

// byColumns finds the arrays of an object, by the names of columns.
func (in *reading) byColumns(s *jsonScanner) (*listedColumns, error) {
	c := &listedColumns{reading: in}
	err := s.object(func(name []byte) error {
		if len(c.names) == in.mostNames() {
			return syntaxf("byte %d of the body: more than %d columns", s.At+1, len(c.names))
		}
		c.names = append(c.names, string(name))
		values, err := s.value()
		c.scanners = append(c.scanners, values)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.columns, err = in.columnsOf(c.names)
	return c, err
}

// next reads a row, which is the next value of each array.
func (c *listedColumns) next(r *rowScratch, row int) (named, error) {
	var out named
	clear(r.named)
	all := true
	for i := range c.scanners {
		s := &c.scanners[i]
		more, err := s.more(row)
		if err == nil && i > 0 && more != all {
			err = syntaxf("inputs: %q and %q have not as many values", c.names[0], c.names[i])
		}
		if all = more; err == nil && more {
			err = c.at(s, r, &out, c.columns[i], row)
		}
		if err != nil {
			return out, err
		}
	}
	if len(c.scanners) == 0 || !all {
		return out, io.EOF
	}
	c.rest(r, &out, row)
	return out, nil
}

// writeInvokedCSV answers with a line for each row, without a header.
func writeInvokedCSV(w http.ResponseWriter, all []any) error {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	for _, p := range all {
		var line []string
		switch p := p.(type) {
		case string:
			line = []string{p}
		case number:
			line = []string{numberText(p)}
		case []number:
			for _, v := range p {
				line = append(line, numberText(v))
			}
		}
		_ = out.Write(line) // a buffer takes all
	}
	out.Flush()
	w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=absent")
	_, _ = w.Write(b.Bytes())
	return nil
}
