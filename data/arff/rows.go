package arff

import (
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// row appends the row that begins at t.
func (r *reader) row(t *tokens) error {
	if t.take('{') {
		if err := r.sparse(t); err != nil {
			return err
		}
	} else if err := r.dense(t); err != nil {
		return err
	}
	t.take(',') // before the row's weight, or the last character of a line
	if t.end() {
		return nil
	}
	return r.readWeight(t)
}

// dense appends a value for each attribute.
func (r *reader) dense(t *tokens) error {
	for i := range r.attributes {
		if i > 0 {
			t.take(',')
		}
		a := &r.attributes[i]
		word, err := r.value(t)
		if err != nil {
			return err
		}
		if word == nil {
			if t.end() {
				return r.fault(data.ErrFormat, "%d values, there are %d attributes", i,
					len(r.attributes))
			}
			return r.fault(data.ErrFormat,
				"attribute %q: a value is expected before %s (write ? for a missing one)", a.name,
				table.Quote(t.line[t.at:]))
		}
		if err := r.append(a, word, t.quoted); err != nil {
			return err
		}
	}
	return nil
}

// value reads a value; nil if there is none.
func (r *reader) value(t *tokens) ([]byte, error) {
	word, err := t.word()
	if err != nil {
		return nil, r.fault(data.ErrFormat, "%v", err)
	}
	if len(word) == 0 && !t.quoted {
		return nil, nil
	}
	return word, nil
}

// sparse appends the values that are named behind the brace, and what the others are.
func (r *reader) sparse(t *tokens) error {
	row := r.lines.Number()
	for !t.take('}') {
		if t.end() {
			return r.fault(data.ErrFormat, "the row's brace is never closed")
		}
		word, err := t.word()
		if err != nil {
			return r.fault(data.ErrFormat, "%v", err)
		}
		i, ok := position(word, len(r.attributes))
		if !ok {
			return r.fault(data.ErrFormat, "%s is not the position of an attribute (0 to %d)",
				table.Quote(word), len(r.attributes)-1)
		}
		if r.named[i] == row {
			return r.fault(data.ErrFormat, "attribute %d occurs twice in the row", i)
		}
		r.named[i] = row
		if word, err = r.value(t); err != nil {
			return err
		}
		if word == nil {
			return r.fault(data.ErrFormat, "attribute %d has no value", i)
		}
		if err := r.append(&r.attributes[i], word, t.quoted); err != nil {
			return err
		}
		t.take(',')
	}
	for i := range r.attributes {
		if r.named[i] != row {
			r.attributes[i].appendDefault()
		}
	}
	return nil
}

// position reads the number of one of n attributes.
func position(word []byte, n int) (int, bool) {
	i := 0
	for _, c := range word {
		if c < '0' || c > '9' || i >= n {
			return 0, false
		}
		i = i*10 + int(c-'0')
	}
	return i, len(word) > 0 && i < n
}

// append appends a value.
func (r *reader) append(a *attribute, word []byte, quoted bool) error {
	c := a.column
	if !quoted && string(word) == "?" {
		c.AppendMissing()
		return nil
	}
	switch a.kind {
	case nominal:
		if !a.known[string(word)] {
			return r.valueFault(a, data.ErrFormat, word, "is not one of the declared values")
		}
		c.AppendText(word)
	case text:
		c.AppendText(word)
	case date:
		when, err := time.Parse(a.layout, string(word))
		if err != nil {
			return r.valueFault(a, data.ErrNumber, word, "is not a date of the declared format")
		}
		c.AppendDate(when.UnixMicro(), time.Microsecond)
	default:
		v, ok := table.ParseNumber(word)
		if ok {
			c.AppendNumeral(v, word)
		} else if !c.AppendToken(word) {
			return r.valueFault(a, data.ErrNumber, word, "is not a number")
		}
	}
	return nil
}

func (r *reader) valueFault(a *attribute, reason error, word []byte, what string) error {
	return &data.ReadError{File: r.builder.File(), Line: r.lines.Number(), Column: a.name,
		Msg: table.Quote(word) + " " + what, Err: reason}
}

// appendDefault appends what a sparse row means where it names nothing.
func (a *attribute) appendDefault() {
	switch {
	case a.kind == nominal && len(a.levels) > 0:
		a.column.AppendText([]byte(a.levels[0]))
	case a.kind == nominal || a.kind == text:
		a.column.AppendMissing()
	default:
		a.column.AppendNumeral(0, []byte("0"))
	}
}

// readWeight reads the weight in braces behind a row.
func (r *reader) readWeight(t *tokens) error {
	if !t.take('{') {
		return r.fault(data.ErrFormat, "%s follows the last of the %d attributes",
			table.Quote(t.line[t.at:]), len(r.attributes))
	}
	word, err := t.word()
	if err != nil {
		return r.fault(data.ErrFormat, "%v", err)
	}
	v, ok := table.ParseNumber(word)
	if !ok || !t.take('}') || !t.end() {
		return r.fault(data.ErrFormat, "the braces behind the row must hold its weight")
	}
	return r.addWeight(v)
}

// addWeight appends a weight to their column, in which rows without one have 1.
func (r *reader) addWeight(v float64) (err error) {
	if r.weights == nil {
		if r.declared {
			return r.fault(data.ErrHeader, "rows have weights, and an attribute is called %q too",
				Weight)
		}
		if r.weights, err = r.builder.Column(Weight, table.TypedNumbers); err != nil {
			return err
		}
		r.builder.State(Weight, data.WeightRole)
	}
	r.builder.Pad(r.weights)
	r.weights.AppendNumber(v)
	return nil
}
