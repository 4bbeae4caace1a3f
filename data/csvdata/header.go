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

// readHeader finds the separator and the names of the columns, and leaves s at the line below the
// header, or at the first row if there is no header.
func (o *Options) readHeader(s *splitter) ([]string, error) {
	s.separate(0)
	for !s.skipBlank() {
		if more, err := s.fill(); err != nil {
			return nil, err
		} else if !more {
			return nil, &data.ReadError{File: s.name, Msg: "the file is empty", Err: data.ErrEmpty}
		}
	}
	by, err := o.findSeparator(s)
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
		return names, nil
	}
	for i, n := range names {
		names[i] = strings.TrimSpace(n)
	}
	if err := checkNames(s, names); err != nil {
		return nil, err
	}
	s.next(end)
	return names, nil
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
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
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
	for _, c := range []byte(",\t;") {
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
		at.Msg = "this is not UTF-8 text (" + table.EncodingAdvice + ")"
	// those before LF are blanks, or read as LF
	case strings.Contains(strings.Join(fields, ""), "\r"):
		at.Msg = "the lines seem to end in CR alone (convert them to LF)"
	default:
		return nil
	}
	return &at
}

// checkNames refuses columns that a schema cannot distinguish.
func checkNames(s *splitter, names []string) error {
	seen := make(map[string]bool, len(names))
	for i, n := range names {
		at := data.ReadError{File: s.name, Line: s.line, Err: data.ErrHeader}
		switch {
		case n == "":
			at.Msg = fmt.Sprintf("column %d of the header has no name", i+1)
			return &at
		case seen[n]:
			at.Msg = fmt.Sprintf("two columns are called %q", n)
			return &at
		}
		seen[n] = true
	}
	return nil
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
