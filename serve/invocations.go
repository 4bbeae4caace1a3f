package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
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
		Columns []string          `json:"columns"`
		Index   []json.RawMessage `json:"index"`
		Data    json.RawMessage   `json:"data"`
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
	switch {
	case d.Split != nil:
		rows, err := split(d.Split.Columns, d.Split.Data, q.limit)
		if err != nil {
			return nil, err
		}
		return q.simple(r.Context(), rows, "dataframe_split")
	case d.Records != nil:
		return q.simple(r.Context(), d.Records, "dataframe_records")
	case d.Instances != nil:
		return q.simple(r.Context(), d.Instances, "instances")
	case d.Inputs != nil:
		rows, err := byColumns(d.Inputs, q.limit)
		if err != nil {
			return nil, err
		}
		return q.simple(r.Context(), rows, "inputs")
	}
	return nil, syntaxf("the body has none of dataframe_split, dataframe_records, instances and inputs")
}

// split makes objects of rows that are lists of values for some columns.
func split(columns []string, data json.RawMessage, most int) (json.RawMessage, error) {
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
