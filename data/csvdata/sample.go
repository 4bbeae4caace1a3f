package csvdata

import (
	"bytes"
)

// sampleSize is how many bytes of a text are looked at before it is read.
const sampleSize = 32 << 10

// sampleRows is how many rows below the header are looked at.
const sampleRows = 100

// sample is what a text begins with, up to a line end: the same bytes whatever the blocks are.
type sample struct {
	text  []byte // with padding behind limit
	limit int
}

// look reads the start of the source, which fill returns again, and finds out how its lines end.
func (c *cutter) look() (*sample, error) {
	text := make([]byte, sampleSize+padding)
	have, ended := 0, false
	for have < sampleSize && !ended {
		n, err := c.in.Fill(text[have:sampleSize])
		if err != nil {
			return nil, err
		}
		have += n
		ended = n == 0
	}
	if c.carriage = endsInCarriage(text[:have]); c.carriage {
		replaceCarriages(text[:have])
	}
	c.start = bytes.Clone(text[:have])
	if ended && have > 0 && text[have-1] != '\n' {
		text[have] = '\n' // into the padding, of which 8 bytes are needed
		have++
	}
	return &sample{text: text, limit: bytes.LastIndexByte(text[:have], '\n') + 1}, nil
}

// fill fills the start of b with the text of the source and returns how much; 0 is its end.
func (c *cutter) fill(b []byte) (int, error) {
	if len(c.start) > 0 {
		n := copy(b, c.start)
		c.start = c.start[n:]
		return n, nil
	}
	n, err := c.in.Fill(b)
	if c.carriage {
		replaceCarriages(b[:n])
	}
	return n, err
}

// endsInCarriage reports whether the lines of a text end in CR alone, as old programs for the Mac
// write them. Inside quotes there may be line ends of any kind.
func endsInCarriage(text []byte) bool {
	quoted, found := false, false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			return false
		case c == '\r':
			found = found || i+1 < len(text)
		}
	}
	return found
}

func replaceCarriages(text []byte) {
	for i, c := range text {
		if c == '\r' {
			text[i] = '\n'
		}
	}
}

// from returns the fields of at most so many rows of the sample from a line on, separated as s
// does, with the lines on which they begin.
func (a *sample) from(s *splitter, line, most int, by byte) (rows [][]string, at []int) {
	own := splitter{name: s.name, buf: a.text, limit: a.limit, line: 1, comment: s.comment}
	for ; own.line < line && own.pos < own.limit; own.line++ {
		own.pos += bytes.IndexByte(own.buf[own.pos:], '\n') + 1
	}
	own.separate(by)
	for len(rows) < most && own.pos < own.limit && own.skipLines(false) {
		fields, end, err := own.record()
		if err != nil {
			break
		}
		rows, at = append(rows, fields), append(at, own.line)
		own.next(end)
	}
	return rows, at
}

// rows returns the first rows below the header at which s is.
func (a *sample) rows(s *splitter) [][]string {
	rows, _ := a.from(s, s.line, 1+sampleRows, s.separator)
	if len(rows) == 0 {
		return nil // the header is longer than the sample
	}
	return rows[1:]
}
