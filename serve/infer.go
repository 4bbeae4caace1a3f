package serve

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
)

// inferRequest is a request of the Open Inference Protocol.
type inferRequest struct {
	ID         string
	Inputs     []tensor
	Outputs    []wantedOutput
	Parameters parameters
}

// wantedOutput is an output that a request names.
type wantedOutput struct {
	Name       string
	Parameters parameters
}

// read reads a request that has no more inputs than the model has columns, and no more outputs.
func (q *inferRequest) read(s *jsonScanner, m *Model) error {
	err := s.fields(func(name string) error {
		switch name {
		case "id":
			return s.text(&q.ID)
		case "parameters":
			return q.Parameters.read(s)
		case "inputs":
			return s.list(m.rows.Columns(), "inputs: the model has no more columns", func() error {
				var t tensor
				err := t.read(s)
				q.Inputs = append(q.Inputs, t)
				return err
			})
		}
		return s.list(len(m.outputs()), "outputs: the model has no more", func() error {
			var o wantedOutput
			err := s.fields(func(name string) error {
				if name == "name" {
					return s.text(&o.Name)
				}
				return o.Parameters.read(s)
			}, "name", "parameters")
			q.Outputs = append(q.Outputs, o)
			return err
		})
	}, "id", "parameters", "inputs", "outputs")
	return cmp.Or(err, s.end())
}

// inferResponse is its answer.
type inferResponse struct {
	Model   string         `json:"model_name"`
	Version string         `json:"model_version"`
	ID      string         `json:"id,omitempty"`
	Outputs []outputTensor `json:"outputs"`
}

// outputTensor is an output.
type outputTensor struct {
	Name     string  `json:"name"`
	Shape    []int64 `json:"shape"`
	Datatype string  `json:"datatype"`
	Data     any     `json:"data,omitempty"` // values by rows; absent in metadata
	// Parameters has the size of what stands behind the JSON.
	Parameters map[string]int `json:"parameters,omitempty"`
}

// The outputs of all models.
const (
	outputPredict = "predict"       // the label, or the numbers
	outputProba   = "predict_proba" // probabilities of classes, or scores of anomalies
)

// writeErrorText answers with an error as the protocol has it.
func writeErrorText(w http.ResponseWriter, p *problem) {
	status := p.Status
	if status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest // the protocol has no other for values
	}
	writeBody(w, typeJSON, status, map[string]string{"error": p.Error()})
}

// infer answers the inference request of the protocol.
func (h *handler) infer(c *call, r *http.Request) error {
	m, err := h.model(r)
	if err != nil {
		return err
	}
	rows, err := c.simpleRequest(m, r.URL.Query(), "absent", "version")
	if err == nil {
		err = c.receive()
	}
	if err != nil {
		return err
	}
	var q inferRequest
	if err := c.decodeInfer(r.Header.Get(headerLength), m, &q); err != nil {
		return err
	}
	source, n, err := rows.tensors(q.Inputs, h.MaxRows)
	if err != nil {
		return err
	}
	source.id = q.ID
	wanted, binaries, err := q.wanted(m)
	if err != nil {
		return err
	}
	labels, values := []string{}, make([]number, 0, n*m.bound.Width())
	err = rows.each(r.Context(), source, func(p *prediction) int {
		if m.spec.Labels() {
			labels = append(labels, m.spec.Classes[m.spec.Decision.Label(p.response)])
		}
		for _, v := range p.response {
			values = append(values, number(v))
		}
		return numberBytes * len(values)
	})
	if err != nil {
		return err
	}
	all := slices.DeleteFunc(m.outputs(), func(t outputTensor) bool { return !slices.Contains(wanted, t.Name) })
	for i := range all {
		all[i].Shape[0] = int64(n)
		if all[i].Data = values; all[i].Datatype == "BYTES" {
			all[i].Data = labels
		}
	}
	return writeInfer(c, &inferResponse{m.name, m.version, q.ID, all}, binaries)
}

// wanted returns the names of the outputs that a request wants, all by default, and those of them
// that are bytes behind the JSON.
func (q *inferRequest) wanted(m *Model) (wanted []string, binaries map[string]bool, err error) {
	var names []string
	for _, o := range m.outputs() {
		names = append(names, o.Name)
	}
	if len(q.Outputs) == 0 {
		for _, name := range names {
			q.Outputs = append(q.Outputs, wantedOutput{Name: name})
		}
	}
	binaries = map[string]bool{}
	for _, o := range q.Outputs {
		if !slices.Contains(names, o.Name) {
			return nil, nil, syntaxf("the model has no output %q: it has %q", o.Name, names)
		}
		wanted = append(wanted, o.Name)
		if own := o.Parameters.Data; own != nil && *own || own == nil && q.Parameters.Output {
			binaries[o.Name] = true
		}
	}
	return wanted, binaries, nil
}

// tensorRows are the rows of tensors.
type tensorRows struct {
	*reading
	rows    int
	tensors []columnTensor
	taken   []bool // by column: a tensor has it
	id      string // of the request; "" = it has none
}

// next reads a row.
func (t *tensorRows) next(r *rowScratch, row int) (named, error) {
	var out named
	if row > t.rows {
		return out, io.EOF
	}
	copy(r.named, t.taken)
	out.id = t.rowID(row)
	for i := range t.tensors {
		from := &t.tensors[i]
		for _, column := range from.columns {
			if err := from.put(t.model.rows, r.row, column); err != nil {
				out.fault(row, t.model.rows.Field(column).Name, err.Error())
			}
		}
	}
	t.rest(r, &out, row)
	return out, nil
}

// rowID returns the id of a row as JSON: that of the request, with the number of the row where
// there are several; nil without one.
func (t *tensorRows) rowID(row int) []byte {
	switch {
	case t.id == "":
		return nil
	case t.rows == 1:
		return quotedJSON(t.id)
	}
	return quotedJSON(t.id + "/" + strconv.Itoa(row))
}

// tensors returns the rows of inputs, and their number. They are a tensor for each column, or one
// of all columns in the model's order.
func (in *reading) tensors(inputs []tensor, most int) (source *tensorRows, rows int, err error) {
	if len(inputs) == 0 {
		return nil, 0, syntaxf("the request has no inputs")
	}
	model := in.model.rows
	var tensors []columnTensor
	taken := make([]bool, model.Columns())
	for i := range inputs {
		t := &inputs[i]
		kind, known := datatypes[t.Datatype]
		if !known {
			return nil, 0, syntaxf("input %q: the datatype %q is not read: use FP64, FP32, "+
				"INT64, BOOL or BYTES", t.Name, t.Datatype)
		}
		var columns []int
		switch at := model.Index([]byte(t.Name)); {
		case at >= 0 && (len(t.Shape) == 1 || len(t.Shape) == 2 && t.Shape[1] == 1):
			columns = []int{at}
		case at < 0 && len(inputs) == 1 && len(t.Shape) == 2 && t.Shape[1] == int64(model.Columns()):
			columns = in.model.columns()
		case at >= 0:
			return nil, 0, syntaxf("input %q has the shape %v: want [n] or [n, 1]", t.Name, t.Shape)
		case len(inputs) == 1 && len(t.Shape) == 2:
			return nil, 0, syntaxf("input %q has %d columns: the model has %d", t.Name, t.Shape[1],
				model.Columns())
		default:
			return nil, 0, syntaxf("input %q: %s", t.Name, in.unknown(t.Name))
		}
		for _, c := range columns {
			if taken[c] {
				return nil, 0, syntaxf("input %q occurs twice", t.Name)
			}
			taken[c] = true
		}
		n := t.Shape[0]
		if n < 0 {
			return nil, 0, syntaxf("input %q: no shape is %v: want a number of rows", t.Name, t.Shape)
		}
		if n > int64(most) {
			return nil, 0, newProblem(http.StatusRequestEntityTooLarge, kindSize,
				fmt.Sprintf("input %q has %d rows: the limit is %d", t.Name, n, most))
		}
		if i > 0 && int(n) != rows {
			return nil, 0, syntaxf("input %q has %d rows, and %q has %d", t.Name, n,
				inputs[0].Name, rows)
		}
		rows = int(n)
		if err := t.check(kind, most*max(1, len(columns))); err != nil {
			return nil, 0, err
		}
		tensors = append(tensors, t.values(kind, columns))
	}
	return &tensorRows{in, rows, tensors, taken, ""}, rows, nil
}

// outputs returns the outputs of a model, as its metadata list them.
func (m *Model) outputs() []outputTensor {
	numbers := outputTensor{outputPredict, []int64{-1}, "FP64", nil, nil}
	if width := m.bound.Width(); width > 1 || m.spec.Task.Classes() {
		numbers.Shape = append(numbers.Shape, int64(width))
	}
	if !m.spec.Labels() {
		return []outputTensor{numbers}
	}
	numbers.Name = outputProba
	return []outputTensor{{outputPredict, []int64{-1}, "BYTES", nil, nil}, numbers}
}

// numberBytes is what a number of an answer takes until it is written.
const numberBytes = 32
