package serve

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/param"
)

// rowRequest is what a request asks for of each row.
type rowRequest struct {
	*call
	reading
	most int // reasons of a row
	// answers without names are the probabilities of the classes, not labels
	scores bool
	by     bool // errors stand with the rows: others are answered
	// a row has a fault that is the answer to all: no prediction is reported any more
	refused bool
	listed  int // errors of rows that the answer has so far
	limit   int // rows
	reason  *explain.Reasons
	change  *changes // nil: nobody wants to know
}

// request returns one that asks for the predictions alone, by the options of the handler.
func (c *call) request(m *Model) *rowRequest {
	q := &rowRequest{call: c, reading: c.server.reading(m), limit: c.server.MaxRows}
	_, logged := c.ResponseWriter.(*countedWriter)
	if logged || c.server.Observe != nil || c.server.EachRow != nil {
		q.seen, c.observed.Model = &c.observed, m
	}
	return q
}

// giveReasons adds the n columns with the largest effects to each prediction.
func (q *rowRequest) giveReasons(n int) (err error) {
	q.most = n
	if q.reason, err = q.model.explainer(); err != nil {
		return newProblem(http.StatusUnprocessableEntity, kindModel,
			"the model gives no reasons: "+err.Error()+"; coppice explain takes such a table")
	}
	return nil
}

// rowParameters are those of the row API.
var rowParameters = []string{"reasons", "why", "want", "unknown", "absent", "id", "errors", "version"}

// newRowRequest reads the parameters of a request's address.
func (c *call) newRowRequest(m *Model, values url.Values) (*rowRequest, error) {
	q := c.request(m)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text, err := values.Get(name), error(nil)
		if len(values[name]) > 1 {
			return nil, syntaxf("the address has the parameter %s %d times: give one", name, len(values[name]))
		}
		switch name {
		case "reasons":
			if q.most, err = strconv.Atoi(text); err != nil || q.most < 0 {
				err = syntaxf("reasons=%s: want a number of columns from 0 up", text)
			}
		case "why":
			err = oneOf(name, text, "1", "0")
		case "want":
			if values.Get("why") != "1" {
				err = syntaxf("want=%s goes with why=1: add it", text)
			}
		case "unknown":
			q.strict, err = text == "refuse", oneOf(name, text, "refuse", "ignore")
		case "absent":
			q.absent, err = text, oneOf(name, text, "refuse", "missing", "zero")
		case "errors":
			q.by, err = text == "row", oneOf(name, text, "row", "all")
		case "id":
			if q.id = text; !utf8.ValidString(text) {
				err = syntaxf("id=%q: want the name of a field in UTF-8", text)
			}
		case "version":
		default:
			err = syntaxf("the address has no parameter %s", name)
			if near := param.Nearest(name, rowParameters); near != "" {
				err = syntaxf("the address has no parameter %s: the nearest is %s", name, near)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
	if q.most > 0 {
		err = q.giveReasons(q.most)
	}
	if err == nil && values.Get("why") == "1" {
		err = q.giveChanges(values.Get("want"))
	}
	return q, err
}

// reading returns how rows are read by the options of the handler.
func (h *handler) reading(m *Model) reading {
	in := reading{model: m, absent: h.Absent, strict: h.Strict, id: h.ID}
	if in.absent == "" {
		in.absent = string(m.spec.Schema.AbsentValues)
	}
	return in
}

func oneOf(name, text string, values ...string) error {
	if slices.Contains(values, text) {
		return nil
	}
	last := len(values) - 1
	return syntaxf("%s=%s: want %s or %s", name, text, strings.Join(values[:last], ", "), values[last])
}

// predictRows answers the row API.
func (h *handler) predictRows(c *call, r *http.Request) error {
	m, err := h.model(r)
	if err != nil {
		return err
	}
	q, err := c.newRowRequest(m, r.URL.Query())
	if err != nil {
		return err
	}
	kind, parameters, err := contentType(r)
	if err != nil {
		return err
	}
	if lines := []string{typeLines, "application/jsonl", "application/jsonlines"}; slices.Contains(lines, kind) {
		if _, err := form(r, lines...); err != nil {
			return err
		}
		return q.lines(r)
	}
	table := h.tableFormat(kind)
	if table == nil && kind != typeJSON && kind != typeCSV {
		return unsupported(kind, strings.Join(h.types(), ", "))
	}
	if err := c.receive(); err != nil {
		return err
	}
	switch kind {
	case typeJSON:
		return q.json(r)
	case typeCSV:
		rows, err := q.newCSVReader(&c.buffer.body, parameters["header"] != "absent")
		if err != nil {
			return err
		}
		return q.answer(r, rows, typeCSV)
	}
	return q.table(r, table)
}

// Types of content.
const (
	typeJSON   = "application/json"
	typeLines  = "application/x-ndjson"
	typeCSV    = "text/csv"
	typeBinary = "application/octet-stream"
)

// types returns the types of content that the row API reads.
func (h *handler) types() []string {
	all := []string{typeJSON, typeLines, typeCSV}
	for i := range h.Tables {
		all = append(all, h.Tables[i].Type)
	}
	return all
}

// buffers are the memory of bodies and answers, which is used again.
var buffers = sync.Pool{New: func() any { return &buffer{} }}

// buffer is the memory of a request.
type buffer struct {
	body    bytes.Buffer
	answer  []byte
	scanner jsonScanner
}

// scan begins to read the JSON of a body.
func (b *buffer) scan() *jsonScanner {
	b.scanner.reset(b.body.Bytes())
	return &b.scanner
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
func (q *rowRequest) json(r *http.Request) error {
	b := q.buffer
	switch q.scan().Next() {
	case '{':
		return q.one(r, func(s *rowScratch) (named, error) {
			return q.object(&b.scanner, s, 1)
		})
	case '[':
		return q.answer(r, &jsonRows{&q.reading, &b.scanner, nil}, typeJSON)
	}
	if len(bytes.TrimSpace(b.body.Bytes())) == 0 {
		return syntaxf("the body is empty: send a row as a JSON object, or an array of them")
	}
	return b.scanner.broken("a row as a JSON object, or an array of them (CSV by its Content-Type)")
}

// oneRow reads the row of a body, and its end.
type oneRow func(r *rowScratch, row int) (named, error)

func (next oneRow) next(r *rowScratch, row int) (named, error) { return next(r, row) }

// one answers the row of a body, which read reads.
func (q *rowRequest) one(r *http.Request, read func(*rowScratch) (named, error)) error {
	w, b := q.call, q.buffer
	switch kind, err := form(r, q.server.answers...); {
	case err != nil:
		return err
	case kind != typeJSON:
		return q.answer(r, oneRow(func(s *rowScratch, row int) (named, error) {
			if row > 1 {
				return named{}, cmp.Or(b.scanner.end(), io.EOF)
			}
			return read(s)
		}), kind)
	}
	s := q.model.newScratch()
	defer q.model.scratch.Put(s)
	in, err := read(s)
	if err == nil {
		err = b.scanner.end()
	}
	if err != nil {
		return err
	}
	p, err := q.row(r.Context(), s, in, 1, false)
	if err != nil {
		return err
	}
	if p.done {
		q.seen.add(q.model.spec, s, q.id, in.id)
	}
	b.answer = append(p.appendJSON(b.answer, q.model.head), '\n')
	w.Header().Set("Content-Type", typeJSON)
	_, _ = w.Write(b.answer) // a client that has gone needs no answer
	return nil
}

// answer predicts the rows of a source, and answers in the form that the request accepts, which is
// that of its body where it accepts any.
func (q *rowRequest) answer(r *http.Request, rows rowSource, kind string) error {
	w, b := q.call, q.buffer
	kind, err := form(r, append([]string{kind}, q.server.answers...)...)
	if err != nil {
		return err
	}
	if t := q.server.tableFormat(kind); t != nil {
		return q.answerTable(r, rows, t)
	}
	if kind == typeCSV {
		return q.answerCSV(r, rows)
	}
	b.answer = append(append(append(b.answer, '{'), q.model.head...), `,"predictions":[`...)
	empty := len(b.answer)
	err = q.each(r.Context(), rows, func(p *prediction) int {
		if len(b.answer) > empty {
			b.answer = append(b.answer, ',')
		}
		b.answer = p.appendJSON(b.answer, "")
		return len(b.answer)
	})
	if err != nil {
		return err
	}
	b.answer = append(b.answer, "]}\n"...)
	w.Header().Set("Content-Type", typeJSON)
	_, _ = w.Write(b.answer) // a client that has gone needs no answer
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
		return faultList{first: []*fault{one}}, true
	}
	return faultList{}, false
}
