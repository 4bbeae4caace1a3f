package serve

import (
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

// openAPI answers with the description of the row API of all models, as OpenAPI 3.1.
func (h *handler) openAPI(w http.ResponseWriter, r *http.Request) error {
	paths, schemas := object{}, object{"Problem": problemSchema()}
	for _, m := range h.set(r).All() {
		if m != h.set(r).Get(m.name, "") {
			continue // versions have one address
		}
		in := h.reading(m)
		name := "Row_" + componentName(m.name)
		schemas[name] = in.schema()
		row := object{"$ref": "#/components/schemas/" + name}
		paths["/v1/models/"+m.name+"/predict"] = object{"post": m.operation(row, h.types())}
	}
	return writeJSON(w, object{"openapi": "3.1.0",
		"info":  object{"title": "Coppice", "version": "1", "description": "Predictions of models"},
		"paths": paths, "components": object{"schemas": schemas}})
}

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
	parameter := func(name, text string, schema object) object {
		return object{"name": name, "in": "query", "description": text, "schema": schema}
	}
	words := func(values ...string) object { return object{"type": "string", "enum": values} }
	content := object{}
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
	failed := object{"description": "what is wrong, and where",
		"content": object{"application/problem+json": object{
			"schema": object{"$ref": "#/components/schemas/Problem"}}}}
	responses := object{"200": object{"description": "the predictions", "content": answers}}
	for _, status := range []string{"400", "404", "413", "415", "422", "429", "503"} {
		responses[status] = failed
	}
	return object{"operationId": "predict_" + componentName(m.name),
		"summary": "Predict rows by the model " + m.name,
		"parameters": []any{
			parameter("reasons", "the columns with the largest effects, so many of them",
				object{"type": "integer", "minimum": 0}),
			parameter("why", "adds the smallest change that turns the prediction",
				words("0", "1")),
			parameter("want", "with why=1, what it turns into: a class, or a number as >5 or <5",
				object{"type": "string"}),
			parameter("id", "a field that is given back with the prediction",
				object{"type": "string"}),
			parameter("unknown", "what is done with a field that is no column",
				words("refuse", "ignore")),
			parameter("absent", "what a column means that a row does not name",
				words("refuse", "missing", "zero")),
			parameter("errors", "whether a wrong row refuses all", words("all", "row")),
			parameter("version", "the version of the model", object{"type": "string"}),
		},
		"requestBody": object{"required": true, "content": content}, "responses": responses}
}

// answerSchema describes the answer for one row, or for several.
func (m *Model) answerSchema() object {
	prediction := object{"id": object{}, "flags": object{"type": "array"},
		"reasons": object{"type": "array"}, "why": m.changeSchema()}
	n := object{"type": []string{"number", "string", "null"}}
	if m.spec.Labels() {
		prediction["label"] = object{"type": "string", "enum": m.spec.Classes}
	}
	switch {
	case m.spec.Task.Classes():
		prediction["probabilities"] = object{"type": "object", "additionalProperties": n}
	case m.spec.Labels():
		prediction["score"] = n
	case len(m.spec.Quantiles) > 1:
		prediction["quantiles"] = object{"type": "object", "additionalProperties": n}
	case m.bound.Width() > 1:
		prediction["values"] = object{"type": "array", "items": n}
	default:
		prediction["value"] = n
	}
	text := object{"type": "string"}
	prediction["model"], prediction["version"], prediction["model_id"] = text, text, text
	prediction["predictions"] = object{"type": "array", "items": object{"type": "object"}}
	return object{"type": "object", "properties": prediction}
}

// changeSchema describes a smallest change.
func (m *Model) changeSchema() object {
	value := object{"type": []string{"number", "string", "null"}}
	change := object{"column": object{"type": "string"}, "from": value, "to": value,
		"cost": object{"type": "number"}}
	return object{"type": "object", "description": "with what is predicted for the changed row",
		"properties": object{"reached": object{"type": "boolean"},
			"changes": object{"type": "array", "items": object{"type": "object", "properties": change}},
			"cost":    object{"type": "number"}, "exact": object{"type": "boolean"}}}
}

// problemSchema describes an error.
func problemSchema() object {
	text, whole := object{"type": "string"}, object{"type": "integer"}
	return object{"type": "object", "properties": object{"type": text, "title": text,
		"status": whole, "detail": text, "errors": object{"type": "array", "items": object{
			"type": "object", "properties": object{"row": whole, "column": text,
				"detail": text}}}, "more": whole}}
}
