package native

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// header is the JSON header: everything but numbers and dictionaries. Its keys are written in this order, without
// spaces.
type header struct {
	Model   string          `json:"model"` // the type of the model: "ensemble"
	Task    data.Task       `json:"task"`
	Label   text            `json:"label,omitempty"`
	Classes json.RawMessage `json:"classes,omitempty"` // []text
	Schema  struct {
		Fields json.RawMessage `json:"fields"` // []field
	} `json:"schema"`
	Trees   int             `json:"trees"` // number of trees
	Combine string          `json:"combine"`
	Link    string          `json:"link,omitempty"` // absent: nil
	Learner text            `json:"learner"`
	Params  json.RawMessage `json:"params,omitempty"`
	Summary json.RawMessage `json:"summary,omitempty"`
}

// field is a data.Field whose dictionary lies in the section of texts.
type field struct {
	Name    text        `json:"name"`
	Kind    data.Kind   `json:"kind"`
	Levels  int         `json:"levels,omitempty"` // their number
	Missing data.Policy `json:"missing"`
	Unseen  data.Policy `json:"unseen"`
}

const ensemble = "ensemble" // header.Model

// combineNames are the names of model.Combine in files.
var combineNames = []string{model.Sum: "sum", model.Mean: "mean"}

// newHeader describes an ensemble.
func newHeader(e *model.Ensemble) (*header, error) {
	h := &header{
		Model: ensemble, Task: e.Meta.Task, Label: text(e.Meta.Label), Trees: len(e.Trees),
		Learner: text(e.Meta.Learner), Params: e.Meta.Params, Summary: e.Meta.Summary,
	}
	if int(e.Combine) >= len(combineNames) {
		return nil, unsupported("cannot store the way %d to combine trees", e.Combine)
	}
	h.Combine = combineNames[e.Combine]
	if e.Link != nil {
		h.Link = e.Link.Name()
		if _, err := link.ByName(h.Link); err != nil {
			return nil, unsupported("cannot store a link of one's own: %v", err)
		}
	}
	var classes []text
	for _, c := range e.Meta.Classes {
		classes = append(classes, text(c))
	}
	fields := []field{}
	for _, f := range e.Meta.Schema.Fields {
		fields = append(fields, field{Name: text(f.Name), Kind: f.Kind, Levels: len(f.Levels), Missing: f.Missing, Unseen: f.Unseen})
	}
	var err error
	if classes != nil {
		if h.Classes, err = marshal(classes); err != nil {
			return nil, err
		}
	}
	h.Schema.Fields, err = marshal(fields)
	return h, err
}

// section returns the section of the header.
func (h *header) section() (section, error) {
	b, err := marshal(h)
	return section{name: "header", flags: required, size: int64(len(b)), emit: func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}, err
}

// memory that one element of a JSON array costs, with its share of the maps that check it
const elementCost = 512

// parse reads the header and what it says of an ensemble; levels is the number of dictionary texts of each field.
func (h *header) parse(p *payload, b *budget) (e *model.Ensemble, levels []int, err error) {
	if err := b.take(4 * int64(len(p.data))); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(p.data, h); err != nil {
		return nil, nil, p.corrupt(0, "%v", err)
	}
	if h.Model != ensemble {
		return nil, nil, unsupported("the file holds a model of type %q: use a newer program", h.Model)
	}
	e = &model.Ensemble{Meta: model.Spec{
		Task: h.Task, Label: string(h.Label), Learner: string(h.Learner), Params: h.Params, Summary: h.Summary,
	}}
	if err := h.parseNames(e); err != nil {
		return nil, nil, err
	}
	classes, err := list[text](h.Classes, p, b)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range classes {
		e.Meta.Classes = append(e.Meta.Classes, string(c))
	}
	fields, err := list[field](h.Schema.Fields, p, b)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range fields {
		e.Meta.Schema.Fields = append(e.Meta.Schema.Fields, data.Field{
			Name: string(f.Name), Kind: f.Kind, Missing: f.Missing, Unseen: f.Unseen,
		})
		levels = append(levels, f.Levels)
	}
	return e, levels, nil
}

// parseNames sets what the header gives by name.
func (h *header) parseNames(e *model.Ensemble) (err error) {
	known := false
	for i, n := range combineNames {
		if n == h.Combine {
			e.Combine, known = model.Combine(i), true
		}
	}
	if !known {
		return unsupported("unknown way %q to combine trees: use a newer program", h.Combine)
	}
	if h.Link == "" {
		return nil
	}
	if e.Link, err = link.ByName(h.Link); err != nil {
		return unsupported("%v: use a newer program", err)
	}
	return nil
}

// list reads a JSON array after making sure that its elements fit the budget.
func list[T any](raw json.RawMessage, p *payload, b *budget) ([]T, error) {
	n := elements(raw)
	if err := b.take(elementCost * n); err != nil {
		return nil, err
	}
	s := make([]T, 0, n)
	if len(raw) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, p.corrupt(0, "%v", err)
	}
	return s, nil
}

// elements counts the elements of a valid JSON array.
func elements(raw []byte) int64 {
	n, depth, quoted := int64(0), 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		}
	}
	return n + 1
}

// text is a string in JSON that may hold any bytes: one that is not UTF-8 (tables have such names) is written as
// {"bytes": "..."} in base64.
type text string

type textBytes struct {
	Bytes []byte `json:"bytes"`
}

// MarshalJSON writes the text.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return marshal(string(t))
	}
	return marshal(textBytes{[]byte(t)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var x textBytes
		err := json.Unmarshal(b, &x)
		*t = text(x.Bytes)
		return err
	}
	return json.Unmarshal(b, (*string)(t))
}

// marshal is json.Marshal without the escapes for HTML, for readers of the file's bytes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
