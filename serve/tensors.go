package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
)

// tensor is an input or an output of the Open Inference Protocol.
type tensor struct {
	Name       string           `json:"name"`
	Shape      []int64          `json:"shape"`
	Datatype   string           `json:"datatype"`
	Parameters binaryParameters `json:"parameters"`
	Data       json.RawMessage  `json:"data"`
	binary     []byte           // in place of Data
}

// datatype is how values of a type of the protocol are read.
type datatype struct {
	bits     int // of numbers
	integer  bool
	unsigned bool
}

// datatypes are the types of the protocol that inputs may have. FP16 has no form in JSON that all
// clients agree on, so it is read as binary data alone.
var datatypes = map[string]datatype{
	"BOOL": {}, "BYTES": {}, "FP16": {bits: 16}, "FP32": {bits: 32}, "FP64": {bits: 64},
	"INT8": {8, true, false}, "INT16": {16, true, false}, "INT32": {32, true, false},
	"INT64": {64, true, false}, "UINT8": {8, true, true}, "UINT16": {16, true, true},
	"UINT32": {32, true, true}, "UINT64": {64, true, true},
}

// elements reads the values of a tensor, flat or nested: each is null, a truth value, a text or a
// number as it is written. Those of bytes are truth values, texts and numbers.
func (t *tensor) elements(kind datatype, most int) ([]any, error) {
	if len(t.Data) == 0 && t.binary == nil {
		return nil, syntaxf("input %q has no data", t.Name)
	}
	want := int64(1)
	for _, n := range t.Shape {
		if n < 0 || n > 0 && want > int64(most)/n {
			return nil, syntaxf("input %q: the shape %v is beyond %d values", t.Name, t.Shape, most)
		}
		want *= n
	}
	if t.binary != nil {
		return t.binaryElements(kind, want)
	}
	if t.Datatype == "FP16" {
		return nil, syntaxf("input %q: FP16 is read as binary data alone: send FP32", t.Name)
	}
	d := decoderOf(bytes.NewReader(t.Data))
	var all []any
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return nil, syntaxf("input %q: the data are no JSON array", t.Name)
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '[':
				depth++
			case ']':
				depth--
			default:
				return nil, syntaxf("input %q: the data have an object: want values", t.Name)
			}
		default:
			if depth == 0 {
				return nil, syntaxf("input %q: the data are no JSON array", t.Name)
			}
			if int64(len(all)) == want {
				return nil, syntaxf("input %q has more values than its shape %v", t.Name, t.Shape)
			}
			all = append(all, v)
		}
		if depth == 0 {
			break
		}
	}
	if int64(len(all)) != want {
		return nil, syntaxf("input %q has %d values, and %d by its shape %v", t.Name, len(all), want,
			t.Shape)
	}
	return all, nil
}

// put writes a value of a tensor into a row: null is missing, and a number of 32 bits is widened.
func (k datatype) put(rows *input.NamedReader, row []float64, column int, v any) error {
	switch v := v.(type) {
	case nil:
		rows.Missing(row, column)
		return nil
	case bool:
		if k.bits == 0 {
			return rows.Truth(row, column, v)
		}
	case string:
		if k.bits == 0 {
			return rows.Text(row, column, []byte(v))
		}
	case float64:
		return rows.Number(row, column, v)
	case int64:
		return rows.Numeral(row, column, strconv.AppendInt(nil, v, 10))
	case uint64:
		return rows.Numeral(row, column, strconv.AppendUint(nil, v, 10))
	case json.Number:
		return k.number(rows, row, column, string(v))
	}
	return fmt.Errorf("%v is no value of the datatype", v)
}

// number writes a number as its datatype has it.
func (k datatype) number(rows *input.NamedReader, row []float64, column int, text string) error {
	var v float64
	switch {
	case k.bits == 0:
		return fmt.Errorf("the number %s is no value of the datatype", text)
	case k.integer && k.unsigned:
		n, err := strconv.ParseUint(text, 10, k.bits)
		if err != nil {
			return fmt.Errorf("%s is no whole number of %d bits without a sign", text, k.bits)
		}
		v = float64(n)
	case k.integer:
		n, err := strconv.ParseInt(text, 10, k.bits)
		if err != nil {
			return fmt.Errorf("%s is no whole number of %d bits", text, k.bits)
		}
		v = float64(n)
	default:
		n, err := strconv.ParseFloat(text, k.bits)
		if err != nil || math.IsInf(n, 0) {
			return fmt.Errorf("%s is beyond the range of %d bits", text, k.bits)
		}
		v = n
	}
	if k.integer { // a category of many digits is found by its text
		return rows.Numeral(row, column, []byte(text))
	}
	return rows.Number(row, column, v)
}

// datatypeOf returns the type that the metadata name for a column.
func datatypeOf(f *data.Field) string {
	if f.Kind == data.Numeric {
		return "FP64"
	}
	return "BYTES"
}
