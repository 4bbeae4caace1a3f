package jsonl

import (
	"bytes"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/jsontext"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/internal/table"
)

// parser walks over the tokens of a line.
type parser struct{ jsontext.Walker }

// rest shows what follows.
func (p *parser) rest() string { return table.Quote(p.Text[p.At:]) }

// unquote returns the text that stands in quotes; false if it is no valid text.
func unquote(quoted []byte) (string, bool) {
	text, ok := jsontext.Unquote(quoted, nil)
	return string(text), ok
}

// value appends the value that follows a key.
func (r *reader) value(p *parser, c *table.Column) error {
	if p.Ended() {
		return r.syntax(p, "a value")
	}
	from := p.At
	switch first := p.Next(); first {
	case '"':
		quoted, ok := p.Quoted()
		if !ok {
			return r.syntax(p, "a text without line ends and its closing quote")
		}
		return r.appendText(c, quoted)
	case '{', '[':
		if p.Nested() != nil {
			return r.fault(data.ErrFormat, "key %q: its value is no valid JSON",
				c.Field.Name)
		}
		if !c.Used() {
			c.AppendMissing()
			return nil
		}
		what := map[byte]string{'{': "an object", '[': "an array"}[first]
		return r.columnFault(c, data.ErrType,
			"is %s, which has no place in a table (ignore the column)", what)
	}
	word := p.Word()
	switch string(word) {
	case "null":
		c.AppendMissing()
	case "true", "false":
		c.AppendText(word)
	default:
		if !spelling.JSONNumber(word) {
			p.At = from
			return r.syntax(p, "a value")
		}
		v, _ := table.ParseNumber(word)
		c.AppendNumeral(v, word)
	}
	return nil
}

func (r *reader) appendText(c *table.Column, quoted []byte) error {
	if bytes.IndexByte(quoted, '\\') < 0 {
		c.AppendText(quoted[1 : len(quoted)-1])
		return nil
	}
	text, ok := unquote(quoted)
	if !ok {
		return r.columnFault(c, data.ErrText, "%s is no valid text", table.Quote(quoted))
	}
	c.AppendText([]byte(text))
	return nil
}

func (r *reader) columnFault(c *table.Column, reason error, format string, args ...any) error {
	return &data.ReadError{File: r.builder.File(), Line: r.line, Column: c.Field.Name,
		Msg: fmt.Sprintf(format, args...), Err: reason}
}
