package csvdata

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/memory"
)

// splitter walks over the fields of one text, block by block.
//
//	buf    | row | row | row | a row's start| padding |
//	       pos               limit          have
//
// Everything up to limit ends in a newline, so that no search for the end of an unquoted field runs
// out of the block. Only a quoted field can; errMore then requests a larger block. The padding lets
// eight bytes be loaded from any position.
type splitter struct {
	*source.Text
	most             memory.Limit // of a block
	buf              []byte
	pos, limit, have int
	end              bool // no more input behind have
	line             int  // of pos, from 1
	folded           int  // newlines inside the quoted fields read since pos
	at               int  // the line on which the last field began
	separator        byte
	blank            [256]bool // bytes that are trimmed: not the separator
	unquoted         []byte    // the last field that held doubled quotes or newlines
}

const (
	blockSize = 512 << 10 // a block and the ends of the columns fit into the second level cache
	padding   = 16
)

// errMore means that a quoted field runs to the end of the block.
var errMore = errors.New("csvdata: the field continues behind the block")

func newSplitter(in *source.Text, block int, limit memory.Limit) *splitter {
	if in.Packed() == "" {
		block = int(min(int64(block), in.Size()+1)) // with bytes to spare for the end
	}
	return &splitter{Text: in, most: memory.Limit(limit.Bytes()),
		buf: make([]byte, max(block, 1)+padding), line: 1}
}

func (s *splitter) separate(by byte) {
	s.separator = by
	s.blank = [256]bool{}
	for _, c := range []byte{' ', '\t', '\r'} {
		s.blank[c] = c != by
	}
}

// fill moves what is left to the front and fills the block, a larger one if it would hold no
// newline more than before. At the end of the input it completes an unfinished last line by a
// newline. It reports false when there is nothing more.
func (s *splitter) fill() (bool, error) {
	if s.end {
		return false, nil
	}
	searched := s.have - s.pos
	s.have = copy(s.buf, s.buf[s.pos:s.have])
	s.pos, s.limit = 0, 0
	for !s.end {
		capacity := len(s.buf) - padding
		if s.have == capacity {
			// the block, and one of twice its size
			if err := s.most.Check("a row without an end", 3*int64(capacity)); err != nil {
				return false, s.tooLong(err)
			}
			s.buf = append(s.buf, make([]byte, capacity)...)
			capacity *= 2
		}
		for s.have < capacity && !s.end {
			n, err := s.Fill(s.buf[s.have:capacity])
			if err != nil {
				return false, err
			}
			s.have += n
			s.end = n == 0
		}
		if k := bytes.LastIndexByte(s.buf[searched:s.have], '\n'); k >= 0 && !s.end {
			s.limit = searched + k + 1
			return true, nil
		}
	}
	if s.have > 0 && s.buf[s.have-1] != '\n' {
		s.buf[s.have] = '\n' // into the padding, of which 8 bytes are needed
		s.have++
	}
	s.limit = s.have
	return s.have > 0, nil
}

// tooLong reports that the row at pos is larger than memory.
func (s *splitter) tooLong(over error) error {
	return &table.Error{File: s.Name(), Line: s.line, Msg: over.Error(),
		Err: errors.Join(table.ErrLimit, over)}
}

// field reads the field that starts at p: its text without blanks around it and without quotes,
// valid until the next call, and the position of the separator or newline that ends it.
func (s *splitter) field(p int) (text []byte, end int, err error) {
	b := s.buf
	s.at = s.line + s.folded
	for s.blank[b[p]] {
		p++
	}
	if b[p] == '"' {
		return s.quoted(p)
	}
	end = s.delimiter(p)
	to := end
	for to > p && s.blank[b[to-1]] {
		to--
	}
	return b[p:to], end, nil
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// delimiter returns the position of the first separator or newline at or behind p. It takes eight
// bytes at a time. A byte that equals the byte searched for becomes 0 by exclusive or, and (z -
// ones) &^ z has its top bit set for a zero byte. The borrow may also set it for bytes above a zero
// byte, but only the lowest is used.
func (s *splitter) delimiter(p int) int {
	separators := ones * uint64(s.separator)
	for {
		word := binary.LittleEndian.Uint64(s.buf[p:])
		a, b := word^separators, word^ones*'\n'
		if found := ((a-ones)&^a | (b-ones)&^b) & highs; found != 0 {
			return p + bits.TrailingZeros64(found)>>3
		}
		p += 8
	}
}

// quoted reads the field whose opening quote is at p.
func (s *splitter) quoted(p int) (text []byte, end int, err error) {
	b, doubled := s.buf, false
	from := p + 1
	p = from
	for {
		k := bytes.IndexByte(b[p:s.limit], '"')
		if k < 0 {
			return nil, 0, s.unclosed()
		}
		p += k
		if b[p+1] != '"' { // exists: the block ends in a newline
			break
		}
		p, doubled = p+2, true
	}
	text = b[from:p]
	newlines := bytes.Count(text, []byte{'\n'})
	if doubled || newlines > 0 {
		text = s.unescape(text)
	}
	for p++; s.blank[b[p]]; p++ {
	}
	if b[p] != s.separator && b[p] != '\n' {
		rest := b[p : p+bytes.IndexByte(b[p:], '\n')]
		s.at += newlines
		return nil, 0,
			s.fault(ErrQuote, "text behind a closing quote: "+table.Quote(rest)+
				" (a quote inside quotes is doubled)")
	}
	s.folded += newlines
	if len(text) > 0 && s.blank[text[0]] && len(bytes.TrimSpace(text)) == 0 {
		text = nil
	}
	return text, p, nil
}

func (s *splitter) unclosed() error {
	if !s.end {
		return errMore
	}
	return s.fault(ErrQuote, "a quote opens here and is never closed")
}

// unescape copies text with doubled quotes made single and CR LF made LF.
func (s *splitter) unescape(text []byte) []byte {
	s.unquoted = s.unquoted[:0]
	for i := 0; i < len(text); i++ {
		if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			continue
		}
		s.unquoted = append(s.unquoted, text[i])
		if text[i] == '"' {
			i++
		}
	}
	return s.unquoted
}

// skipBlank moves over the blank lines at pos. It reports false at the end of the input.
func (s *splitter) skipBlank() (bool, error) {
	for {
		if s.pos == s.limit {
			if more, err := s.fill(); !more {
				return false, err
			}
		}
		p := s.pos
		for s.blank[s.buf[p]] {
			p++
		}
		if s.buf[p] != '\n' {
			return true, nil
		}
		s.pos = p + 1
		s.line++
	}
}

// next moves to the row behind the one that ends with the newline at p.
func (s *splitter) next(p int) {
	s.pos = p + 1
	s.line += 1 + s.folded
	s.folded = 0
}

// record reads the fields of the row at pos as texts and leaves pos where it is. It returns the
// position of the newline that ends the row.
func (s *splitter) record() (fields []string, end int, err error) {
	for {
		fields, s.folded = fields[:0], 0
		for p := s.pos; ; p = end + 1 {
			var text []byte
			if text, end, err = s.field(p); err != nil {
				break
			}
			fields = append(fields, string(text))
			if s.buf[end] == '\n' {
				return fields, end, nil
			}
		}
		if err != errMore {
			return nil, 0, err
		}
		if _, err = s.fill(); err != nil {
			return nil, 0, err
		}
	}
}

// fault returns an error at the line of the last field.
func (s *splitter) fault(reason error, msg string) *table.Error {
	return &table.Error{File: s.Name(), Line: s.at, Msg: msg, Err: reason}
}
