package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
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
	q, err := c.simpleRequest(m, values, true)
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
	accept := r.Header.Get("Accept")
	if accept == "text/csv" || kind == "text/csv" && !strings.Contains(accept, "json") {
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

// dataframe is the body of MLflow's requests: one of these.
type dataframe struct {
	Split *struct {
		Columns []string        `json:"columns"`
		Data    json.RawMessage `json:"data"`
	} `json:"dataframe_split"`
	Records   json.RawMessage `json:"dataframe_records"`
	Instances json.RawMessage `json:"instances"`
	Inputs    json.RawMessage `json:"inputs"`
}

// invokedJSON predicts the rows of a JSON body.
func (q *rowRequest) invokedJSON(r *http.Request) ([]any, error) {
	var d dataframe
	if err := decodeBody(q.buffer.body.Bytes(), &d); err != nil {
		return nil, err
	}
	var rows rowSource
	err := error(syntaxf("the body has none of dataframe_split, dataframe_records, instances and inputs"))
	switch {
	case d.Split != nil:
		var columns []int
		if columns, err = q.columnsOf(d.Split.Columns); err == nil {
			rows, err = q.list(d.Split.Data, "dataframe_split", columns)
		}
	case d.Records != nil:
		rows, err = q.list(d.Records, "dataframe_records", nil)
	case d.Instances != nil:
		rows, err = q.list(d.Instances, "instances", nil)
	case d.Inputs != nil && d.Inputs[0] == '{':
		rows, err = q.byColumns(d.Inputs)
	case d.Inputs != nil:
		rows, err = q.list(d.Inputs, "inputs", nil)
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
func (in *reading) byColumns(object json.RawMessage) (*listedColumns, error) {
	c := &listedColumns{reading: in}
	s := &jsonScanner{}
	s.reset(object)
	for s.Take('{') || s.Take(',') { // encoding/json has read it
		name, err := s.quoted("a name")
		if err == nil {
			c.names = append(c.names, string(name))
			s.Take(':')
			from := s.At
			err = s.skip()
			c.scanners = append(c.scanners, jsonScanner{})
			c.scanners[len(c.scanners)-1].reset(s.Text[from:s.At])
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
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
