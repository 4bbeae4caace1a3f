package csvdata

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// header is what the first lines of a source state.
type header struct {
	table.Header
	line  int // of the names
	notes []string
}

// readHeader finds the separator and the names of the columns, and leaves s at the line below the
// header, or at the first row if there is no header. The sample is what the text begins with.
func (o *Options) readHeader(s *splitter, sample *sample) (*header, error) {
	by, err := o.begin(s)
	if err != nil {
		return nil, err
	}
	s.separate(by)
	names, end, err := s.record()
	if err != nil {
		return nil, err
	}
	if err := checkText(s, s.buf[s.pos:end], names); err != nil {
		return nil, err
	}
	if o.NoHeader {
		o.number(names)
		return &header{Header: table.Header{Names: names}, line: s.line}, nil
	}
	h := &header{line: s.line}
	rows := sample.rows(s)
	called, err := o.fit(s, names, sample, rows)
	if err != nil {
		return nil, err
	}
	h.Header = *table.NewHeader(called)
	if note := dataNote(s, names, rows); note != "" && !o.known(h.Names) {
		h.notes = append(h.notes, note)
	}
	s.next(end)
	return h, nil
}

// begin goes to the first line that is neither left out nor blank, a comment or the line with which
// Excel states the separator, and returns the separator.
func (o *Options) begin(s *splitter) (by byte, err error) {
	s.separate(0)
	s.comment = o.Comment
	for skipped := 0; skipped < o.Skip; {
		if s.pos == s.limit {
			if err := s.need(); err != nil {
				return 0, err
			}
			continue
		}
		s.pos += bytes.IndexByte(s.buf[s.pos:], '\n') + 1
		s.line++
		skipped++
	}
	stated := byte(0)
	for {
		for !s.skipLines(false) {
			if err := s.need(); err != nil {
				return 0, err
			}
		}
		sep, ok := statedSeparator(s.buf[s.pos:])
		if !ok || stated != 0 {
			break
		}
		stated = sep
		s.pos += bytes.IndexByte(s.buf[s.pos:], '\n') + 1
		s.line++
	}
	if stated != 0 && o.Comma == 0 {
		return stated, nil
	}
	return o.findSeparator(s)
}

// need gets more text for the header; the end of the text is an error.
func (s *splitter) need() error {
	more, err := s.fill()
	if err == nil && !more {
		return &data.ReadError{File: s.name, Msg: "the file is empty", Err: data.ErrEmpty}
	}
	return err
}

// statedSeparator reads a first line such as sep=; of Excel.
func statedSeparator(text []byte) (by byte, ok bool) {
	const word = "sep="
	line := text[:bytes.IndexByte(text, '\n')]
	line = bytes.Trim(bytes.TrimSuffix(line, []byte{'\r'}), `"`)
	if len(line) != len(word)+1 || !strings.EqualFold(string(line[:len(word)]), word) {
		return 0, false
	}
	by = line[len(word)]
	return by, separates(by)
}

// known reports whether a schema has columns of some of the names, which are therefore no data.
func (o *Options) known(names []string) bool {
	return o.Schema != nil &&
		slices.ContainsFunc(names, func(name string) bool { return o.Schema.Index(name) >= 0 })
}

// number gives columns the names of their places. Those of a model have the names that it has for
// them, where its features are named by numbers.
func (o *Options) number(names []string) {
	prefix := ""
	if o.Schema != nil {
		prefix = table.FeaturePrefix(o.Schema)
	}
	for i := range names {
		place := strconv.Itoa(i)
		if names[i] = prefix + place; o.Schema == nil || o.Schema.IndexFrom(names[i], i) < 0 {
			names[i] = "f" + place
		}
	}
}

// findSeparator returns the separator of the text whose first row is at s.pos.
func (o *Options) findSeparator(s *splitter) (byte, error) {
	if o.Comma != 0 {
		return o.Comma, nil
	}
	name := strings.ToLower(s.name)
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"), ".zip")
	if strings.HasSuffix(name, ".tsv") || strings.HasSuffix(name, ".tab") {
		return '\t', nil
	}
	for {
		by, complete := sniff(s.buf[s.pos:min(s.limit, s.pos+blockSize)])
		if complete || s.limit-s.pos >= blockSize {
			return by, nil
		}
		if more, err := s.fill(); !more {
			return by, err
		}
	}
}

// separators are those that are found by the first line, which come in this order.
const separators = ",\t;|"

// sniff returns the separator that the first line of a text suggests, and whether the text holds
// all of that line.
func sniff(text []byte) (by byte, complete bool) {
	var seen [256]bool
	quoted := false
	for _, c := range text {
		if complete = c == '\n' && !quoted; complete {
			break
		}
		if c == '"' {
			quoted = !quoted
		}
		seen[c] = seen[c] || !quoted
	}
	for _, c := range []byte(separators) {
		if seen[c] {
			return c, complete
		}
	}
	return ',', complete
}

// checkText refuses a first row, given as text and as fields, that no text file has.
func checkText(s *splitter, row []byte, fields []string) error {
	at := data.ReadError{File: s.name, Line: s.line, Err: data.ErrText}
	switch {
	case bytes.IndexByte(row, 0) >= 0:
		at.Msg = "this is binary data, not CSV"
	case !utf8.Valid(row):
		at.Msg = "this is not UTF-8 text (" + table.EncodingAdvice() + ")"
	// those before LF are blanks, or read as LF
	case strings.Contains(strings.Join(fields, ""), "\r"):
		at.Msg = "some lines end in CR alone, and others in LF (convert all to LF)"
	default:
		return nil
	}
	return &at
}

// compareHeaders returns an error unless a further file has the header of the first one.
func compareHeaders(s *splitter, got []string, first string, want []string) error {
	at := s.fault(data.ErrHeader, "")
	for i := range max(len(got), len(want)) {
		switch {
		case i < len(got) && i < len(want) && got[i] == want[i]:
			continue
		case i < len(want) && !slices.Contains(got, want[i]):
			at.Msg = fmt.Sprintf("the header has no column %q of %s", want[i], first)
		case i < len(got) && !slices.Contains(want, got[i]):
			at.Msg = fmt.Sprintf("the header has column %q, which %s does not have", got[i], first)
		default: // both lists hold the same names, each once
			at.Msg = fmt.Sprintf("column %d is %q, in %s it is %q: the columns must have "+
				"the same order", i+1, got[i], first, want[i])
		}
		return at
	}
	return nil
}
