package serve

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// number is a float64 that JSON may not have: NaN is null, and infinities are texts.
type number float64

// MarshalJSON writes the shortest text that reads as the same number.
func (n number) MarshalJSON() ([]byte, error) { return appendNumber(nil, float64(n)), nil }

// appendNumber appends a number as JSON has it.
func appendNumber(b []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(b, "null"...)
	case math.IsInf(v, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(b, `"-Infinity"`...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// jsonOf writes a value that JSON has as JSON, with <, > and & as they are.
func jsonOf(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)                                  // texts, numbers and parts of these have no error
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}) // which Encode adds
}

// appendText appends a text as JSON has it.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return append(b, jsonOf(text)...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// prediction is what the row API answers for a row. It is used before its batch is read again.
type prediction struct {
	model    *Model
	id       []byte // JSON that is given back; nil = nothing
	done     bool   // it was predicted
	response []float64
	flags    []model.Flag
	reasons  []explain.Reason
	changed  bool                // the smallest change was looked for
	change   *explain.ChangedRow // nil: the row has the wanted prediction already
	err      *problem            // in place of what is predicted
}

// appendJSON appends a prediction as a JSON object, which begins with some fields of others.
func (p *prediction) appendJSON(b []byte, others string) []byte {
	b = append(append(b, '{'), others...)
	if p.id != nil {
		b = append(field(b, "id"), p.id...)
	}
	if p.err != nil {
		return append(append(field(b, "error"), jsonOf(p.err)...), '}')
	}
	b = p.appendPredicted(b)
	if len(p.flags) > 0 {
		b = append(field(b, "flags"), '[')
		for i, f := range p.flags {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendText(append(b, `{"column":`...), f.Column)
			b = append(appendText(append(b, `,"kind":`...), f.Kind.String()), '}')
		}
		b = append(b, ']')
	}
	if len(p.reasons) > 0 {
		b = appendReasons(field(b, "reasons"), p.reasons)
	}
	if p.changed {
		b = p.appendChange(field(b, "why"))
	}
	return append(b, '}')
}

// field begins a field of an object.
func field(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(append(append(b, '"'), name...), `":`...)
}

// appendPredicted appends the label with probabilities or the score, or the numbers.
func (p *prediction) appendPredicted(b []byte) []byte {
	spec := p.model.spec
	if spec.Labels() {
		b = appendText(field(b, "label"), spec.Classes[spec.Decision.Label(p.response)])
	}
	switch {
	case spec.Task.Classes():
		return appendNamed(field(b, "probabilities"), spec.Classes, p.response)
	case spec.Labels():
		return appendNumber(field(b, "score"), p.response[0])
	case len(spec.Quantiles) > 1:
		return appendNamed(field(b, "quantiles"), p.model.levels, p.response)
	case len(p.response) == 1:
		return appendNumber(field(b, "value"), p.response[0])
	}
	b = append(field(b, "values"), '[')
	for i, v := range p.response {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, v)
	}
	return append(b, ']')
}

// appendNamed appends an object of numbers.
func appendNamed(b []byte, names []string, values []float64) []byte {
	b = append(b, '{')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(append(appendText(b, names[i]), ':'), v)
	}
	return append(b, '}')
}

// appendReasons appends columns with their effects on the raw score.
func appendReasons(b []byte, reasons []explain.Reason) []byte {
	b = append(b, '[')
	for i, r := range reasons {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, `{"column":`...), r.Column)
		b = appendText(append(b, `,"value":`...), r.Value)
		b = appendNumber(append(b, `,"effect":`...), r.Effect)
		if r.Towards != "" {
			b = appendText(append(b, `,"towards":`...), r.Towards)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// numbers are values as JSON has them.
func numbers(values []float64) []number {
	n := make([]number, len(values))
	for i, v := range values {
		n[i] = number(v)
	}
	return n
}

// numberText writes a number so that it reads as the same one.
func numberText(v number) string { return strconv.FormatFloat(float64(v), 'g', -1, 64) }

// quotedJSON writes a text as JSON.
func quotedJSON(text string) []byte { return appendText(nil, text) }

// unquotedJSON returns the text that a JSON value is, or its JSON.
func unquotedJSON(v []byte) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return text
	}
	return string(v)
}
