package serve

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// number is a float64 that JSON may not have: NaN is null, and infinities are texts.
type number float64

// MarshalJSON writes the shortest text that reads as the same number.
func (n number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte("null"), nil
	case math.IsInf(v, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Infinity"`), nil
	default:
		return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
	}
}

// namedNumbers is a JSON object of numbers, in the order of their names.
type namedNumbers struct {
	names  []string
	values []number
}

// MarshalJSON writes the object.
func (n namedNumbers) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range n.names {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := n.values[i].MarshalJSON()
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// prediction is what the row API answers for a row.
type prediction struct {
	ID            json.RawMessage `json:"id,omitempty"`
	Label         *string         `json:"label,omitempty"`         // of classes and anomalies
	Probabilities *namedNumbers   `json:"probabilities,omitempty"` // of classes
	Score         *number         `json:"score,omitempty"`         // of anomalies
	Value         *number         `json:"value,omitempty"`         // of one number
	Values        []number        `json:"values,omitempty"`        // of several numbers
	Quantiles     *namedNumbers   `json:"quantiles,omitempty"`     // by their levels
	Flags         []flag          `json:"flags,omitempty"`
	Reasons       []reason        `json:"reasons,omitempty"`
	Error         *problem        `json:"error,omitempty"` // in place of all others
}

// flag is a value that training had not.
type flag struct {
	Column string `json:"column"`
	Kind   string `json:"kind"` // new, missing or range
}

// reason is a column with a large effect on the prediction.
type reason struct {
	Column  string `json:"column"`
	Value   string `json:"value"`
	Effect  number `json:"effect"` // on the raw score
	Towards string `json:"towards,omitempty"`
}

// answer makes the prediction of a response.
func (m *Model) answer(response []float64, flags []model.Flag) *prediction {
	p := &prediction{}
	spec := m.spec
	if spec.Labels() {
		label := spec.Classes[spec.Decision.Label(response)]
		p.Label = &label
	}
	switch {
	case spec.Task.Classes():
		p.Probabilities = &namedNumbers{spec.Classes, numbers(response)}
	case spec.Labels():
		v := number(response[0])
		p.Score = &v
	case len(spec.Quantiles) > 1:
		names := make([]string, len(spec.Quantiles))
		for i, q := range spec.Quantiles {
			names[i] = strconv.FormatFloat(q, 'g', -1, 64)
		}
		p.Quantiles = &namedNumbers{names, numbers(response)}
	case len(response) > 1:
		p.Values = numbers(response)
	default:
		v := number(response[0])
		p.Value = &v
	}
	for _, f := range flags {
		p.Flags = append(p.Flags, flag{f.Column, f.Kind.String()})
	}
	return p
}

func numbers(values []float64) []number {
	n := make([]number, len(values))
	for i, v := range values {
		n[i] = number(v)
	}
	return n
}

// answeredReasons makes reasons of those of package explain.
func answeredReasons(reasons []explain.Reason) []reason {
	all := make([]reason, len(reasons))
	for i, r := range reasons {
		all[i] = reason{r.Column, r.Value, number(r.Effect), r.Towards}
	}
	return all
}

// quotedJSON writes a text as JSON.
func quotedJSON(text string) json.RawMessage {
	b, err := json.Marshal(text)
	if err != nil { // a text can always be written
		return nil
	}
	return b
}

// unquotedJSON returns the text that a JSON value is, or its JSON.
func unquotedJSON(v json.RawMessage) string {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return text
	}
	return string(v)
}
