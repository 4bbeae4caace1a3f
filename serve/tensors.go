package serve

import (
	"fmt"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
)

// tensor is an input or an output of the Open Inference Protocol.
type tensor struct {
	Name       string
	Shape      []int64 // one or two dimensions
	Datatype   string
	Parameters parameters
	data       jsonScanner // its text is nil: none
	binary     []byte      // in place of data
}

// read reads an input.
func (t *tensor) read(s *jsonScanner) error {
	from := s.At
	err := s.fields(func(name string) (err error) {
		switch name {
		case "name":
			return s.text(&t.Name)
		case "datatype":
			return s.text(&t.Datatype)
		case "parameters":
			return t.Parameters.read(s)
		case "data":
			t.data, err = s.value()
			return err
		}
		t.Shape = []int64{}
		return s.list(2, "dimensions: want the shape [n] or [n, k]", func() error {
			n, err := s.whole()
			t.Shape = append(t.Shape, n)
			return err
		})
	}, "name", "shape", "datatype", "parameters", "data")
	if err == nil && (t.Name == "" || t.Shape == nil || t.Datatype == "") {
		err = syntaxf("byte %d of the body: an input has a name, a shape and a datatype", from+1)
	}
	return err
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

// check counts the values of a tensor, flat or nested.
func (t *tensor) check(kind datatype, most int) error {
	if t.data.Text == nil && t.binary == nil {
		return syntaxf("input %q has no data", t.Name)
	}
	want := int64(1)
	for _, n := range t.Shape {
		if n < 0 || n > 0 && want > int64(most)/n {
			return syntaxf("input %q: the shape %v is beyond %d values", t.Name, t.Shape, most)
		}
		want *= n
	}
	if t.binary != nil {
		return t.checkBinary(kind, want)
	}
	if t.Datatype == "FP16" {
		return syntaxf("input %q: FP16 is read as binary data alone: send FP32", t.Name)
	}
	if t.data.Next() != '[' {
		return syntaxf("input %q: the data are no JSON array", t.Name)
	}
	s := t.data
	s.again = true
	return t.count(&s, t.Shape, want)
}

// count counts the values of an array, or the arrays in it, where the shape has a dimension more.
func (t *tensor) count(s *jsonScanner, shape []int64, want int64) error {
	from, n, inner, what := s.At, int64(0), false, "values"
	err := s.list(len(s.Text), "values", func() error {
		n++
		c := s.Next()
		if n == 1 && c == '[' && len(shape) > 1 {
			inner, want, what = true, shape[0], "arrays"
		}
		switch {
		case c == '{', (c == '[') != inner:
			return syntaxf("input %q, byte %d of the body: want %s, not %q, by the shape %v", t.Name,
				s.At+1, what, c, t.Shape)
		case inner:
			return t.count(s, shape[1:], shape[1])
		}
		return s.skip()
	})
	if err == nil && n != want {
		err = syntaxf("input %q, byte %d of the body: it has %d %s, and %d by its shape %v", t.Name,
			from+1, n, what, want, t.Shape)
	}
	return err
}

// columnTensor has the values of some columns, row after row, as they are in the body.
type columnTensor struct {
	kind    datatype
	name    string // of it
	columns []int  // of a row, in the order of its values
	scanner jsonScanner
	binary  []byte // in place of it
}

// values returns the values of a tensor.
func (t *tensor) values(kind datatype, columns []int) columnTensor {
	return columnTensor{kind, t.Datatype, columns, t.data, t.binary}
}

// put writes the next value of a tensor into a row: null is missing, and a number of 32 bits is
// widened.
func (t *columnTensor) put(rows *input.NamedReader, row []float64, column int) error {
	if t.binary != nil {
		return t.putBinary(rows, row, column)
	}
	k := t.kind
	if t.scanner.element() == '"' {
		text, err := t.scanner.quoted("a text")
		if err == nil && k.bits > 0 {
			err = fmt.Errorf("want a value of the datatype %s, not the text %q", t.name, text)
		}
		if err != nil {
			return err
		}
		return rows.Text(row, column, text)
	}
	switch word := t.scanner.Word(); {
	case string(word) == "null":
		rows.Missing(row, column)
		return nil
	case word[0] != 't' && word[0] != 'f':
		if k.bits == 0 {
			return fmt.Errorf("want a value of the datatype %s, not the number %s", t.name, word)
		}
		return k.number(rows, row, column, string(word))
	case k.bits > 0:
		return fmt.Errorf("want a value of the datatype %s, not %s", t.name, word)
	default:
		return rows.Truth(row, column, word[0] == 't')
	}
}

// number writes a number as its datatype has it.
func (k datatype) number(rows *input.NamedReader, row []float64, column int, text string) error {
	var v float64
	switch {
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
