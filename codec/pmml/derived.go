package pmml

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// derivation is how a field is computed of one column: its number, rounded to single precision or
// not, and after steps each of which ascends or descends. So a comparison of the field is one of
// the column.
type derivation struct {
	source string // the column; "": in another way
	number numberKind
	steps  []step
	// the column is rounded to single precision before the steps, and the result after them
	before, single bool
}

// mostSteps is the number of steps from a column to a field.
const mostSteps = 16

// numberKind is the type of a number: results have that of their wider operand.
type numberKind uint8

// The types, the narrowest first.
const (
	noNumber numberKind = iota
	integerNumber
	singleNumber
	doubleNumber
)

var numberKinds = map[string]numberKind{"integer": integerNumber, "float": singleNumber,
	"double": doubleNumber}

// step is a function of a number that ascends or descends.
type step struct {
	function string // "+", "-", "*", "/" of the number and value; "from": value - the number; "norm"
	value    float64
	single   bool // in single precision
	points   []point
	clamp    bool // of norm: numbers beyond the points are those of the first and the last one
}

// point is a LinearNorm.
type point struct{ orig, norm float64 }

// rounded returns a number in single precision, or as it is.
func rounded(x float64, single bool) float64 {
	if single {
		return float64(float32(x))
	}
	return x
}

// of returns the field's number of a column's number. Infinite ones count as the greatest that are
// not, since PMML has no others.
func (d *derivation) of(x float64) float64 {
	most := math.MaxFloat64
	if d.before {
		most = math.MaxFloat32
	}
	x = rounded(max(-most, min(most, x)), d.before)
	for i := range d.steps {
		x = d.steps[i].of(x)
	}
	return rounded(x, d.single)
}

func (s *step) of(x float64) float64 {
	x = rounded(x, s.single)
	switch s.function {
	case "+":
		x += s.value
	case "-":
		x -= s.value
	case "from":
		x = s.value - x
	case "*":
		x *= s.value
	case "/":
		x /= s.value
	case "norm":
		return s.normed(x)
	}
	return rounded(x, s.single)
}

// normed returns the number on the line through the two points that x is between, or next to.
func (s *step) normed(x float64) float64 {
	last := len(s.points) - 1
	switch {
	case s.clamp && x <= s.points[0].orig:
		return s.points[0].norm
	case s.clamp && x >= s.points[last].orig:
		return s.points[last].norm
	}
	at := sort.Search(last-1, func(i int) bool { return x < s.points[i+1].orig })
	a, b := s.points[at], s.points[at+1]
	if a.norm == b.norm {
		return a.norm
	}
	return a.norm + float64((x-a.orig)/(b.orig-a.orig)*(b.norm-a.norm))
}

// shifted returns the split point c of the column for which the comparison of the field is x <= c,
// or if swap its opposite: the last number with the outcome of the least one. The steps ascend or
// descend with all their rounding, so it is found by halving.
func (p *predicate) shifted() (c float64, swap bool) {
	least, most := ordered(-math.MaxFloat64), ordered(math.MaxFloat64)
	first := p.holds(-math.MaxFloat64)
	if p.holds(math.MaxFloat64) == first {
		return math.Inf(1), !first
	}
	for most-least > 1 { // least has the outcome first, most has the other one
		middle := least + (most-least)/2
		if p.holds(fromOrdered(middle)) == first {
			least = middle
		} else {
			most = middle
		}
	}
	return fromOrdered(least), !first
}

// ordered returns a whole number for each number, in the same order and without gaps.
func ordered(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func fromOrdered(n uint64) float64 {
	if n>>63 == 1 {
		return math.Float64frombits(n &^ (1 << 63))
	}
	return math.Float64frombits(^n)
}

// transformations reads derived fields.
func (f *fields) transformations() {
	f.children(func(e *element) {
		if e.name != "DerivedField" {
			return
		}
		f.Need(256)
		name, kind := e.get("name"), numberKinds[e.get("dataType")]
		d := derivation{}
		f.children(func(e *element) {
			if e.name != "Extension" && e.name != "Value" && e.name != "Interval" {
				d = f.expression(e)
			}
		})
		switch {
		case d.number == noNumber || kind < singleNumber:
			d = derivation{}
		case kind == singleNumber:
			d.single = true
		}
		d.number = kind
		f.derived[name] = &d
	})
}

// expression reads an expression of one column. Any other one has no source.
func (f *fields) expression(e *element) derivation {
	switch e.name {
	case "FieldRef":
		d := f.reference(e.get("field"))
		if e.get("mapMissingTo") != "" {
			d = derivation{}
		}
		return d
	case "NormContinuous":
		return f.norm(e)
	case "Apply":
		return f.apply(e)
	}
	return derivation{}
}

// reference returns what a field is, which the dictionary has or which is derived.
func (f *fields) reference(name string) derivation {
	if d := f.derived[name]; d != nil {
		return *d
	}
	c := f.columns[name]
	if c == nil || c.texts {
		return derivation{}
	}
	return derivation{source: name, number: numberKinds[c.dataType], before: c.single}
}

// with returns a field with one step more.
func (f *fields) with(d derivation, s step) derivation {
	if d.source == "" || len(d.steps) == mostSteps {
		return derivation{}
	}
	f.Need(2 * 72 * int64(len(d.steps)+2))
	steps := append([]step{}, d.steps...)
	if d.single { // which the next step has as its number
		steps = append(steps, step{function: "+", single: true})
	}
	d.steps, d.single = append(steps, s), false
	return d
}

// operand is an argument of a function: a number, or a field.
type operand struct {
	derivation
	constant bool
	value    float64
}

// apply reads a function of a field and a number.
func (f *fields) apply(e *element) derivation {
	function := e.get("function")
	plain := e.get("mapMissingTo") == "" && e.get("defaultValue") == ""
	var arguments []operand
	f.children(func(e *element) {
		switch {
		case e.name == "Extension":
		case len(arguments) == 2:
			plain = false
		default:
			arguments = append(arguments, f.operand(e))
		}
	})
	if !plain || len(arguments) != 2 || arguments[0].constant == arguments[1].constant {
		return derivation{}
	}
	field, value := arguments[0], arguments[1]
	if field.constant {
		field, value = value, field
		switch function {
		case "-":
			function = "from"
		case "/":
			return derivation{} // neither ascends nor descends
		}
	}
	kind := max(field.number, value.number)
	switch {
	case field.number == noNumber || value.number == noNumber,
		(function == "*" || function == "/") && value.value == 0,
		function == "/" && kind == integerNumber: // which has a rule of its own
		return derivation{}
	}
	switch function {
	case "+", "-", "*", "/", "from":
	default:
		return derivation{}
	}
	single := kind == singleNumber
	d := f.with(field.derivation, step{function: function,
		value: rounded(value.value, single), single: single})
	d.number = kind
	if d.source == "" {
		d.number = noNumber
	}
	return d
}

// operand reads an argument of a function.
func (f *fields) operand(e *element) operand {
	if e.name != "Constant" {
		return operand{derivation: f.expression(e)}
	}
	kind := e.get("dataType")
	text := strings.TrimSpace(f.content())
	o := operand{constant: true}
	if kind == "" {
		kind = "double"
		if _, err := strconv.ParseInt(text, 10, 32); err == nil {
			kind = "integer"
		}
	}
	if x, ok := finiteNumber(text); ok {
		o.number, o.value = numberKinds[kind], x
	}
	return o
}

// norm reads a NormContinuous: the lines through points.
func (f *fields) norm(e *element) derivation {
	d := f.reference(e.get("field"))
	s := step{function: "norm"}
	usable := e.get("mapMissingTo") == ""
	switch e.get("outliers") {
	case "", "asIs":
	case "asExtremeValues":
		s.clamp = true
	default:
		usable = false
	}
	f.children(func(e *element) {
		if e.name != "LinearNorm" {
			return
		}
		var one point
		if e.get("orig") == "" || e.get("norm") == "" {
			fail("a LinearNorm without orig or norm")
		}
		one.orig = e.number("orig", 0)
		one.norm = e.number("norm", 0)
		s.points = grow(s.points, 16, f.Budget)
		s.points = append(s.points, one)
	})
	if !usable || !monotone(s.points) || d.number == noNumber {
		return derivation{}
	}
	if d = f.with(d, s); d.source != "" {
		d.number = doubleNumber
	}
	return d
}

// monotone reports whether the lines through points ascend, or descend, from each to the next.
func monotone(points []point) bool {
	up, down := false, false
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if !(a.orig < b.orig) || math.IsInf(b.orig-a.orig, 0) || math.IsInf(b.norm-a.norm, 0) {
			return false
		}
		up, down = up || a.norm < b.norm, down || a.norm > b.norm
	}
	return len(points) >= 2 && up != down
}
