package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// invocations answers the requests of Amazon SageMaker and of MLflow, which name no model: it is
// the only one, or that of ?model=.
func (h *handler) invocations(w http.ResponseWriter, r *http.Request) error {
	m, err := h.invoked(r)
	if err != nil {
		return err
	}
	kind, parameters, err := contentType(r)
	if err != nil {
		return err
	}
	in := h.reading(r.Context(), m)
	var all []any
	switch kind {
	case "application/json":
		all, err = h.invokedJSON(r, &in)
	case "text/csv":
		header := h.CSVHeader
		if text, given := parameters["header"]; given {
			if err := oneOf("header", text, "present", "absent"); err != nil {
				return err
			}
			header = text == "present"
		}
		all, err = h.invokedCSV(r, &in, header)
	default:
		err = unsupported(kind, "application/json or text/csv")
	}
	if err != nil {
		return err
	}
	accept := r.Header.Get("Accept")
	if accept == "text/csv" || kind == "text/csv" && !strings.Contains(accept, "json") {
		return writeInvokedCSV(w, all)
	}
	return writeJSON(w, map[string]any{"predictions": all})
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
		Columns []string          `json:"columns"`
		Index   []json.RawMessage `json:"index"`
		Data    json.RawMessage   `json:"data"`
	} `json:"dataframe_split"`
	Records   json.RawMessage `json:"dataframe_records"`
	Instances json.RawMessage `json:"instances"`
	Inputs    json.RawMessage `json:"inputs"`
}

// invokedJSON predicts the rows of a JSON body.
func (h *handler) invokedJSON(r *http.Request, in *reading) ([]any, error) {
	var q dataframe
	if err := decodeBody(r, &q); err != nil {
		return nil, err
	}
	switch {
	case q.Split != nil:
		rows, err := in.split(q.Split.Columns, q.Split.Data, h.MaxRows)
		if err != nil {
			return nil, err
		}
		return h.simple(r.Context(), in, rows, "dataframe_split")
	case q.Records != nil:
		return h.simple(r.Context(), in, q.Records, "dataframe_records")
	case q.Instances != nil:
		return h.simple(r.Context(), in, q.Instances, "instances")
	case q.Inputs != nil:
		rows, err := byColumns(q.Inputs, h.MaxRows)
		if err != nil {
			return nil, err
		}
		return h.simple(r.Context(), in, rows, "inputs")
	}
	return nil, syntaxf("the body has none of dataframe_split, dataframe_records, instances and inputs")
}

// split makes objects of rows that are lists of values for some columns.
func (in *reading) split(columns []string, data json.RawMessage, most int) (json.RawMessage, error) {
	var rows [][]json.RawMessage
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, syntaxf("dataframe_split: the data are no list of rows")
	}
	for i, name := range columns {
		if slices.Contains(columns[:i], name) {
			return nil, syntaxf("dataframe_split: the column %q occurs twice", name)
		}
	}
	if len(rows) > most {
		return nil, newProblem(http.StatusRequestEntityTooLarge, kindSize,
			fmt.Sprintf("dataframe_split has %d rows: the limit is %d", len(rows), most))
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, row := range rows {
		if len(row) != len(columns) {
			return nil, &fault{Row: i + 1, Detail: fmt.Sprintf("the row has %d values for %d columns",
				len(row), len(columns))}
		}
		writeObject(&b, i, columns, row)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// writeObject writes a row as an object.
func writeObject(b *bytes.Buffer, row int, columns []string, values []json.RawMessage) {
	if row > 0 {
		b.WriteByte(',')
	}
	b.WriteByte('{')
	for k, name := range columns {
		if k > 0 {
			b.WriteByte(',')
		}
		b.Write(quotedJSON(name))
		b.WriteByte(':')
		b.Write(values[k])
	}
	b.WriteByte('}')
}

// byColumns makes rows of inputs: they are lists of values by the names of columns, or rows
// already.
func byColumns(inputs json.RawMessage, most int) (json.RawMessage, error) {
	var columns map[string][]json.RawMessage
	if json.Unmarshal(inputs, &columns) != nil {
		return inputs, nil // rows, or what the reader of rows refuses
	}
	var names []string
	n := -1
	for name, values := range columns {
		names = append(names, name)
		if n >= 0 && len(values) != n {
			return nil, syntaxf("inputs: %q has %d values, and %q has %d", name, len(values),
				names[0], n)
		}
		n = len(values)
	}
	if n > most {
		return nil, newProblem(http.StatusRequestEntityTooLarge, kindSize,
			fmt.Sprintf("inputs have %d rows: the limit is %d", n, most))
	}
	slices.Sort(names)
	var b bytes.Buffer
	b.WriteByte('[')
	row := make([]json.RawMessage, len(names))
	for i := range n {
		for k, name := range names {
			row[k] = columns[name][i]
		}
		writeObject(&b, i, names, row)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// invokedCSV predicts the rows of a CSV body.
func (h *handler) invokedCSV(r *http.Request, in *reading, header bool) ([]any, error) {
	c, err := in.newCSVReader(r.Body, header)
	if err != nil {
		return nil, err
	}
	s := in.model.newScratch()
	defer in.model.scratch.Put(s)
	all := []any{}
	var faults faultList
	for {
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		row, err := c.next(s)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && len(row.faults) > 0 {
			err = row.faults
		}
		if err == nil {
			err = in.predicted(s, c.row)
		}
		if more, is := asFaults(err); is {
			faults = append(faults, more...)
			continue
		}
		if err != nil {
			return nil, err
		}
		if c.row > h.MaxRows {
			return nil, newProblem(http.StatusRequestEntityTooLarge, kindSize,
				fmt.Sprintf("the body has more than %d rows", h.MaxRows))
		}
		all = append(all, in.model.simple(s.response))
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return all, nil
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
