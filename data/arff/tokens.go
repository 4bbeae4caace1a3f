package arff

import (
	"bytes"
	"errors"
)

// tokens walks over a line.
type tokens struct {
	line   []byte
	at     int
	quoted bool   // the last word was in quotes
	buf    []byte // the last word, if a backslash stood in it
}

var (
	errQuote = errors.New("a quote is never closed")
	errRange = errors.New("the range behind its type has no end")
)

func isBlank(c byte) bool { return c <= ' ' }

// blanks moves over blanks, and to the end of the line before a comment.
func (t *tokens) blanks() {
	for t.at < len(t.line) && isBlank(t.line[t.at]) {
		t.at++
	}
	if t.at < len(t.line) && t.line[t.at] == '%' {
		t.at = len(t.line)
	}
}

// end reports whether nothing follows.
func (t *tokens) end() bool { return t.at == len(t.line) }

// take moves over a character if it is the next one, and over the blanks behind it.
func (t *tokens) take(c byte) bool {
	if t.end() || t.line[t.at] != c {
		return false
	}
	t.at++
	t.blanks()
	return true
}

// span moves over a range in brackets, like [1,10], if one is next, and over the blanks behind it.
func (t *tokens) span() error {
	if t.end() || t.line[t.at] != '[' {
		return nil
	}
	length := bytes.IndexByte(t.line[t.at:], ']')
	if length < 0 {
		return errRange
	}
	t.at += length + 1
	t.blanks()
	return nil
}

// word reads a word, in quotes or up to a blank, a comma, a brace or a comment, and the blanks
// behind it. It is valid until the next call.
func (t *tokens) word() ([]byte, error) {
	defer t.blanks()
	if t.quoted = !t.end() && (t.line[t.at] == '\'' || t.line[t.at] == '"'); t.quoted {
		return t.quote()
	}
	from := t.at
	for t.at < len(t.line) {
		if c := t.line[t.at]; isBlank(c) || c == ',' || c == '%' || c == '{' || c == '}' {
			break
		}
		t.at++
	}
	return t.line[from:t.at], nil
}

// quote reads a word in quotes.
func (t *tokens) quote() ([]byte, error) {
	by := t.line[t.at]
	t.at++
	rest := t.line[t.at:]
	end := bytes.IndexByte(rest, by)
	if end < 0 {
		return nil, errQuote
	}
	if bytes.IndexByte(rest[:end], '\\') < 0 {
		t.at += end + 1
		return rest[:end], nil
	}
	t.buf = t.buf[:0]
	for ; t.at < len(t.line); t.at++ {
		c := t.line[t.at]
		switch {
		case c == by:
			t.at++
			return t.buf, nil
		case c == '\\' && t.at+1 < len(t.line):
			t.at++
			c = unescape(t.line[t.at])
		}
		t.buf = append(t.buf, c)
	}
	return nil, errQuote
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// keyword takes the first word off a line, in lower case.
func keyword(line []byte) (keyword string, rest []byte) {
	end := 0
	for end < len(line) && !isBlank(line[end]) {
		end++
	}
	return string(bytes.ToLower(line[:end])), line[end:]
}
