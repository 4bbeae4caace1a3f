package xlsxdata

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/param"
)

// workbook is an opened file.
type workbook struct {
	name  string
	parts map[string]*zip.File
	limit memory.Limit

	sheets []sheetName
	shared []string // texts that cells refer to
	dates  []bool   // by style: its numbers are dates
	since  float64  // days from 1970 to the day that numbers count from

	header int // the number of its row in the sheet that is read
	merged merged
}

// mostParts is how many sheets, styles and formats are looked at: Excel has at most 65,490 of each.
const mostParts = 1 << 16

// sheetName is a sheet of a workbook.
type sheetName struct{ name, part string }

// oldExcel begins the files of Excel before 2007, and workbooks with a password.
const oldExcel = "\xd0\xcf\x11\xe0"

func (w *workbook) fault(reason error, format string, args ...any) error {
	return &data.ReadError{File: w.name, Msg: fmt.Sprintf(format, args...), Err: reason}
}

// openWorkbook reads the parts of a workbook that all its sheets need. Texts are charged to the
// memory of the table.
func openWorkbook(f *source.File, b *table.Builder, o *data.ReadOptions) (*workbook, error) {
	w := &workbook{name: f.Name, parts: map[string]*zip.File{}, limit: o.Memory}
	var head [4]byte
	if _, err := f.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(head[:]) == oldExcel {
		return nil, w.fault(data.ErrFormat, "this is an old Excel file (.xls), or one with a password: "+
			"save it as .xlsx")
	}
	z, err := zip.NewReader(f, f.Size())
	if err != nil {
		return nil, w.damaged(err)
	}
	for _, part := range z.File {
		w.parts[part.Name] = part
	}
	if w.parts["xl/workbook.xml"] == nil {
		return nil, w.fault(data.ErrFormat, "this is no Excel workbook")
	}
	if err := w.readSheets(); err != nil {
		return nil, err
	}
	if err := w.readStyles(); err != nil {
		return nil, err
	}
	return w, w.readShared(b)
}

func (w *workbook) damaged(err error) error {
	known := (*data.ReadError)(nil)
	switch {
	case err == errFound, errors.As(err, &known), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return err
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return &data.ReadError{File: w.name, Msg: "damaged Excel workbook: " + err.Error(),
		Err: errors.Join(data.ErrFormat, err)}
}

// tokens are those of the XML of a part.
type tokens struct {
	xml  *xml.Decoder
	part *limited
	io.Closer
}

// next returns the next token, before which so much may be unpacked as memory admits.
func (t *tokens) next() (xml.Token, error) {
	t.part.left = t.part.most
	return t.xml.RawToken()
}

// open opens a part; nil if there is none.
func (w *workbook) open(name string) (*tokens, error) {
	part := w.parts[name]
	if part == nil {
		return nil, nil
	}
	r, err := part.Open()
	if err != nil {
		return nil, w.damaged(err)
	}
	in := &limited{of: w, r: r, most: max(w.limit.Bytes(), leastToken)}
	return &tokens{xml.NewDecoder(in), in, r}, nil
}

// leastToken is what a token may take whatever the limit of memory is.
const leastToken = 64 << 10

// limited reads a part. A token of it must not take more than the limit of memory.
type limited struct {
	of         *workbook
	r          io.Reader
	left, most int64 // bytes: of the current token, and of each
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	if l.left -= int64(n); l.left < 0 {
		over := l.of.limit.Check("a part of the workbook unpacked", max(l.most, l.of.limit.Bytes())+1)
		return 0, &data.ReadError{File: l.of.name, Msg: over.Error(),
			Err: errors.Join(data.ErrLimit, over)}
	}
	return n, err
}

// each calls f for the start of each element of a part until it returns an error.
func (w *workbook) each(part string, f func(t *tokens, e *xml.StartElement) error) error {
	t, err := w.open(part)
	if t == nil || err != nil {
		return err
	}
	defer t.Close()
	for {
		token, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return w.damaged(err)
		}
		if e, is := token.(xml.StartElement); is {
			if err := f(t, &e); err != nil {
				return w.damaged(err)
			}
		}
	}
}

// attribute returns the value of an attribute by its local name, "" if there is none.
func attribute(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// relation is the attribute that names the part of a sheet.
func relation(e *xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

// Days from 1970 to the days that workbooks count from. That of 1900 has a 29 February 1900 which
// never was, so that numbers from 61 on are right.
const (
	since1900 = -25569
	since1904 = -24107
)

// readSheets reads the names of the sheets and finds their parts.
func (w *workbook) readSheets() error {
	w.since = since1900
	targets := map[string]string{}
	err := w.each("xl/_rels/workbook.xml.rels", func(_ *tokens, e *xml.StartElement) error {
		if e.Name.Local == "Relationship" && len(targets) < mostParts {
			target := attribute(e, "Target")
			if absolute, is := strings.CutPrefix(target, "/"); is {
				target = absolute
			} else {
				target = path.Join("xl", target)
			}
			targets[attribute(e, "Id")] = target
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.each("xl/workbook.xml", func(_ *tokens, e *xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			if v := attribute(e, "date1904"); v == "1" || v == "true" {
				w.since = since1904
			}
		case "sheet":
			if part := targets[relation(e)]; w.parts[part] != nil && len(w.sheets) < mostParts {
				w.sheets = append(w.sheets, sheetName{attribute(e, "name"), part})
			}
		}
		return nil
	})
}

// sheet returns the part of the sheet of a name, of the first for "".
func (w *workbook) sheet(name string) (string, error) {
	if len(w.sheets) == 0 {
		return "", w.fault(data.ErrEmpty, "the workbook has no sheet")
	}
	if name == "" {
		return w.sheets[0].part, nil
	}
	var names []string
	for _, s := range w.sheets {
		if s.name == name {
			return s.part, nil
		}
		names = append(names, s.name)
	}
	return "", w.fault(data.ErrOption, "%v", param.Unknown("sheet", name, names))
}

// readStyles finds out which styles make dates of numbers.
func (w *workbook) readStyles() error {
	codes := map[int]string{}
	inCells := false
	return w.each("xl/styles.xml", func(_ *tokens, e *xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			id, err := strconv.Atoi(attribute(e, "numFmtId"))
			if err == nil && len(codes) < mostParts {
				codes[id] = attribute(e, "formatCode")
			}
		case "cellXfs":
			inCells = true
		case "cellStyleXfs", "cellStyles", "dxfs":
			inCells = false
		case "xf":
			if inCells && len(w.dates) < mostParts {
				id, _ := strconv.Atoi(attribute(e, "numFmtId"))
				w.dates = append(w.dates, isDate(id, codes[id]))
			}
		}
		return nil
	})
}

// isDate reports whether a format of numbers shows a day or a year. Formats without a code are
// those that every workbook has.
func isDate(id int, code string) bool {
	if code == "" {
		return 14 <= id && id <= 17 || id == 22 || 27 <= id && id <= 31 || id == 36 || 50 <= id &&
			id <= 54 || id == 57 || id == 58
	}
	quoted, bracket := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\' || c == '_' || c == '*':
			i++
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case !bracket && (c|0x20 == 'y' || c|0x20 == 'd'):
			return true
		}
	}
	return false
}

// textBytes is what a shared text takes beside its bytes.
const textBytes = 16

// readShared reads the texts that cells refer to.
func (w *workbook) readShared(b *table.Builder) error {
	return w.each("xl/sharedStrings.xml", func(t *tokens, e *xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := t.text("si")
		if err != nil {
			return err
		}
		w.shared = append(w.shared, text)
		b.Size.Charge(textBytes + int64(len(text)))
		return b.Limit(0)
	})
}

// text returns the text of the elements t up to the end of an element, without those that say how a
// text is pronounced.
func (t *tokens) text(until string) (string, error) {
	var text strings.Builder
	in, phonetic := false, false
	for {
		token, err := t.next()
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			in = e.Name.Local == "t" || e.Name.Local == "v"
			phonetic = phonetic || e.Name.Local == "rPh"
		case xml.EndElement:
			in = false
			if e.Name.Local == "rPh" {
				phonetic = false
			}
			if e.Name.Local == until {
				return text.String(), nil
			}
		case xml.CharData:
			if in && !phonetic {
				text.Write(e)
			}
		}
	}
}
