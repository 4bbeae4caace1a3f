package pmml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// mostDeep is the number of elements that may be within each other.
const mostDeep = 2000

// element is the start of an element.
type element struct {
	name       string
	attributes []xml.Attr
}

// get returns the value of an attribute, "" if there is none.
func (e *element) get(name string) string {
	for i := range e.attributes {
		if a := &e.attributes[i]; a.Name.Space == "" && a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// number returns an attribute that is a finite number, or other if there is none.
func (e *element) number(name string, other float64) float64 {
	text := e.get(name)
	if text == "" {
		return other
	}
	return number(text)
}

// finiteNumber reads a finite number; without ok the text is none.
func finiteNumber(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// number reads what must be a finite number.
func number(text string) float64 {
	x, ok := finiteNumber(text)
	if !ok {
		fail("%.50q is no finite number", text)
	}
	return x
}

// scanner reads elements in the order of the file, within a budget.
type scanner struct {
	*foreign.Budget
	decoder *xml.Decoder
	open    []string // the elements that are open
	text    *[]byte  // collects the text between elements; nil: it is left out
	size    int64
}

// load reads a file of size bytes into memory.
func load(r io.ReaderAt, size int64, b *foreign.Budget) *scanner {
	b.Need(size)
	text := make([]byte, size)
	if n, err := r.ReadAt(text, 0); n < len(text) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		foreign.Check(err)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	s := &scanner{Budget: b, decoder: xml.NewDecoder(bytes.NewReader(text)), size: size}
	s.decoder.CharsetReader = s.charset
	return s
}

// charset returns a reader that makes UTF-8 of a file.
func (s *scanner) charset(label string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "iso-8859-1", "latin1":
		return &latin{r: r, most: 0xff}, nil
	case "us-ascii", "ascii":
		return &latin{r: r, most: 0x7f}, nil
	}
	return nil, unsupported("the encoding %.50q: want UTF-8, ISO-8859-1 or US-ASCII", label)
}

// latin makes UTF-8 of bytes up to most, each of which is a character.
type latin struct {
	r    io.Reader
	most byte
	held byte // the second byte of a character; 0: none
}

// Read returns one byte at a time, as the decoder requests them.
func (l *latin) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if l.held != 0 {
		p[0], l.held = l.held, 0
		return 1, nil
	}
	n, err := l.r.Read(p[:1])
	if n == 1 && p[0] >= 0x80 {
		if p[0] > l.most {
			return 0, fmt.Errorf("byte %#x in a file of US-ASCII", p[0])
		}
		p[0], l.held = 0xc0|p[0]>>6, 0x80|p[0]&0x3f
	}
	return n, err
}

// next returns the next start of an element, or nil for the end of the one that is open.
func (s *scanner) next() *element {
	for {
		from := s.decoder.InputOffset()
		token, err := s.decoder.RawToken()
		foreign.Check(s.broken(err))
		used := s.decoder.InputOffset() - from
		switch t := token.(type) {
		case xml.StartElement:
			s.Need(128 + 112*int64(len(t.Attr)) + used)
			if len(s.open) == mostDeep {
				refuse("elements that are more than %d deep", mostDeep)
			}
			s.open = append(s.open, t.Name.Local)
			return &element{t.Name.Local, t.Attr}
		case xml.EndElement:
			s.Need(48)
			if len(s.open) == 0 || s.open[len(s.open)-1] != t.Name.Local {
				fail("the end of an element %.50q that is not open", t.Name.Local)
			}
			s.open = s.open[:len(s.open)-1]
			return nil
		case xml.CharData:
			s.Need(32)
			if s.text != nil {
				s.Need(3 * int64(len(t)))
				*s.text = append(*s.text, t...)
			}
		default:
			s.Need(64 + 3*used)
		}
	}
}

// broken returns an error of the decoder.
func (s *scanner) broken(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the file ends within an element, or has none")
	}
	if u := (*codec.UnsupportedError)(nil); errors.As(err, &u) {
		return u
	}
	if strings.Contains(err.Error(), "encoding ") && strings.Contains(err.Error(), "charset") {
		return unsupported("the encoding of the file: want UTF-8, ISO-8859-1 or US-ASCII")
	}
	return err
}

// children visits the elements in the open one, up to its end. What visit leaves of an element is
// left out.
func (s *scanner) children(visit func(e *element)) {
	for e := s.next(); e != nil; e = s.next() {
		depth := len(s.open)
		visit(e)
		for len(s.open) >= depth {
			s.next()
		}
	}
}

// skip reads the open element up to its end.
func (s *scanner) skip() { s.children(func(*element) {}) }

// content returns the text of the open element, up to its end.
func (s *scanner) content() string {
	var text []byte
	s.text = &text
	s.skip()
	s.text = nil
	return string(text)
}

// place makes an error of package codec of any other. It names the line, and the column in bytes,
// behind the element that it is found at.
func (s *scanner) place(err error) error {
	if err == nil || foreign.Typed(err) {
		return err
	}
	section := "PMML"
	if n := len(s.open); n > 0 {
		section = s.open[n-1]
	}
	if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
		err = errors.New(syntax.Msg) // it has a line of its own
	}
	line, column := s.decoder.InputPos()
	return &codec.CorruptError{Format: formatName, Offset: min(s.decoder.InputOffset(), s.size),
		Section: section, Err: fmt.Errorf("line %d, column %d: %w", line, column, err)}
}

func unsupported(what string, args ...any) error {
	return &codec.UnsupportedError{Format: formatName, What: fmt.Sprintf(what, args...)}
}

// refuse ends reading by what cannot be read.
func refuse(what string, args ...any) { foreign.Check(unsupported(what, args...)) }

// fail ends reading by damage.
func fail(format string, args ...any) { foreign.Check(fmt.Errorf(format, args...)) }

// grow returns a slice with capacity for one element more, twice as long as before if it was full.
// bytes is the size of an element.
func grow[T any](s []T, bytes int64, b *foreign.Budget) []T {
	if len(s) < cap(s) {
		return s
	}
	most := max(4, 2*cap(s))
	b.Need(int64(most) * bytes)
	return append(make([]T, 0, most), s...)
}
