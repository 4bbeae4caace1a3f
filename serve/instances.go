package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
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
	explanations := []json.RawMessage{}
	err = in.list(r.Context(), q.Instances, "instances", h.MaxRows, func(s *rowScratch) error {
		p := prediction{model: m, response: s.response}
		var err error
		p.reasons, err = reasons.Row(s.row, m.rows.Columns())
		explanations = append(explanations, p.appendJSON(nil, ""))
		return err
	})
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]any{"explanations": explanations})
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
	if first := bytes.TrimSpace(list); len(first) == 0 || first[0] != '[' {
		return syntaxf("%q is no list of rows", name)
	}
	var scanner jsonScanner
	scanner.reset(list)
	s := in.model.newScratch()
	defer in.model.scratch.Put(s)
	var faults faultList
	err := scanner.array(func(row int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if row > most {
			return newProblem(http.StatusRequestEntityTooLarge, kindSize,
				fmt.Sprintf("%q has more than %d rows", name, most))
		}
		out, err := in.item(&scanner, s, row)
		if err != nil {
			return err
		}
		if err = error(out.faults); len(out.faults) == 0 {
			if err = in.predicted(s, row); err == nil {
				err = take(s)
			}
		}
		if more, is := asFaults(err); is {
			faults = append(faults, more...)
			return nil
		}
		return err
	})
	if err == nil && len(faults) > 0 {
		err = faults
	}
	return err
}

// item reads a row that is an object or a list of values.
func (in *reading) item(s *jsonScanner, r *rowScratch, row int) (named, error) {
	switch s.next() {
	case '{':
		return in.object(s, r, row)
	case '[':
		return in.values(s, r, row)
	}
	return named{}, syntaxf("row %d begins with %q: want an object or a list of values", row, s.word())
}

// values reads a list of values, which are those of the model's columns in their order.
func (in *reading) values(s *jsonScanner, r *rowScratch, row int) (named, error) {
	var out named
	n, columns := 0, in.model.rows.Columns()
	err := s.array(func(k int) error {
		if n = k; k > columns {
			return s.skip()
		}
		return in.value(s, r, &out, k-1, row)
	})
	if err == nil && n != columns {
		out.fault(row, "", fmt.Sprintf("the row has %d values, and the model %d columns", n, columns))
	}
	return out, err
}
