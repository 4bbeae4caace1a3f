package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/internal/table"
)

// parser walks over the tokens of a line (RFC 8259). Whatever it moves over, it moves over the
// blanks behind it.
type parser struct {
	b  []byte
	at int
}

func (p *parser) blanks() {
	for p.at < len(p.b) && (p.b[p.at] == ' ' || p.b[p.at] == '\t' || p.b[p.at] == '\r') {
		p.at++
	}
}

// next shows what follows.
func (p *parser) next() string { return table.Quote(p.b[p.at:]) }

// take moves over a character if it is the next one.
func (p *parser) take(c byte) bool {
	if p.at == len(p.b) || p.b[p.at] != c {
		return false
	}
	p.at++
	p.blanks()
	return true
}

// text moves over a text and returns it in its quotes.
func (p *parser) text() ([]byte, bool) {
	if p.at == len(p.b) || p.b[p.at] != '"' {
		return nil, false
	}
	for i := p.at + 1; i < len(p.b); i++ {
		switch c := p.b[i]; {
		case c == '"':
			text := p.b[p.at : i+1]
			p.at = i + 1
			p.blanks()
			return text, true
		case c == '\\':
			i++
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// word moves over what is neither a text nor a bracket.
func (p *parser) word() []byte {
	from := p.at
	for p.at < len(p.b) && strings.IndexByte(" \t\r,:{}[]\"", p.b[p.at]) < 0 {
		p.at++
	}
	word := p.b[from:p.at]
	p.blanks()
	return word
}

// nested moves over an object or an array and reports whether it is valid JSON.
func (p *parser) nested() bool {
	d := json.NewDecoder(bytes.NewReader(p.b[p.at:]))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return false
	}
	p.at += int(d.InputOffset())
	p.blanks()
	return true
}

// unquote returns the text that stands in quotes; false if it is no valid text.
func unquote(quoted []byte) (string, bool) {
	inside := quoted[1 : len(quoted)-1]
	if !utf8.Valid(inside) {
		return "", false
	}
	if bytes.IndexByte(inside, '\\') < 0 {
		return string(inside), true
	}
	var text string
	err := json.Unmarshal(quoted, &text)
	return text, err == nil
}

// value appends the value that follows a key.
func (r *reader) value(p *parser, c *table.Column) error {
	if p.at == len(p.b) {
		return r.syntax(p, "a value")
	}
	from := p.at
	switch first := p.b[p.at]; first {
	case '"':
		quoted, ok := p.text()
		if !ok {
			return r.syntax(p, "a text without line ends and its closing quote")
		}
		return r.appendText(c, quoted)
	case '{', '[':
		if !p.nested() {
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
	word := p.word()
	switch string(word) {
	case "null":
		c.AppendMissing()
	case "true", "false":
		c.AppendText(word)
	default:
		if !spelling.JSONNumber(word) {
			p.at = from
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
	return &data.ReadError{File: r.builder.File(), Line: r.objects.line, Column: c.Field.Name,
		Msg: fmt.Sprintf(format, args...), Err: reason}
}
