package serve

import (
	_ "embed" // for the file below
	"encoding/json"
	"net/http"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// object is a JSON object that is made of parts.
type object = map[string]any

// rowSchema answers with the JSON Schema of a row.
func (h *handler) rowSchema(w http.ResponseWriter, r *http.Request) error {
	m, err := h.model(r)
	if err != nil {
		return err
	}
	in := h.reading(m)
	s := in.schema()
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	return writeJSON(w, s)
}

// schema describes a row: the columns with their kinds, levels and ranges of training.
func (in *reading) schema() object {
	properties, required, order := object{}, []string{}, []string{}
	for i := range in.model.rows.Columns() {
		f := in.model.rows.Field(i)
		properties[f.Name] = in.model.column(f)
		order = append(order, f.Name)
		if in.absent != "missing" && in.absent != "zero" {
			required = append(required, f.Name)
		}
	}
	s := object{"type": "object", "title": "A row for the model " + in.model.name,
		"properties": properties, "required": required, "x-order": order}
	if in.strict {
		s["additionalProperties"] = false
	}
	return s
}

// levelsListed is how many levels of a column a schema lists.
const levelsListed = 100

// column describes a value of a column. null is a missing value, unless the schema refuses it.
func (m *Model) column(f *data.Field) object {
	kinds, s := []string{}, object{}
	switch f.Kind {
	case data.Numeric:
		kinds = append(kinds, "number", "string", "boolean")
		s["description"] = "a number"
	case data.Date:
		kinds = append(kinds, "string")
		s["description"] = "a date, as 2024-01-31 or 2024-01-31T17:05:09Z"
		if f.Format != "" && f.Format != "ymd" {
			s["description"] = "a date in the order " + f.Format + ", or as 2024-01-31T17:05:09Z"
		}
	case data.Text:
		kinds = append(kinds, "string")
		s["description"] = "a text"
	default:
		kinds = append(kinds, "string", "number", "boolean")
		s["description"] = "a category"
		if n := len(f.Levels); n > 0 && n <= levelsListed {
			s["examples"] = f.Levels // a new one is flagged, so this is no enum
		}
	}
	if f.Missing != data.Refuse {
		kinds = append(kinds, "null")
	}
	s["type"] = kinds
	s["x-kind"] = f.Kind.String()
	m.typical(f, s)
	return s
}

// typical adds what the profile of training has of a column: its range and quantiles, of dates in
// microseconds since 1970, and a value in the middle of training as the default.
func (m *Model) typical(f *data.Field, s object) {
	c := m.spec.Profile.Column(f.Name)
	switch {
	case f.Kind == data.Categorical && c != nil && len(c.Levels) > 0:
		s["default"] = c.Levels[0].Level
	case f.Kind == data.Categorical && len(f.Levels) > 0:
		s["default"] = f.Levels[0]
	case f.Kind == data.Text:
		s["default"] = ""
	}
	if c == nil || c.Numbers == nil || f.Kind != data.Numeric && f.Kind != data.Date {
		return
	}
	n := c.Numbers
	if n.Min != nil && f.Kind == data.Numeric {
		s["x-training-range"] = []number{number(*n.Min), number(*n.Max)}
	}
	if len(n.Quantiles) == 0 {
		return
	}
	s["x-quantiles"] = numbers(n.Quantiles)
	middle := n.Quantiles[len(n.Quantiles)/2]
	s["default"] = number(middle)
	if f.Kind == data.Date {
		s["default"] = data.DateText(middle)
	}
}

//go:embed openapi.json
var openAPIText []byte

// openAPI answers with the description of the row API of all models, as OpenAPI 3.1.
func (h *handler) openAPI(w http.ResponseWriter, r *http.Request) error {
	var all struct {
		Version    string            `json:"openapi"`
		Info       object            `json:"info"`
		Paths      object            `json:"paths"`
		Components map[string]object `json:"components"`
	}
	if err := json.Unmarshal(openAPIText, &all); err != nil {
		return err
	}
	all.Paths = object{}
	for _, m := range h.set(r).All() {
		if m != h.set(r).Get(m.name, "") {
			continue // versions have one address
		}
		in := h.reading(m)
		name := "Row_" + componentName(m.name)
		all.Components["schemas"][name] = in.schema()
		all.Paths["/v1/models/"+m.name+"/predict"] = object{"post": m.operation(part("schemas", name), h.types())}
	}
	return writeJSON(w, all)
}

// part refers to a component of the description.
func part(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// componentName replaces what names of components may not have.
func componentName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			r == '.' || r == '-' || r == '_') {
			return r
		}
		return '_'
	}, name)
}

// operation describes the prediction of rows.
func (m *Model) operation(row object, types []string) object {
	content, parameters := object{}, []object{}
	answers := object{typeJSON: object{"schema": m.answerSchema()}}
	for _, kind := range types {
		content[kind] = object{"schema": object{"type": "string"}}
		if kind != typeJSON && kind != typeLines {
			answers[kind] = content[kind]
		}
	}
	content[typeJSON] = object{"schema": object{"oneOf": []any{row,
		object{"type": "array", "items": row}}}}
	content[typeLines] = object{"schema": row}
	responses := object{"200": object{"description": "the predictions", "content": answers}}
	for _, status := range []string{"400", "404", "413", "415", "422", "429", "503"} {
		responses[status] = part("responses", "Problem")
	}
	for _, name := range rowParameters {
		parameters = append(parameters, part("parameters", name))
	}
	return object{"operationId": "predict_" + componentName(m.name),
		"summary": "Predict rows by the model " + m.name, "parameters": parameters,
		"requestBody": object{"required": true, "content": content}, "responses": responses}
}

// answerSchema describes the answer for one row, or for several.
func (m *Model) answerSchema() object {
	text, n := object{"type": "string"}, part("schemas", "Number")
	list := func(items object) object { return object{"type": "array", "items": items} }
	named := object{"type": "object", "additionalProperties": n}
	all := object{"id": object{}, "flags": list(part("schemas", "Flag")),
		"reasons": list(part("schemas", "Reason")), "why": part("schemas", "Change"),
		"model": text, "version": text, "model_id": text, "predictions": list(object{"type": "object"})}
	if m.spec.Labels() {
		all["label"] = object{"type": "string", "enum": m.spec.Classes}
	}
	switch {
	case m.spec.Task.Classes():
		all["probabilities"] = named
	case m.spec.Labels():
		all["score"] = n
	case len(m.spec.Quantiles) > 1:
		all["quantiles"] = named
	case m.bound.Width() > 1:
		all["values"] = list(n)
	default:
		all["value"] = n
	}
	return object{"type": "object", "properties": all}
}
