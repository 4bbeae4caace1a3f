// Package tabletest owns the conformance suite of the readers: what every one of them must do with
// a good file, with options, with a damaged file and with no file at all.
package tabletest

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/memory"
)

// Reader is a reader under test and a small file that it can read. The file has at least two rows,
// a numeric column of which no value is missing in the first two rows, and another column.
type Reader struct {
	Open  func(o data.ReadOptions, paths ...string) data.Table
	Sniff func(head []byte) bool // nil if the package has none

	Name   string // of the file
	File   []byte
	Want   string // what it holds, by Render
	Number string // a numeric column
	Forced string // the line of Render for that column if it is forced to be categorical
	Text   string // a categorical column, "" if the format has none
	// Texts returns a file of one column that holds texts; nil if Text is ""
	Texts  func(t testing.TB, column string, texts []string) []byte
	Line   int  // of the second row
	Dense  bool // every value takes bytes, so that the size of the file limits the table
	Binary bool // it may be compressed inside, not as a whole
	Sealed bool // every file without its last bytes must be refused
}

// Run runs the suite.
func (r Reader) Run(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"ways", r.ways}, {"forms", r.forms}, {"twice", r.twice}, {"options", r.options}, {"schema", r.schema},
		{"integers", r.integers}, {"unseen", r.unseen}, {"meanings", r.meanings},
		{"dates", r.dates}, {"texts", r.texts}, {"verbatim", r.verbatim}, {"optional", r.optional},
		{"limit", r.limit}, {"memory", r.memory},
		{"folders", r.folders}, {"blocks", r.blocks}, {"no file", r.noFile}, {"cancelled", r.cancelled}, {"truncated", r.truncated},
		{"changed", r.changed},
		{"other formats", r.others},
	} {
		t.Run(c.name, c.test)
	}
}

// readBytes reads a file from memory.
func (r *Reader) readBytes(
	ctx context.Context, o data.ReadOptions, name string, b []byte,
) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: b}
	return r.Open(o, name).Frame(ctx)
}

// Good reads a text and checks what it holds, by Render.
func (r *Reader) Good(t *testing.T, name, text string, o data.ReadOptions, want string) {
	t.Helper()
	f, err := r.readBytes(t.Context(), o, r.Name, []byte(text))
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if got := Render(f); got != want {
		t.Errorf("%s: got\n%swant\n%s", name, got, want)
	}
}

// Bad reads a text and checks the error: its text and its reason.
func (r *Reader) Bad(t *testing.T, text string, o data.ReadOptions, want string, reason error) {
	t.Helper()
	_, err := r.readBytes(t.Context(), o, r.Name, []byte(text))
	CheckError(t, err)
	if err == nil || err.Error() != want || !errors.Is(err, reason) {
		t.Errorf("%q: got\n%v\nwant\n%s", text, err, want)
	}
}

// path writes the file and returns its path.
func (r *Reader) path(t *testing.T) string {
	t.Helper()
	return r.write(t, r.File)
}

// write writes another file of the same name and returns its path.
func (r *Reader) write(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), r.Name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads the file from memory.
func (r *Reader) read(t *testing.T, o data.ReadOptions) *data.Frame {
	t.Helper()
	f, err := r.readBytes(t.Context(), o, r.Name, r.File)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// refused reads bytes that cannot be read and checks the error.
func (r *Reader) refused(t *testing.T, o data.ReadOptions, reason error, part string) {
	t.Helper()
	_, err := r.readBytes(t.Context(), o, r.Name, r.File)
	CheckError(t, err)
	if !errors.Is(err, reason) || err != nil && !strings.Contains(err.Error(), part) {
		t.Errorf("got %v, want a *data.ReadError because of %v with the text %s", err, reason, part)
	}
}

// ways reads the file from a path, from memory and from standard input.
func (r *Reader) ways(t *testing.T) {
	path := r.path(t)
	file, err := r.Open(data.ReadOptions{}, path).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := r.Open(data.ReadOptions{Stdin: bytes.NewReader(r.File)}, "-").Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*data.Frame{r.read(t, data.ReadOptions{}), file.Frame, stdin.Frame} {
		if got := Render(f); got != r.Want {
			t.Fatalf("got\n%swant\n%s", got, r.Want)
		}
		if want := ":" + strconv.Itoa(r.Line); !strings.HasSuffix(f.Locate(1), want) {
			t.Errorf("the second row is at %s, want %s", f.Locate(1), want)
		}
	}
	if got := stdin.Frame.Locate(1); got != "stdin:"+strconv.Itoa(r.Line) {
		t.Errorf("the second row is at %s", got)
	}
	if names := file.Frame.Schema.Names(); !slices.Equal(names, file.Origin.Columns) {
		t.Errorf("columns %q, of the frame %q", file.Origin.Columns, names)
	}
	if r.Sniff != nil && !r.Sniff(r.File[:min(len(r.File), 512)]) {
		t.Error("the reader does not recognise its own format")
	}
}

// twice reads the file and the file again.
func (r *Reader) twice(t *testing.T) {
	first, second := r.path(t), r.path(t)
	twice, err := r.Open(data.ReadOptions{}, first, second).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	once := r.read(t, data.ReadOptions{})
	n := once.Rows()
	rows := data.AllRows(2 * n)
	for i, half := range []*data.Frame{twice.Frame.Subset(rows[:n]), twice.Frame.Subset(rows[n:])} {
		if len(half.Schema.Fields) == len(once.Schema.Fields) && Render(half) != Render(once) {
			t.Errorf("half %d: got\n%swant\n%s", i+1, Render(half), Render(once))
		}
	}
	if got := twice.Frame.Locate(n + 1); got != second+":"+strconv.Itoa(r.Line) {
		t.Errorf("row %d is at %s", n+1, got)
	}
}

func (r *Reader) options(t *testing.T) {
	f := r.read(t, data.ReadOptions{Categorical: []string{r.Number}})
	if got := Render(f.Select([]int{f.Schema.Index(r.Number)})); got != r.Forced {
		t.Errorf("forced to be categorical: got\n%swant\n%s", got, r.Forced)
	}
	f = r.read(t, data.ReadOptions{AllCategorical: true, Numeric: []string{r.Number}})
	for _, field := range f.Schema.Fields {
		if (field.Kind == data.Numeric) != (field.Name == r.Number) {
			t.Errorf("column %q is %v", field.Name, field.Kind)
		}
	}
	if f = r.read(t, data.ReadOptions{Ignore: []string{r.Number}}); f.Schema.Index(r.Number) >= 0 {
		t.Errorf("column %q is not ignored", r.Number)
	}
	r.refused(t, data.ReadOptions{Numeric: []string{r.Number + "x"}}, data.ErrOption, "did you mean")
	r.refused(t, data.ReadOptions{Numeric: []string{r.Number}, Categorical: []string{r.Number}},
		data.ErrOption, "both numeric and categorical")
	if r.Text != "" {
		r.refused(t, data.ReadOptions{Numeric: []string{r.Text}}, data.ErrNumber, "is not a number")
	}
}

// dates reads numbers as dates, on request and for a model of parts of them; texts that are none
// are refused.
func (r *Reader) dates(t *testing.T) {
	plain := r.read(t, data.ReadOptions{})
	value := plain.Columns[plain.Schema.Index(r.Number)].Numbers()
	year := &data.DatePart{Source: r.Number, Format: data.SinceSeconds}
	days := &data.DatePart{Source: r.Number, Format: data.SinceSeconds, Part: data.Days,
		Origin: 1e6}
	parts := []data.Field{{Name: days.Name(), From: days}, {Name: year.Name(), From: year}}
	for _, o := range []data.ReadOptions{{Dates: map[string]data.DateFormat{r.Number: data.SinceSeconds}}, {Schema: &data.Schema{Fields: parts}}} {
		f := r.read(t, o)
		at := f.Schema.Index(r.Number)
		if at < 0 || f.Schema.Fields[at].Kind != data.Date || f.Schema.Fields[at].Format != "s" {
			t.Fatalf("fields %+v, want dates", f.Schema.Fields)
		}
		for row, v := range value[:2] {
			if got := f.Columns[at].Number(row); got != v*1e6 {
				t.Errorf("row %d: %v microseconds, want %v seconds", row, got, v)
			}
		}
	}
	if r.Text != "" {
		r.refused(t, data.ReadOptions{Dates: map[string]data.DateFormat{r.Text: data.YearFirst}},
			data.ErrDate, "is not a date")
	}
}

// schema reads the file for models: a number as a number, the first number as a category, a text of
// which there is nothing.
func (r *Reader) schema(t *testing.T) {
	plain := r.read(t, data.ReadOptions{})
	value := plain.Columns[plain.Schema.Index(r.Number)].Numbers()
	first := data.NumberText(value[0], 64)
	for _, field := range []data.Field{
		{Name: r.Number, Missing: data.Refuse},
		{Name: r.Number, Kind: data.Categorical, Levels: []string{"other", first}},
	} {
		s := &data.Schema{Fields: []data.Field{field}}
		f := r.read(t, data.ReadOptions{Schema: s})
		if len(f.Schema.Fields) != 1 || f.Schema.Fields[0].Missing != field.Missing {
			t.Fatalf("fields %+v", f.Schema.Fields)
		}
		for row, v := range value[:2] {
			c := &f.Columns[0]
			if field.Kind == data.Numeric && c.Number(row) != v {
				t.Errorf("row %d: %v, want %v", row, c.Number(row), v)
			}
			if want := map[bool]uint32{true: 1,
				false: data.UnseenCode}[v == value[0]]; field.Kind == data.Categorical &&
				c.Code(row) != want {
				t.Errorf("row %d: code %d, want %d", row, c.Code(row), want)
			}
		}
	}
	if r.Text == "" {
		return
	}
	s := &data.Schema{Fields: []data.Field{{Name: r.Text, Kind: data.Categorical,
		Levels: []string{"unheard of"}}}}
	f := r.read(t, data.ReadOptions{Schema: s, Also: []string{r.Number}})
	if names := f.Schema.Names(); !slices.Equal(names, []string{r.Text, r.Number}) {
		t.Fatalf("columns %q", names)
	}
	for row := range f.Rows() {
		if !f.IsMissing(row, 0) && f.Columns[0].Code(row) != data.UnseenCode {
			t.Errorf("row %d has code %d", row, f.Columns[0].Code(row))
		}
	}
}

// optional reads columns beside a model's that the file may lack.
func (r *Reader) optional(t *testing.T) {
	s := &data.Schema{Fields: []data.Field{{Name: r.Number, Kind: data.Numeric}}}
	if r.Text != "" {
		s.Fields[0] = data.Field{Name: r.Text, Kind: data.Categorical, Levels: []string{"unheard of"}}
	}
	of := s.Fields[0].Name
	f := r.read(t, data.ReadOptions{Schema: s, Optional: []string{r.Number, "not there"},
		Numeric: []string{r.Number, "not there"}})
	want := []string{of}
	if r.Number != of {
		want = append(want, r.Number)
	}
	if names := f.Schema.Names(); !slices.Equal(names, want) {
		t.Errorf("columns %q, want %q", names, want)
	}
}

func (r *Reader) verbatim(t *testing.T) {
	got, err := r.Open(data.ReadOptions{Verbatim: []string{r.Number}, Ignore: []string{r.Number}}, r.path(t)).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := got.Verbatim
	if v == nil || len(v.Columns) != 1 || got.Frame.Schema.Index(r.Number) >= 0 {
		t.Fatal("the column is not verbatim alone")
	}
	want := r.read(t, data.ReadOptions{Categorical: []string{r.Number}})
	at := want.Schema.Index(r.Number)
	for row := range want.Rows() {
		text := v.Schema.Fields[0].Levels[v.Columns[0].Code(row)]
		if code := want.Columns[at].Code(row); code != data.MissingCode &&
			text != want.Schema.Fields[at].Levels[code] {
			t.Errorf("row %d: %q", row, text)
		}
	}
}

func (r *Reader) limit(t *testing.T) {
	if r.Dense {
		t.Skip("the file's size is the limit")
	}
	r.refused(t, data.ReadOptions{MaxValues: 1}, data.ErrLimit, "more than 1 values")
}

// memory reads the file under limits of memory: one that it keeps, and one that is too small for
// any table.
func (r *Reader) memory(t *testing.T) {
	r.read(t, data.ReadOptions{Memory: 1 << 30})
	_, err := r.readBytes(t.Context(), data.ReadOptions{Memory: 64}, r.Name, r.File)
	CheckError(t, err)
	if !errors.Is(err, data.ErrLimit) || !errors.Is(err, memory.ErrLimit) ||
		!strings.HasPrefix(err.Error(), r.Name+":") ||
		!strings.HasSuffix(err.Error(), option.Expand(" of memory, the limit is 64 bytes ({memory} sets it)")) {
		t.Errorf("got %v, want an error that names the file, the need, the limit and the flag", err)
	}
	_, err = r.Open(data.ReadOptions{Memory: 64,
		Stdin: bytes.NewReader(append(r.File, make([]byte, 99)...))}, "-").Read(t.Context())
	if !errors.Is(err, data.ErrLimit) || !errors.Is(err, memory.ErrLimit) {
		t.Errorf("standard input: %v", err)
	}
}

func (r *Reader) noFile(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{"absent.x": "absent.x: no such file",
		dir: dir + ": the folder holds no tables"} {
		if _, err := r.Open(data.ReadOptions{}, path).Read(t.Context()); err == nil ||
			err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := r.Open(data.ReadOptions{}, "absent.x").Read(t.Context()); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	for _, paths := range [][]string{nil, {"-", "-"}} {
		if _, err := r.Open(data.ReadOptions{Stdin: bytes.NewReader(r.File)}, paths...).Read(t.Context()); !errors.Is(err, data.ErrOption) {
			t.Errorf("%q: %v", paths, err)
		}
	}
}

func (r *Reader) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Open(data.ReadOptions{}, r.path(t)).Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
