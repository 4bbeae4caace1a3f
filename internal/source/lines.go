package source

import (
	"bytes"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// Lines reads a text line by line. A line ends in LF or CR LF; the last one may end with the text.
type Lines struct {
	text   *Text
	format string
	buf    []byte // the bytes from pos to have are not read yet
	from   int    // where the line read last begins
	pos    int
	have   int
	line   int
}

// maxLine is the largest size of a line in bytes.
const maxLine = 1 << 28

// Lines returns the lines of a text that should be of a format, which an error names.
func (t *Text) Lines(format string) *Lines {
	return &Lines{text: t, format: format, buf: make([]byte, 128<<10)}
}

// Number returns the number of the line read last, from 1.
func (l *Lines) Number() int { return l.line }

// Padding is how many bytes behind a line may be read, of which the first is no digit.
const Padding = 16

// Next returns the next line without its end, nil behind the last one. It is valid until the next
// call; its capacity reaches Padding bytes farther.
func (l *Lines) Next() ([]byte, error) {
	searched := l.pos
	for {
		if k := bytes.IndexByte(l.buf[searched:l.have], '\n'); k >= 0 {
			return l.take(searched+k, searched+k+1)
		}
		searched = l.have
		if len(l.buf)-Padding == l.have {
			searched -= l.pos
			if err := l.makeSpace(); err != nil {
				return nil, err
			}
		}
		n, err := l.text.Fill(l.buf[l.have : len(l.buf)-Padding])
		if err != nil {
			return nil, err
		}
		if n == 0 {
			if l.pos == l.have {
				return nil, nil
			}
			l.buf[l.have] = '\n'
			return l.take(l.have, l.have)
		}
		l.have += n
	}
}

// makeSpace moves the unread bytes to the front, and into a larger block if they fill more than
// half of this one.
func (l *Lines) makeSpace() error {
	if l.have-l.pos > maxLine {
		return &data.ReadError{File: l.text.name, Line: l.line + 1,
			Msg: fmt.Sprintf("a line of more than %d bytes", maxLine), Err: data.ErrLimit}
	}
	to := l.buf
	if l.have-l.pos > (len(l.buf)-Padding)/2 {
		to = make([]byte, 2*len(l.buf))
	}
	l.have = copy(to, l.buf[l.pos:l.have])
	l.buf, l.pos = to, 0
	return nil
}

// take removes the line up to end from the buffer; the next one begins at next.
func (l *Lines) take(end, next int) ([]byte, error) {
	line := l.buf[l.pos:end]
	l.from, l.pos = l.pos, next
	l.line++
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if l.line == 1 && bytes.IndexByte(line, 0) >= 0 {
		return nil, &data.ReadError{File: l.text.name, Line: 1,
			Msg: "this is binary data, not " + l.format, Err: data.ErrText}
	}
	return line, nil
}

// Block puts the line read last, and all behind it that are in memory, into a copy with their ends,
// for which it may use b. The copy's capacity reaches Padding bytes farther.
func (l *Lines) Block(b []byte) []byte {
	end := l.pos + bytes.LastIndexByte(l.buf[l.pos:l.have], '\n') + 1
	size := end - l.from
	l.line += bytes.Count(l.buf[l.pos:end], []byte{'\n'})
	l.pos = end
	return append(b[:0], l.buf[l.from:end+Padding]...)[:size]
}

// Fault returns an error at the line read last.
func (l *Lines) Fault(reason error, format string, args ...any) error {
	return &data.ReadError{File: l.text.name, Line: l.line, Msg: fmt.Sprintf(format, args...),
		Err: reason}
}
