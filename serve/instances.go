package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/coppice-ml/coppice/explain"
)

// instances answers KServe's first protocol: /v1/models/NAME:predict and NAME:explain.
func (h *handler) instances(w http.ResponseWriter, r *http.Request) error {
	call := r.PathValue("call")
	at := strings.LastIndexByte(call, ':')
	verb := call[at+1:]
	if at < 0 || verb != "predict" && verb != "explain" {
		return newProblem(http.StatusNotFound, kindAddress,
			fmt.Sprintf("nothing is at %s: use %s:predict, %s:explain or %s/predict", r.URL.Path,
				r.URL.Path, r.URL.Path, r.URL.Path))
	}
	m, err := find(h.set(r), call[:at], r.URL.Query().Get("version"))
	if err != nil {
		return err
	}
	var q struct {
		Instances json.RawMessage `json:"instances"`
	}
	if err := decodeBody(r, &q); err != nil {
		return err
	}
	if q.Instances == nil {
		return syntaxf(`the body has no "instances": send a list of rows`)
	}
	in := h.reading(r.Context(), m)
	if verb == "predict" {
		all, err := h.simple(r.Context(), &in, q.Instances, "instances")
		if err != nil {
			return err
		}
		return writeJSON(w, map[string]any{"predictions": all})
	}
	reasons, err := m.reasons()
	if err != nil {
		return newProblem(http.StatusUnprocessableEntity, kindModel,
			"the model gives no reasons: "+err.Error())
	}
	explanations := []any{}
	err = in.list(r.Context(), q.Instances, "instances", h.MaxRows, func(s *rowScratch) error {
		all, err := reasons.Row(s.row, m.rows.Columns())
		explanations = append(explanations, explained(m.answer(s.response, nil), all))
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]any{"explanations": explanations})
}

// explained is a prediction with the contributions of all columns.
func explained(p *prediction, reasons []explain.Reason) *prediction {
	p.Reasons = answeredReasons(reasons)
	return p
}

// simple predicts a list of rows as libraries of Python do: each is a label or a number, or a list
// of numbers.
func (h *handler) simple(
	ctx context.Context, in *reading, list json.RawMessage, name string,
) ([]any, error) {
	all := []any{}
	err := in.list(ctx, list, name, h.MaxRows, func(s *rowScratch) error {
		all = append(all, in.model.simple(s.response))
		return nil
	})
	return all, err
}

// simple is the label of a response, else its number or numbers.
func (m *Model) simple(response []float64) any {
	switch {
	case m.spec.Labels():
		return m.spec.Classes[m.spec.Decision.Label(response)]
	case len(response) == 1:
		return number(response[0])
	}
	return numbers(response)
}

// list predicts the rows of a JSON list: objects by the names of columns, or lists of values in the
// order of the model's columns. take gets each row with its response.
func (in *reading) list(
	ctx context.Context, list json.RawMessage, name string, most int, take func(*rowScratch) error,
) error {
	d := decoderOf(bytes.NewReader(list))
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return syntaxf("%q is no list of rows", name)
	}
	s := in.model.newScratch()
	defer in.model.scratch.Put(s)
	var faults faultList
	for row := 1; d.More(); row++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if row > most {
			return newProblem(http.StatusRequestEntityTooLarge, kindSize,
				fmt.Sprintf("%q has more than %d rows", name, most))
		}
		out, err := in.item(d, s, row)
		if err != nil {
			return err
		}
		if len(out.faults) == 0 {
			if err = in.predicted(s, row); err == nil {
				err = take(s)
			}
		} else {
			err = out.faults
		}
		if more, is := asFaults(err); is {
			faults = append(faults, more...)
		} else if err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// item reads a row that is an object or a list of values.
func (in *reading) item(d *json.Decoder, s *rowScratch, row int) (named, error) {
	token, err := d.Token()
	if err != nil {
		return named{}, jsonError(d, err)
	}
	switch token {
	case json.Delim('{'):
		return in.object(d, s, row)
	case json.Delim('['):
		return in.values(d, s, row)
	}
	return named{}, syntaxf("row %d is %v: want an object or a list of values", row, token)
}

// values reads a list of values, which are those of the model's columns in their order.
func (in *reading) values(d *json.Decoder, s *rowScratch, row int) (named, error) {
	var out named
	n := 0
	for ; d.More(); n++ {
		if n >= in.model.rows.Columns() {
			if err := skip(d); err != nil {
				return out, err
			}
			continue
		}
		if err := in.value(d, s, &out, n, row); err != nil {
			return out, err
		}
	}
	if n != in.model.rows.Columns() {
		out.fault(row, "", fmt.Sprintf("the row has %d values, and the model %d columns", n,
			in.model.rows.Columns()))
	}
	_, err := d.Token()
	if err != nil {
		err = jsonError(d, err)
	}
	return out, err
}
