package xgboost

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
)

// sink writes the values of a file one after the other, in an encoding. It keeps the first error of
// its writer for flush.
type sink interface {
	object(members ...member)
	list(n int, element func(i int)) // of values of any kind
	text(s string)
	integer(n int64)
	// arrays of numbers of one kind; width is their number of bits: 8 without sign, 32 or 64
	integers(width int, n int, of func(i int) int64)
	floats(list []float32)
	flush() error
}

// member is a member of an object; write writes its value.
type member struct {
	name  string
	write func()
}

// jsonSink writes JSON as XGBoost does, without spaces.
type jsonSink struct {
	w       *bufio.Writer
	scratch []byte
}

func newJSONSink(w io.Writer) sink { return &jsonSink{w: bufio.NewWriter(w)} }

func (s *jsonSink) flush() error { return s.w.Flush() }

func (s *jsonSink) object(members ...member) {
	s.w.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			s.w.WriteByte(',')
		}
		s.text(m.name)
		s.w.WriteByte(':')
		m.write()
	}
	s.w.WriteByte('}')
}

func (s *jsonSink) list(n int, element func(i int)) {
	s.w.WriteByte('[')
	for i := range n {
		if i > 0 {
			s.w.WriteByte(',')
		}
		element(i)
	}
	s.w.WriteByte(']')
}

// text writes a text, which is UTF-8.
func (s *jsonSink) text(text string) {
	e := json.NewEncoder(&trimmed{s.w})
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // fails where the writer does, which keeps its error
}

// trimmed leaves the line end out that a json.Encoder writes.
type trimmed struct{ w io.Writer }

func (t *trimmed) Write(p []byte) (int, error) {
	n, err := t.w.Write(p[:len(p)-1])
	return n + 1, err
}

func (s *jsonSink) integer(n int64) {
	s.scratch = strconv.AppendInt(s.scratch[:0], n, 10)
	s.w.Write(s.scratch)
}

func (s *jsonSink) integers(_, n int, of func(i int) int64) {
	s.list(n, func(i int) { s.integer(of(i)) })
}

func (s *jsonSink) floats(list []float32) {
	s.list(len(list), func(i int) {
		s.scratch = appendFloat(s.scratch[:0], list[i])
		s.w.Write(s.scratch)
	})
}

// appendFloat appends the shortest text of a number, 1.5E-3, as XGBoost writes it.
func appendFloat(b []byte, x float32) []byte {
	switch {
	case math.IsInf(float64(x), 1):
		return append(b, "Infinity"...)
	case math.IsInf(float64(x), -1):
		return append(b, "-Infinity"...)
	}
	b = strconv.AppendFloat(b, float64(x), 'E', -1, 32)
	e := slices.Index(b, 'E')
	exponent, _ := strconv.Atoi(string(b[e+1:]))
	return strconv.AppendInt(b[:e+1], int64(exponent), 10)
}

// ubjsonSink writes UBJSON as XGBoost does: counts in 8 bytes, kinds for arrays of numbers.
type ubjsonSink struct{ w *bufio.Writer }

func newUBJSONSink(w io.Writer) sink { return &ubjsonSink{bufio.NewWriter(w)} }

func (s *ubjsonSink) flush() error { return s.w.Flush() }

// number writes the lowest bytes of a number, the highest of them first.
func (s *ubjsonSink) number(x uint64, bytes int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], x)
	s.w.Write(b[8-bytes:])
}

func (s *ubjsonSink) length(n int) {
	s.w.WriteByte('L')
	s.number(uint64(n), 8)
}

func (s *ubjsonSink) object(members ...member) {
	s.w.WriteByte('{')
	for _, m := range members {
		s.length(len(m.name))
		s.w.WriteString(m.name)
		m.write()
	}
	s.w.WriteByte('}')
}

func (s *ubjsonSink) list(n int, element func(i int)) {
	s.w.WriteString("[#")
	s.length(n)
	for i := range n {
		element(i)
	}
}

func (s *ubjsonSink) text(text string) {
	s.w.WriteByte('S')
	s.length(len(text))
	s.w.WriteString(text)
}

func (s *ubjsonSink) integer(n int64) {
	s.w.WriteByte('L')
	s.number(uint64(n), 8)
}

func (s *ubjsonSink) integers(width, n int, of func(i int) int64) {
	kind, bytes := byte('l'), 4
	switch width {
	case 8:
		kind, bytes = 'U', 1
	case 64:
		kind, bytes = 'L', 8
	}
	s.w.Write([]byte{'[', '$', kind, '#'})
	s.length(n)
	for i := range n {
		s.number(uint64(of(i)), bytes)
	}
}

func (s *ubjsonSink) floats(list []float32) {
	s.w.WriteString("[$d#")
	s.length(len(list))
	for _, x := range list {
		s.number(uint64(math.Float32bits(x)), 4)
	}
}
