package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// rowRequest is what a request of the row API asks for.
type rowRequest struct {
	reading
	most   int  // reasons of a row
	by     bool // errors stand with the rows: others are answered
	limit  int  // rows
	reason *explain.Reasons
}

// newRowRequest reads the parameters of a request's address.
func (h *handler) newRowRequest(
	ctx context.Context, m *Model, values url.Values,
) (*rowRequest, error) {
	q := &rowRequest{reading: h.reading(ctx, m), limit: h.MaxRows}
	known := []string{"reasons", "unknown", "absent", "id", "errors", "version"}
	for name := range values {
		text, err := values.Get(name), error(nil)
		switch name {
		case "reasons":
			if q.most, err = strconv.Atoi(text); err != nil || q.most < 0 {
				err = syntaxf("reasons=%s: want a number of columns from 0 up", text)
			}
		case "unknown":
			q.strict, err = text == "refuse", oneOf(name, text, "refuse", "ignore")
		case "absent":
			q.absent, err = text, oneOf(name, text, "refuse", "missing", "zero")
		case "errors":
			q.by, err = text == "row", oneOf(name, text, "row", "all")
		case "id":
			q.id = text
		case "version":
		default:
			err = syntaxf("the address has no parameter %s", name)
			if near := param.Nearest(name, known); near != "" {
				err = syntaxf("the address has no parameter %s: the nearest is %s", name, near)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if q.most > 0 {
		var err error
		if q.reason, err = m.reasons(); err != nil {
			return nil, newProblem(http.StatusUnprocessableEntity, kindModel,
				"the model gives no reasons: "+err.Error())
		}
	}
	return q, nil
}

// reading returns how rows are read by the options of the handler.
func (h *handler) reading(ctx context.Context, m *Model) reading {
	in := reading{model: m, absent: h.Absent, strict: h.Strict, seen: observation(ctx)}
	if in.seen != nil {
		in.seen.Model = m
	}
	if in.absent == "" {
		in.absent = string(m.spec.Schema.AbsentValues)
	}
	return in
}

func oneOf(name, text string, values ...string) error {
	if contains(values, text) {
		return nil
	}
	return syntaxf("%s=%s: want %s or %s", name, text, values[0], values[1])
}

// predicted predicts the row in r. A value that the model refuses is a *fault.
func (in *reading) predicted(r *rowScratch, row int) error {
	m := in.model
	err := m.bound.PredictRow(r.response, r.row)
	if err == nil {
		r.flags, err = m.checks.Row(r.flags[:0], r.row)
	}
	if err == nil {
		in.seen.add(m.spec, r)
	}
	var refused *model.ValueError
	if errors.As(err, &refused) {
		return &fault{Row: row, Column: refused.Column, Detail: refused.What}
	}
	return err
}

// row answers the row that was read into r.
func (q *rowRequest) row(r *rowScratch, in named, row int) (*prediction, error) {
	var err error
	if len(in.faults) > 0 {
		err = in.faults
	} else {
		err = q.predicted(r, row)
	}
	var p *prediction
	if err == nil {
		p = q.model.answer(r.response, r.flags)
		if q.reason != nil {
			var reasons []explain.Reason
			if reasons, err = q.reason.Row(r.row, q.most); err == nil {
				p.Reasons = answeredReasons(reasons)
			}
		}
	}
	if err != nil && q.by {
		p, err = &prediction{Error: problemOf(err)}, nil
	}
	if p != nil {
		p.ID = in.id
	}
	return p, err
}

// modelFields say which model predicted.
type modelFields struct {
	Model   string `json:"model"`
	Version string `json:"version"`
	ModelID string `json:"model_id"`
}

func (m *Model) fields() modelFields { return modelFields{m.name, m.version, m.id} }

// predictRows answers the row API.
func (h *handler) predictRows(w http.ResponseWriter, r *http.Request) error {
	m, err := h.model(r)
	if err != nil {
		return err
	}
	q, err := h.newRowRequest(r.Context(), m, r.URL.Query())
	if err != nil {
		return err
	}
	kind, parameters, err := contentType(r)
	if err != nil {
		return err
	}
	switch kind {
	case "application/json":
		return q.json(w, r)
	case "application/x-ndjson", "application/jsonl", "application/jsonlines":
		return q.lines(w, r)
	case "text/csv":
		return q.csv(w, r, parameters["header"] != "absent")
	}
	return unsupported(kind, "application/json, application/x-ndjson or text/csv")
}

// json answers an object, which is a row, or an array of them.
func (q *rowRequest) json(w http.ResponseWriter, r *http.Request) error {
	d := decoderOf(r.Body)
	first, err := d.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return syntaxf("the body is empty: send a row as a JSON object, or an array of them")
		}
		return jsonError(d, err)
	}
	switch first {
	case json.Delim('{'):
		return q.one(w, d)
	case json.Delim('['):
		return q.array(r.Context(), w, d)
	}
	return syntaxf("the body is %v: send a row as a JSON object, or an array of them", first)
}

// one answers a row.
func (q *rowRequest) one(w http.ResponseWriter, d *json.Decoder) error {
	s := q.model.newScratch()
	defer q.model.scratch.Put(s)
	in, err := q.object(d, s, 1)
	if err == nil {
		err = end(d)
	}
	if err != nil {
		return err
	}
	p, err := q.row(s, in, 1)
	if err != nil {
		return err
	}
	return writeJSON(w, struct {
		modelFields
		*prediction
	}{q.model.fields(), p})
}

// array answers rows.
func (q *rowRequest) array(ctx context.Context, w http.ResponseWriter, d *json.Decoder) error {
	all := []*prediction{}
	err := q.each(ctx, d, func(p *prediction) { all = append(all, p) })
	if err != nil {
		return err
	}
	return writeJSON(w, struct {
		modelFields
		Predictions []*prediction `json:"predictions"`
	}{q.model.fields(), all})
}

// each predicts the rows of an array that was opened. faultList of all rows are reported at once.
func (q *rowRequest) each(ctx context.Context, d *json.Decoder, take func(*prediction)) error {
	s := q.model.newScratch()
	defer q.model.scratch.Put(s)
	var faults faultList
	for row := 1; d.More(); row++ {
		if row > q.limit {
			return newProblem(http.StatusRequestEntityTooLarge, kindSize,
				fmt.Sprintf("the body has more than %d rows: send JSON lines", q.limit))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		token, err := d.Token()
		if err != nil {
			return jsonError(d, err)
		}
		if token != json.Delim('{') {
			return syntaxf("row %d is %v, not an object", row, token)
		}
		in, err := q.object(d, s, row)
		if err != nil {
			return err
		}
		p, err := q.row(s, in, row)
		if more, is := asFaults(err); is {
			faults = append(faults, more...)
			continue
		}
		if err != nil {
			return err
		}
		take(p)
	}
	if _, err := d.Token(); err != nil {
		return jsonError(d, err)
	}
	if err := end(d); err != nil {
		return err
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// asFaults returns the faults that an error is.
func asFaults(err error) (faultList, bool) {
	var all faultList
	if errors.As(err, &all) {
		return all, true
	}
	var one *fault
	if errors.As(err, &one) {
		return faultList{one}, true
	}
	return nil, false
}

// lines answers JSON lines as they come, each by a line. A row that cannot be predicted is answered
// by its error, since the answer has begun. The stream ends behind a line that is no JSON.
func (q *rowRequest) lines(w http.ResponseWriter, r *http.Request) error {
	q.by = true
	body, _ := r.Context().Value(bodyKey{}).(*limitedBody)
	d := decoderOf(r.Body)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("X-Model-Id", q.model.id)
	out := json.NewEncoder(w)
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // HTTP/1: rows are answered before all have come
	s := q.model.newScratch()
	defer q.model.scratch.Put(s)
	for row := 1; ; row++ {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var p *prediction
		switch {
		case err != nil:
			err = jsonError(d, err)
		case token != json.Delim('{'):
			err = syntaxf("row %d is %v, not an object", row, token)
		default:
			var in named
			if in, err = q.object(d, s, row); err == nil {
				p, err = q.row(s, in, row)
			}
		}
		if err != nil {
			_ = out.Encode(&prediction{Error: problemOf(err)})
			return nil
		}
		if err := out.Encode(p); err != nil {
			return nil // the client has gone
		}
		if body != nil {
			body.left = body.most
		}
		if row%64 == 0 || !buffered(d) {
			_ = control.Flush()
		}
	}
}

// buffered reports whether a decoder has more of its input already, beside the ends of lines.
func buffered(d *json.Decoder) bool {
	rest, _ := d.Buffered().(interface{ Len() int })
	return rest != nil && rest.Len() > 1
}
