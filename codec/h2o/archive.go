package h2o

import (
	"archive/zip"
	"bytes"
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
func open(r io.ReaderAt, size int64, l codec.Limits) (*archive, error) {
	a := &archive{foreign.NewBudget(formatName, size, l), &remembering{ReaderAt: r},
		map[string]*zip.File{}}
	if err := a.Take(size / 46 * entrySize); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(a.in, size)
	if err != nil {
		return nil, a.fault(err, "archive")
	}
	for _, f := range z.File {
		a.files[f.Name] = f
	}
	return a, nil
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

// fault returns the error of the reader as it is, and others as damage of a file.
func (a *archive) fault(err error, name string) error {
	if a.in.err != nil {
		return a.in.err
	}
	return wrap(err, name)
}

// has reports whether the archive has a file.
func (a *archive) has(name string) bool { return a.files[name] != nil }

// read returns the content of a file.
func (a *archive) read(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, corrupt(name, "the archive lacks the file")
	}
	size := f.UncompressedSize64
	if size > 1<<40 {
		return nil, corrupt(name, "%d bytes", size)
	}
	if err := a.Take(int64(size) + 64<<10); err != nil { // and what unpacks it
		return nil, err
	}
	in, err := f.Open()
	if err != nil {
		return nil, a.fault(err, name)
	}
	defer in.Close()
	b := make([]byte, size)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, a.fault(err, name)
	}
	n, err := in.Read(make([]byte, 1)) // which checks the sum
	switch {
	case n > 0:
		return nil, corrupt(name, "the file does not end after %d bytes", size)
	case err != io.EOF:
		return nil, a.fault(err, name)
	}
	return b, nil
}

// lines returns the lines of a file of texts, without the breaks.
func (a *archive) lines(name string) ([]string, error) {
	b, err := a.read(name)
	if err != nil {
		return nil, err
	}
	if err := a.Take(int64(len(b)) + 32*int64(bytes.Count(b, []byte("\n"))+1)); err != nil {
		return nil, err
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
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
func (a *archive) readIni() (*ini, error) {
	lines, err := a.lines(iniName)
	if err != nil {
		return nil, err
	}
	if err := a.Take(128 * int64(len(lines))); err != nil {
		return nil, err
	}
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
				return nil, corrupt(iniName, "line %d: %q is no domain", i+1, line)
			}
			m.domains[at] = domain{n, file}
		}
	}
	return m, nil
}

// count returns a count of the description.
func (m *ini) count(key string) (int, error) {
	n, err := strconv.Atoi(m.info[key])
	if err != nil || n < 0 || n > 1<<24 {
		return 0, corrupt(iniName, "%s is %q", key, m.info[key])
	}
	return n, nil
}

// levels returns the categories of a column, nil if it has none.
func (a *archive) levels(m *ini, column int) ([]string, error) {
	d, ok := m.domains[column]
	if !ok {
		return nil, nil
	}
	lines, err := a.lines("domains/" + d.file)
	if err != nil {
		return nil, err
	}
	if len(lines) != d.levels {
		return nil, corrupt("domains/"+d.file, "%d categories, and %s states %d", len(lines), iniName,
			d.levels)
	}
	if m.info["escape_domain_values"] == "true" {
		for i := range lines {
			lines[i] = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r").Replace(lines[i])
		}
	}
	return lines, nil
}
