package onnx

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// column is a column of the operator's input: a field of the model's schema, and what the graph
// makes of its values before the trees compare them.
type column struct {
	field int32
	steps []step
}

// step is one change of a value.
type step struct {
	change         change
	offset, factor float32
}

// change is the kind of a step.
type change uint8

const (
	rounded    change = iota // to single precision
	scaled                   // (x - offset) * factor in single precision, of an x that has it
	scaledWide               // likewise in double precision, then rounded
)

// of returns what the steps make of a value.
func (c *column) of(x float64) float64 {
	for _, s := range c.steps {
		switch s.change {
		case rounded:
			x = float64(float32(x))
		case scaled:
			x = float64(float32(float32(x)-s.offset) * s.factor)
		case scaledWide:
			x = float64(float32((x - float64(s.offset)) * float64(s.factor)))
		}
	}
	return x
}

// plain reports whether values are compared as they are, or rounded to single precision; else a
// scaler changes them.
func (c *column) plain() (single, ok bool) {
	for _, s := range c.steps {
		if s.change != rounded {
			return false, false
		}
	}
	return len(c.steps) > 0, true
}

// descends reports whether greater values become smaller.
func (c *column) descends() bool {
	down := false
	for _, s := range c.steps {
		down = down != (s.change != rounded && s.factor < 0)
	}
	return down
}

// table is a tensor of the graph before the trees: its columns and their type.
type table struct {
	columns []column
	element element
}

// inputs finds the columns of the trees' input.
type inputs struct {
	*onnxModel
	budget   *foreign.Budget
	producer map[string]int // by name: the operator that makes it
	first    map[string]int32
	width    map[string]int
	element  map[string]element
	least    int // number of columns that the trees need
}

// bytesPerField bounds what a field of the schema takes.
const bytesPerField = 250

// findFields numbers the columns of all inputs that are no constants, and returns their names.
func (in *inputs) findFields() []string {
	var names []string
	var used []value
	for _, v := range in.onnxModel.inputs {
		if _, constant := in.constants[v.name]; !constant {
			used = append(used, v)
		}
	}
	for _, v := range used {
		n := 1
		if len(v.dims) == 2 {
			n = int(max(-1, min(v.dims[1], math.MaxInt32)))
		}
		if len(v.dims) == 0 || n <= 0 {
			if len(used) > 1 {
				refuse("several inputs, and the size of input %.50q is not given",
					v.name)
			}
			n = in.least
		}
		if len(v.dims) > 2 {
			refuse("input %.50q of %d dimensions", v.name, len(v.dims))
		}
		in.budget.Need(int64(n) * bytesPerField)
		in.first[v.name], in.width[v.name] = int32(len(names)), n
		in.element[v.name] = v.element
		for i := range n {
			switch {
			case len(used) == 1:
				names = append(names, "")
			case n == 1:
				names = append(names, v.name)
			default:
				names = append(names, v.name+"_"+strconv.Itoa(i))
			}
		}
	}
	var given []string
	if in.entry(namesEntry, &given) && len(given) == len(names) {
		names = given
	}
	return foreign.Names(names, len(names), "f")
}

// entry reads the JSON of an entry of the metadata, and reports whether it has the right form.
func (in *inputs) entry(key string, to any) bool {
	text := in.metadata[key]
	return text != "" && in.message.Take(int64(len(text))*jsonBytes) &&
		json.Unmarshal([]byte(text), to) == nil
}

// jsonBytes bounds what a byte of JSON takes as lists of texts.
const jsonBytes = 48

// levelList is a column's levels in the metadata: texts, or numbers alone. texts is nil of null.
type levelList struct {
	texts   []string
	numbers bool
}

// UnmarshalJSON reads a list of texts or of numbers. Numbers keep their digits.
func (l *levelList) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &l.texts) == nil {
		return nil
	}
	var numbers []json.Number
	if err := json.Unmarshal(text, &numbers); err != nil {
		return err
	}
	l.texts, l.numbers = make([]string, len(numbers)), true
	for i, number := range numbers {
		l.texts[i], _ = foreign.NumberLevel(number.String())
	}
	return nil
}

// bytesPerColumn bounds what a column of a tensor takes, and each of its steps.
const bytesPerColumn = 64

// mostSteps is the greatest number of operators between an input and the trees.
const mostSteps = 100

// table returns the tensor of a name.
func (in *inputs) table(name string, depth int) *table {
	if first, ok := in.first[name]; ok {
		return in.input(name, first)
	}
	i, ok := in.producer[name]
	if !ok || depth > mostSteps {
		refuse("the trees' input %.50q, which no operator makes", name)
	}
	o := &in.nodes[i]
	tables, n := make([]*table, len(o.input)), 0
	for k, from := range o.input {
		t := in.table(from, depth+1)
		tables[k], n = t, n+len(t.columns)
		for i := range t.columns {
			n += len(t.columns[i].steps)
		}
	}
	in.budget.Need(bytesPerOperator + bytesPerColumn*int64(n))
	if len(tables) == 0 {
		refuse("%.50q before the trees", o.op)
	}
	switch t := tables[0]; o.op {
	case "Identity":
		return t
	case "Cast":
		return in.cast(o, t)
	case "Scaler":
		return in.scale(o, t)
	case "Concat", "FeatureVectorizer":
		return in.join(o, tables)
	}
	refuse("%.50q before the trees", o.op)
	return nil
}

// input returns an input of the graph.
func (in *inputs) input(name string, first int32) *table {
	in.budget.Need(bytesPerColumn * int64(in.width[name]))
	t := &table{columns: make([]column, in.width[name]), element: in.element[name]}
	for i := range t.columns {
		t.columns[i].field = first + int32(i)
	}
	switch t.element {
	case float32s:
		t.add(step{change: rounded})
	case float64s, int32s, int64s:
	default:
		refuse("input %.50q of type %d: types 1, 6, 7 and 11 can be read",
			name, t.element)
	}
	return t
}

// add adds a step to all columns.
func (t *table) add(s step) {
	for i := range t.columns {
		c := &t.columns[i]
		c.steps = append(c.steps[:len(c.steps):len(c.steps)], s)
	}
}

// cast converts numbers.
func (in *inputs) cast(o *operator, t *table) *table {
	to := element(o.int("to", 0))
	switch {
	case to == t.element, to == float64s:
	case to == float32s:
		t.add(step{change: rounded})
	case to == int64s && t.element == int32s:
	default:
		refuse("Cast to type %d before the trees", to)
	}
	t.element = to
	in.intact()
	return t
}

// scale is a Scaler: (x - offset) * scale, in the type of x, to single precision.
func (in *inputs) scale(o *operator, t *table) *table {
	offset, factor := o.floats("offset"), o.floats("scale")
	n := len(t.columns)
	if len(offset) != len(factor) || len(factor) != 1 && len(factor) != n {
		foreign.Check(corrupt("Scaler", o.offset, fmt.Errorf("%d offsets, %d factors of %d columns",
			len(offset), len(factor), n)))
	}
	for i := range t.columns {
		k := i % len(factor)
		s := step{scaled, offset[k], factor[k]}
		if bad := float64(s.factor - s.factor + s.offset - s.offset); bad != 0 || s.factor == 0 {
			refuse("a Scaler with the offset %v and the factor %v", s.offset,
				s.factor)
		}
		c := &t.columns[i]
		switch t.element {
		case float64s:
			s.change = scaledWide
		case int32s, int64s: // arithmetic in single precision
			c.steps = append(c.steps[:len(c.steps):len(c.steps)], step{change: rounded})
		}
		c.steps = append(c.steps[:len(c.steps):len(c.steps)], s)
	}
	t.element = float32s
	in.intact()
	return t
}

// join is a Concat or FeatureVectorizer: columns side by side.
func (in *inputs) join(o *operator, tables []*table) *table {
	if axis := o.int("axis", 1); axis != 1 && axis != -1 {
		refuse("Concat along axis %d", axis)
	}
	all := &table{element: tables[0].element}
	for _, t := range tables {
		if o.op == "FeatureVectorizer" && t.element != float32s {
			t.add(step{change: rounded})
			t.element = float32s
			all.element = float32s
		}
		if t.element != all.element {
			foreign.Check(corrupt(o.op, o.offset, fmt.Errorf("tensors of types %d and %d",
				all.element, t.element)))
		}
		all.columns = append(all.columns, t.columns...)
	}
	in.intact()
	return all
}

// int returns an attribute of an operator, or a default.
func (o *operator) int(name string, missing int64) int64 {
	for i := range o.attributes {
		if o.attributes[i].name == name {
			return o.attributes[i].int()
		}
	}
	return missing
}

// floats returns an attribute of an operator, nil if it has none.
func (o *operator) floats(name string) []float32 {
	for i := range o.attributes {
		if o.attributes[i].name == name {
			return o.attributes[i].floats()
		}
	}
	return nil
}
