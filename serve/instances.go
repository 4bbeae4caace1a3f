package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// instances answers KServe's first protocol: /v1/models/NAME:predict and NAME:explain.
func (h *handler) instances(c *call, r *http.Request) error {
	call := r.PathValue("call")
	name, verb, _ := strings.Cut(call, ":") // which no name has
	if verb != "predict" && verb != "explain" {
		path, _, _ := strings.Cut(r.URL.Path, ":")
		return newProblem(http.StatusNotFound, kindAddress,
			fmt.Sprintf("nothing is at %s: use %s:predict, %s:explain or %s/predict", r.URL.Path,
				path, path, path))
	}
	m, err := find(h.set(r), name, r.URL.Query().Get("version"))
	if err != nil {
		return err
	}
	some := []string{"unknown", "absent", "version"}
	if verb == "predict" {
		some = append(some, "proba")
	}
	q, err := c.simpleRequest(m, r.URL.Query(), some...)
	if err == nil {
		err = c.receive()
	}
	if err != nil {
		return err
	}
	body, err := q.instancesOf("instances")
	if err != nil {
		return err
	}
	rows, err := q.list(&body.rows, nil)
	if err != nil {
		return err
	}
	if verb == "predict" {
		all, err := q.simpleOf(r.Context(), rows)
		if err != nil {
			return err
		}
		return writeJSON(c, map[string]any{"predictions": all})
	}
	if err := q.giveReasons(m.rows.Columns()); err != nil {
		return err
	}
	explanations, size := []json.RawMessage{}, 0
	err = q.each(r.Context(), rows, func(p *prediction) int {
		p.flags = nil // the protocol has no place for them
		text := p.appendJSON(nil, "")
		explanations = append(explanations, text)
		size += len(text)
		return size
	})
	if err != nil {
		return err
	}
	return writeJSON(c, map[string]any{"explanations": explanations})
}

// simpleRequest reads the parameters of an address whose answers have no names, which are some.
func (c *call) simpleRequest(m *Model, values url.Values, some ...string) (*rowRequest, error) {
	rest := url.Values{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(some, name) {
			return nil, syntaxf("the parameter %s has no meaning here: POST /v1/models/%s/predict "+
				"answers probabilities, reasons, why and id", name, m.name)
		}
		if name != "model" && name != "proba" {
			rest[name] = values[name]
		}
	}
	q, err := c.newRowRequest(m, rest)
	if err != nil || !values.Has("proba") {
		return q, err
	}
	if err := oneOf("proba", values.Get("proba"), "1", "0"); err != nil {
		return nil, err
	}
	q.scores = values.Get("proba") == "1"
	if q.scores && !m.spec.Labels() {
		return nil, syntaxf("proba=1: the model %s predicts no classes, so leave it out", m.name)
	}
	return q, nil
}

// simpleOf predicts the rows of a source as libraries of Python do: each is a label or a number, or
// a list of numbers.
func (q *rowRequest) simpleOf(ctx context.Context, rows rowSource) ([]any, error) {
	all := []any{}
	err := q.each(ctx, rows, func(p *prediction) int {
		if q.scores {
			all = append(all, numbers(p.response))
		} else {
			all = append(all, q.model.simple(p.response))
		}
		return numberBytes * len(all) * len(p.response)
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

// jsonRows are the rows of a JSON array: objects by the names of columns, or lists of values for
// the columns of columnsOf, where that is not nil.
type jsonRows struct {
	*reading
	scanner *jsonScanner
	columns []int
}

// list returns the rows of a JSON list. Without columns its lists of values are for those of the
// model in their order.
func (in *reading) list(s *jsonScanner, columns []int) (*jsonRows, error) {
	if s.Next() != '[' {
		return nil, s.broken("a list of rows")
	}
	if columns == nil {
		columns = in.model.columns()
	}
	return &jsonRows{in, s, columns}, nil
}

// next reads a row. Behind the last one the text ends.
func (j *jsonRows) next(r *rowScratch, row int) (named, error) {
	if err := j.scanner.row(row); err != nil {
		return named{}, err
	}
	want := "an object by the names of columns"
	switch c := j.scanner.Next(); {
	case c == '{':
		return j.object(j.scanner, r, row)
	case c == '[' && j.columns != nil:
		return j.values(r, row)
	case j.columns != nil:
		want = "an object or a list of values"
	}
	return named{}, fmt.Errorf("row %d: %w", row, j.scanner.broken(want))
}

// values reads a list of values.
func (j *jsonRows) values(r *rowScratch, row int) (named, error) {
	var out named
	clear(r.named)
	for n := 0; ; n++ {
		more, err := j.scanner.more(n + 1)
		switch {
		case err != nil:
		case !more && n != len(j.columns):
			out.fault(row, "", fmt.Sprintf("the row has %d values for %d columns", n, len(j.columns)))
			return out, nil
		case !more:
			j.rest(r, &out, row)
			return out, nil
		case n >= len(j.columns):
			err = j.scanner.skip()
		default:
			err = j.at(j.scanner, r, &out, j.columns[n], row)
		}
		if err != nil {
			return out, err
		}
	}
}

// at reads the value of a column of columnsOf.
func (in *reading) at(s *jsonScanner, r *rowScratch, out *named, column, row int) (err error) {
	from := s.At
	if column >= 0 {
		r.named[column] = true
		err = in.value(s, r, out, column, row)
	} else {
		err = s.skip()
	}
	if column == idField || column >= 0 && in.id == in.model.rows.Field(column).Name {
		out.id = bytes.TrimSpace(s.Text[from:s.At])
	}
	return err
}
