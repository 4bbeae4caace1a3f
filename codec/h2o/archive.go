package h2o

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// iniName is the file of an archive that describes the model.
const iniName = "model.ini"

// archive is a MOJO file, of which files are read as a whole.
type archive struct {
	*foreign.Budget
	in    *remembering
	files map[string]*zip.File
}

// entrySize bounds the memory of an entry of the archive's directory, which takes 46 bytes in the
// file at least.
const entrySize = 512

// open reads the directory of an archive.
func open(r io.ReaderAt, size int64, l codec.Limits) *archive {
	a := &archive{foreign.NewBudget(formatName, size, l), &remembering{ReaderAt: r},
		map[string]*zip.File{}}
	a.Need(size / 46 * entrySize)
	z, err := zip.NewReader(a.in, size)
	a.check(err, "archive")
	for _, f := range z.File {
		a.files[f.Name] = f
	}
	return a
}

var errPlace = errors.New("the directory states a place before the file")

// remembering keeps the error of a reader, which is returned as it is.
type remembering struct {
	io.ReaderAt
	err error
}

func (r *remembering) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 {
		return 0, errPlace
	}
	n, err := r.ReaderAt.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// check ends reading by an error: that of the reader as it is, and others as damage of a file.
func (a *archive) check(err error, name string) {
	if err != nil {
		foreign.Check(cmp.Or(a.in.err, wrap(err, name)))
	}
}

// has reports whether the archive has a file.
func (a *archive) has(name string) bool { return a.files[name] != nil }

// read returns the content of a file.
func (a *archive) read(name string) []byte {
	f := a.files[name]
	if f == nil {
		corrupt(name, "the archive lacks the file")
	}
	size := f.UncompressedSize64
	if size > 1<<40 {
		corrupt(name, "%d bytes", size)
	}
	a.Need(int64(size) + 64<<10) // and what unpacks it
	in, err := f.Open()
	a.check(err, name)
	defer in.Close()
	b := make([]byte, size)
	_, err = io.ReadFull(in, b)
	a.check(err, name)
	n, err := in.Read(make([]byte, 1)) // which checks the sum
	switch {
	case n > 0:
		corrupt(name, "the file does not end after %d bytes", size)
	case err != io.EOF:
		a.check(err, name)
	}
	return b
}

// lines returns the lines of a file of texts, without the breaks.
func (a *archive) lines(name string) []string {
	b := a.read(name)
	a.Need(int64(len(b)) + 32*int64(bytes.Count(b, []byte("\n"))+1))
	text := strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// ini is the content of model.ini.
type ini struct {
	info    map[string]string
	columns []string
	domains map[int]domain
}

// domain is the file of the categories of a column.
type domain struct {
	levels int
	file   string
}

// readIni reads model.ini.
func (a *archive) readIni() *ini {
	lines := a.lines(iniName)
	a.Need(128 * int64(len(lines)))
	m := &ini{info: map[string]string{}, domains: map[int]domain{}}
	section := ""
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == "[info]" || line == "[columns]" || line == "[domains]":
			section = line
		case section == "[info]":
			key, value, _ := strings.Cut(line, "=")
			m.info[strings.TrimSpace(key)] = strings.TrimSpace(value)
		case section == "[columns]":
			m.columns = append(m.columns, line)
		case section == "[domains]":
			column, rest, _ := strings.Cut(line, ":")
			levels, file, _ := strings.Cut(strings.TrimSpace(rest), " ")
			at, err1 := strconv.Atoi(column)
			n, err2 := strconv.Atoi(levels)
			if err1 != nil || err2 != nil || n < 0 {
				corrupt(iniName, "line %d: %q is no domain", i+1, line)
			}
			m.domains[at] = domain{n, file}
		}
	}
	return m
}

// count returns a count of the description.
func (m *ini) count(key string) int {
	n, err := strconv.Atoi(m.info[key])
	if err != nil || n < 0 || n > 1<<24 {
		corrupt(iniName, "%s is %q", key, m.info[key])
	}
	return n
}

// levels returns the categories of a column, nil if it has none.
func (a *archive) levels(m *ini, column int) []string {
	d, ok := m.domains[column]
	if !ok {
		return nil
	}
	lines := a.lines("domains/" + d.file)
	if len(lines) != d.levels {
		corrupt("domains/"+d.file, "%d categories, and %s states %d", len(lines), iniName,
			d.levels)
	}
	if m.info["escape_domain_values"] == "true" {
		for i := range lines {
			lines[i] = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r").Replace(lines[i])
		}
	}
	return lines
}
