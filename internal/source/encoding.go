package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/param"
)

// CheckEncoding returns an error, which suggests the nearest name, unless a name is that of an
// encoding which data.ReadOptions.Encoding may have.
func CheckEncoding(name string) error {
	_, err := findEncoding(name)
	return err
}

// findEncoding returns the encoding of a name; nil for UTF-8.
func findEncoding(name string) (encoding.Encoding, error) {
	if name == "" {
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, table.BadOption(fmt.Sprintf("there is no encoding %q%s", name,
			param.Meant("; ", name, encodingNames())))
	}
	if e == unicode.UTF8 {
		return nil, nil
	}
	return e, nil
}

// encodingNames returns the names of all encodings, and those of others that are often used for
// them.
func encodingNames() []string {
	names := []string{"latin1", "latin2", "ascii", "cp1252", "utf-16"}
	for _, e := range slices.Concat(charmap.All, japanese.All, korean.All, simplifiedchinese.All,
		traditionalchinese.All, unicode.All) {
		if name, err := htmlindex.Name(e); err == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// marks are the byte order marks, which determine an encoding whatever the options are.
var marks = []struct {
	bytes string
	name  string
}{{"\xef\xbb\xbf", "utf-8"}, {"\xff\xfe", "utf-16le"}, {"\xfe\xff", "utf-16be"}}

// decode puts a decoder before a text that is not in UTF-8: by its byte order mark, over which it
// moves, or by the name that the options give.
func decode(b *bufio.Reader, file, name string) (io.Reader, error) {
	head, _ := b.Peek(magicSize) // an error comes again
	for _, mark := range marks {
		if bytes.HasPrefix(head, []byte(mark.bytes)) {
			if _, err := b.Discard(len(mark.bytes)); err != nil {
				return nil, err
			}
			name = mark.name
			break
		}
	}
	e, err := findEncoding(name)
	if e == nil || err != nil {
		return b, err
	}
	return transform.NewReader(b, transform.Chain(e.NewDecoder(),
		&intact{file: file, encoding: name})), nil
}

// intact passes decoded text on as it is, and fails where a decoder met bytes that mean nothing, in
// whose place it writes U+FFFD.
type intact struct {
	file, encoding string
	lines          int // ends of lines so far
}

func (t *intact) Reset() { t.lines = 0 }

func (t *intact) Transform(dst, src []byte, _ bool) (int, int, error) {
	n := min(len(dst), len(src))
	bad := bytes.Index(src, []byte("\ufffd"))
	if bad >= 0 {
		n = min(n, bad)
	}
	copy(dst, src[:n])
	t.lines += bytes.Count(src[:n], []byte{'\n'})
	switch {
	case n == bad:
		return n, n, &data.ReadError{File: t.file, Line: t.lines + 1,
			Msg: "bytes that are no text in the encoding " + t.encoding, Err: data.ErrText}
	case n < len(src):
		return n, n, transform.ErrShortDst
	}
	return n, n, nil
}
