package csvdata

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/memory"
)

// splitter walks over the fields of rows, block by block.
//
//	buf    | row | row | row | padding |
//	       pos               limit
//
// Everything up to limit ends in a newline, so that no search for the end of an unquoted field runs
// out of the block. Only a quoted field can; errMore then requests the next block. The padding lets
// eight bytes be loaded from any position.
type splitter struct {
	name       string                 // of the source
	most       memory.Limit           // of a block
	more       func() (*block, error) // the next block; nil: there is none to be had
	buf        []byte
	pos, limit int
	stored     int64     // as in block, at limit
	packed     bool      // the source is compressed
	end        bool      // no more text behind limit
	line       int       // of pos, from 1
	folded     int       // newlines inside the quoted fields read since pos
	at         int       // the line on which the last field began
	separator  byte      // 0: none
	comment    byte      // begins lines that are left out; 0: none does
	blank      [256]bool // bytes that are trimmed: not the separator
	between    [256]bool // bytes that a line may begin with which is no row
	unquoted   []byte    // the last field that held doubled quotes or newlines
}

// errMore means that a quoted field runs to the end of the block.
var errMore = errors.New("csvdata: the field continues behind the block")

func (s *splitter) separate(by byte) {
	s.separator = by
	s.blank = [256]bool{}
	for _, c := range []byte{' ', '\t', '\r'} {
		s.blank[c] = c != by
	}
	s.between = s.blank
	s.between['\n'] = true
	if s.comment != 0 {
		s.between[s.comment] = true
	}
}

// load makes s walk over a block, at the line where the last one ended.
func (s *splitter) load(b *block) {
	s.name, s.buf, s.pos, s.limit = b.name, b.buf, b.pos, b.limit
	s.stored, s.packed, s.end = b.stored, b.packed, b.last
	if b.separator != s.separator || b.comment != s.comment {
		s.comment = b.comment
		s.separate(b.separator)
	}
}

// fill puts more text behind what is left, at least one block of it. A row that is longer than a
// block gets as much text as it has, so that reading it again and again takes no time of its own.
// It reports false when there is nothing more.
func (s *splitter) fill() (bool, error) {
	if s.end || s.more == nil {
		return false, nil
	}
	for left := s.limit - s.pos; ; {
		b, err := s.more()
		if err == nil {
			err = s.join(b)
		}
		if err != nil {
			return false, s.place(err)
		}
		if s.end || left < b.limit-b.pos || s.limit >= 2*left {
			return s.limit > 0, nil
		}
	}
}

// join appends a block to what is left.
func (s *splitter) join(b *block) error {
	left, more := s.limit-s.pos, b.limit-b.pos
	capacity := max(len(s.buf)-padding, 1)
	size := capacity
	for size < left+more {
		// the block, and one of twice its size
		if err := s.most.Check(endless, 3*int64(size)); err != nil {
			return &endlessRow{err}
		}
		size *= 2
	}
	to := s.buf
	if size > capacity {
		to = make([]byte, size+padding)
	}
	copy(to, s.buf[s.pos:s.limit])
	copy(to[left:], b.buf[b.pos:b.limit])
	s.buf, s.pos, s.limit = to, 0, left+more
	s.stored, s.end = b.stored, b.last
	return nil
}

// place gives the error of a row without an end its place.
func (s *splitter) place(err error) error {
	if over, is := err.(*endlessRow); is {
		return &data.ReadError{File: s.name, Line: s.line, Msg: over.Error(),
			Err: errors.Join(data.ErrLimit, over.error)}
	}
	return err
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

// skipLines moves over the lines at pos that are no rows: comments and, unless they are the missing
// values of a table of a single column, blank ones. It reports false at the end of the block.
func (s *splitter) skipLines(single bool) bool {
	for s.pos < s.limit {
		p := s.pos
		for s.blank[s.buf[p]] {
			p++
		}
		switch c := s.buf[p]; {
		case c == '\n' && single:
			return true
		case s.comment != 0 && c == s.comment:
			p += bytes.IndexByte(s.buf[p:], '\n')
		case c != '\n':
			return true
		}
		s.pos = p + 1
		s.line++
	}
	return false
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
		if more, fault := s.fill(); !more {
			return nil, 0, cmp.Or(fault, err)
		}
	}
}

// fault returns an error at the line of the last field.
func (s *splitter) fault(reason error, msg string) *data.ReadError {
	return &data.ReadError{File: s.name, Line: s.at, Msg: msg, Err: reason}
}
