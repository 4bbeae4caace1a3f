package arff

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// attribute is a declared column.
type attribute struct {
	name   string
	kind   kind
	levels []string        // nominal: the declared values
	known  map[string]bool // nominal: the same
	layout string          // date: the layout of package time
	column *table.Column
}

// kind is the type of an attribute.
type kind uint8

const (
	numeric kind = iota
	nominal
	text
	date
)

func (a *attribute) typed() table.Type {
	switch a.kind {
	case nominal, text:
		return table.TypedTexts
	case date:
		return table.TypedDates
	}
	return table.TypedNumbers
}

// readHeader reads the lines up to @data and gives every attribute its column.
func (r *reader) readHeader() error {
	r.attributes = nil
	for {
		line, err := r.lines.Next()
		if err != nil {
			return err
		}
		if line == nil {
			return r.fault(data.ErrFormat,
				"the text ends before a line @data: it is no ARFF, or truncated")
		}
		t := tokens{line: line}
		if t.blanks(); t.end() {
			continue
		}
		keyword, rest := keyword(line[t.at:])
		switch keyword {
		case "@relation":
		case "@attribute":
			t = tokens{line: rest}
			a, err := r.declare(&t)
			if err != nil {
				return err
			}
			r.attributes = append(r.attributes, a)
		case "@data":
			return r.columns()
		default:
			return r.fault(data.ErrFormat,
				"%s is not @relation, @attribute or @data: is this ARFF?",
				table.Quote([]byte(keyword)))
		}
	}
}

// declare reads a name and a type.
func (r *reader) declare(t *tokens) (attribute, error) {
	var a attribute
	t.blanks()
	word, err := t.word()
	if err != nil {
		return a, r.fault(data.ErrFormat, "%v", err)
	}
	if a.name = string(word); strings.TrimSpace(a.name) == "" {
		return a, r.fault(data.ErrHeader, "the attribute has no name")
	}
	if t.take('{') {
		a.kind = nominal
		return a, r.levels(&a, t)
	}
	if word, err = t.word(); err != nil {
		return a, r.fault(data.ErrFormat, "attribute %q: %v", a.name, err)
	}
	switch name := strings.ToLower(string(word)); name {
	case "numeric", "real", "integer":
		if err := t.span(); err != nil {
			return a, r.fault(data.ErrFormat, "attribute %q: %v", a.name, err)
		}
	case "string":
		a.kind = text
	case "date":
		a.kind = date
		pattern := []byte("yyyy-MM-dd'T'HH:mm:ss")
		if !t.end() {
			if pattern, err = t.word(); err != nil {
				return a, r.fault(data.ErrFormat, "attribute %q: %v", a.name, err)
			}
		}
		var ok bool
		if a.layout, ok = layout(string(pattern)); !ok {
			return a, r.fault(data.ErrType, "attribute %q: cannot read dates of the format %s",
				a.name, table.Quote(pattern))
		}
	case "relational":
		return a,
			r.fault(data.ErrType, "attribute %q is relational, which has no place in a table",
				a.name)
	default:
		return a, r.fault(data.ErrFormat, "attribute %q: %s is no type (numeric, string, date "+
			"or a list of values in braces)", a.name, table.Quote(word))
	}
	if !t.end() {
		return a, r.fault(data.ErrFormat, "attribute %q: %s follows its type", a.name,
			table.Quote(t.line[t.at:]))
	}
	return a, nil
}

// levels reads the declared values of a nominal attribute behind its brace.
func (r *reader) levels(a *attribute, t *tokens) error {
	a.known = map[string]bool{}
	for !t.take('}') {
		if t.end() {
			return r.fault(data.ErrFormat, "attribute %q: the list of values has no end", a.name)
		}
		word, err := t.word()
		if err != nil {
			return r.fault(data.ErrFormat, "attribute %q: %v", a.name, err)
		}
		if len(word) == 0 && !t.quoted {
			return r.fault(data.ErrFormat, "attribute %q: a value is expected before %s", a.name,
				table.Quote(t.line[t.at:]))
		}
		level := string(word)
		if a.known[level] {
			return r.fault(data.ErrFormat, "attribute %q: the value %s is declared twice", a.name,
				table.Quote(word))
		}
		a.known[level] = true
		a.levels = append(a.levels, level)
		t.take(',')
	}
	if !t.end() {
		return r.fault(data.ErrFormat, "attribute %q: %s follows its values", a.name,
			table.Quote(t.line[t.at:]))
	}
	return nil
}

// columns gives the attributes their columns. What is declared joins an open dictionary, whether or
// not rows have it; only texts of blanks, which are missing values, do not.
func (r *reader) columns() error {
	names := make([]string, len(r.attributes))
	for i := range r.attributes {
		names[i] = r.attributes[i].name
	}
	if len(names) == 0 {
		return r.fault(data.ErrHeader, "no attribute is declared before @data")
	}
	if r.declared = slices.Contains(names, Weight); !r.declared && !r.builder.Has(Weight) {
		r.builder.Late.ExpectNumbers(Weight, 1)
	}
	if err := r.builder.Names(names); err != nil {
		return err
	}
	for i := range r.attributes {
		a := &r.attributes[i]
		var err error
		if a.column, err = r.builder.Column(a.name, a.typed()); err != nil {
			return err
		}
		a.column.Literal = a.column.Literal || a.kind == nominal
		if a.kind == nominal && a.column.Storage == table.Codes && a.column.Dict.Open() {
			levels := slices.DeleteFunc(slices.Clone(a.levels),
				func(l string) bool { return strings.TrimSpace(l) == "" })
			if fault := a.column.Dict.Declare(levels); fault != nil {
				return r.fault(fault.Err, "attribute %q: %s", a.name, fault.Msg)
			}
		}
	}
	return nil
}
