package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"

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
	in := reading{model: m, absent: h.Absent, strict: h.Strict, id: h.ID, seen: observation(ctx)}
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
		in.seen.add(m.spec, r, in.id)
	}
	var refused *model.ValueError
	if errors.As(err, &refused) {
		return &fault{Row: row, Column: refused.Column, Detail: refused.What}
	}
	return err
}

// row answers the row that was read into r.
func (q *rowRequest) row(r *rowScratch, in named, row int) (prediction, error) {
	p := prediction{model: q.model, id: in.id, response: r.response}
	var err error
	if len(in.faults) > 0 {
		err = in.faults
	} else {
		err = q.predicted(r, row)
	}
	if err == nil {
		p.flags = r.flags
		if q.reason != nil {
			p.reasons, err = q.reason.Row(r.row, q.most)
		}
	}
	if err != nil && q.by {
		p.err, err = problemOf(err), nil
	}
	return p, err
}

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

// buffers are the memory of bodies and answers, which is used again.
var buffers = sync.Pool{New: func() any { return &buffer{} }}

// buffer is the memory of a request.
type buffer struct {
	body    bytes.Buffer
	answer  []byte
	scanner jsonScanner
}

// largestKept is the most memory of a request that the next one finds.
const largestKept = 1 << 20

// free lets another request use the memory.
func (b *buffer) free() {
	if b.body.Cap() > largestKept || cap(b.answer) > largestKept {
		return
	}
	b.body.Reset()
	b.answer = b.answer[:0]
	b.scanner.reset(nil)
	buffers.Put(b)
}

// json answers an object, which is a row, or an array of them.
func (q *rowRequest) json(w http.ResponseWriter, r *http.Request) error {
	b, _ := buffers.Get().(*buffer)
	defer b.free()
	if _, err := b.body.ReadFrom(r.Body); err != nil {
		return err
	}
	b.scanner.reset(b.body.Bytes())
	var err error
	switch b.scanner.next() {
	case '{':
		err = q.one(b)
	case '[':
		err = q.array(r.Context(), b)
	default:
		if len(bytes.TrimSpace(b.body.Bytes())) == 0 {
			return syntaxf("the body is empty: send a row as a JSON object, or an array of them")
		}
		return b.scanner.broken("a row as a JSON object, or an array of them")
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(b.answer, '\n')) // a client that has gone needs no answer
	return nil
}

// one answers a row.
func (q *rowRequest) one(b *buffer) error {
	s := q.model.newScratch()
	defer q.model.scratch.Put(s)
	in, err := q.object(&b.scanner, s, 1)
	if err == nil {
		err = b.scanner.end()
	}
	if err != nil {
		return err
	}
	p, err := q.row(s, in, 1)
	if err == nil {
		b.answer = p.appendJSON(b.answer, q.model.head)
	}
	return err
}

// array answers rows.
func (q *rowRequest) array(ctx context.Context, b *buffer) error {
	b.answer = append(append(append(b.answer, '{'), q.model.head...), `,"predictions":[`...)
	first := true
	err := q.each(ctx, &b.scanner, func(p *prediction) {
		if !first {
			b.answer = append(b.answer, ',')
		}
		first = false
		b.answer = p.appendJSON(b.answer, "")
	})
	b.answer = append(b.answer, "]}"...)
	return err
}

// each predicts the rows of an array. Faults of all rows are reported at once.
func (q *rowRequest) each(ctx context.Context, s *jsonScanner, take func(*prediction)) error {
	r := q.model.newScratch()
	defer q.model.scratch.Put(r)
	var faults faultList
	err := s.array(func(row int) error {
		if row > q.limit {
			return newProblem(http.StatusRequestEntityTooLarge, kindSize,
				fmt.Sprintf("the body has more than %d rows: send JSON lines", q.limit))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.next() != '{' {
			return syntaxf("row %d begins with %q: want an object", row, s.word())
		}
		in, err := q.object(s, r, row)
		if err != nil {
			return err
		}
		p, err := q.row(r, in, row)
		if more, is := asFaults(err); is {
			faults = append(faults, more...)
			return nil
		}
		if err == nil {
			take(&p)
		}
		return err
	})
	if err == nil {
		err = s.end()
	}
	if err == nil && len(faults) > 0 {
		err = faults
	}
	return err
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
	limit, _ := r.Context().Value(bodyKey{}).(*limitedBody)
	in := bufio.NewReaderSize(r.Body, 1<<16)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("X-Model-Id", q.model.id)
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // HTTP/1: rows are answered before all have come
	b, _ := buffers.Get().(*buffer)
	defer b.free()
	s := q.model.newScratch()
	defer q.model.scratch.Put(s)
	for row := 1; ; {
		err := b.line(in)
		if limit != nil {
			limit.left = limit.most
		}
		if b.scanner.next() != 0 {
			p, wrong := q.line(b, s, row)
			b.answer = append(p.appendJSON(b.answer, ""), '\n')
			row++
			if wrong {
				err = io.EOF
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			p := prediction{err: problemOf(err)}
			b.answer = append(p.appendJSON(b.answer, ""), '\n')
		}
		if err != nil || in.Buffered() == 0 || len(b.answer) > 1<<16 {
			if _, gone := w.Write(b.answer); err != nil || gone != nil {
				return nil
			}
			b.answer = b.answer[:0]
			_ = control.Flush()
		}
	}
}

// line reads the next line for the scanner.
func (b *buffer) line(in *bufio.Reader) error {
	b.body.Reset()
	for {
		part, err := in.ReadSlice('\n')
		b.body.Write(part)
		if !errors.Is(err, bufio.ErrBufferFull) {
			b.scanner.reset(b.body.Bytes())
			return err
		}
	}
}

// line answers the row of a line; wrong: it is no JSON.
func (q *rowRequest) line(b *buffer, s *rowScratch, row int) (p prediction, wrong bool) {
	in, err := q.object(&b.scanner, s, row)
	if err == nil {
		err = b.scanner.end()
	}
	if err != nil {
		return prediction{err: problemOf(fmt.Errorf("row %d: %w", row, err))}, true
	}
	p, err = q.row(s, in, row)
	if err != nil {
		p.err = problemOf(err)
	}
	return p, false
}
