package tabletest

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// Render writes a frame as one line per column: name, values and, for a categorical column, its
// dictionary, for dates their kind.
//
//	a 1 - 2.5        numbers, - is missing
//	b x - ? {x|y}    texts, - is missing, ? is unseen
//	c 2024-01-31 - date dmy    dates, and their format unless it is ymd
func Render(f *data.Frame) string {
	var b strings.Builder
	for j, field := range f.Schema.Fields {
		b.WriteString(field.Name)
		for row := range f.Rows() {
			c := f.Columns[j]
			switch {
			case f.IsMissing(row, j):
				b.WriteString(" -")
			case field.Kind == data.Date:
				b.WriteString(" " + data.DateText(c.Number(row)))
			case field.Kind == data.Numeric:
				b.WriteString(" " + strconv.FormatFloat(c.Number(row), 'g', -1, 64))
			case c.Code(row) == data.UnseenCode:
				b.WriteString(" ?")
			default:
				b.WriteString(" " + field.Levels[c.Code(row)])
			}
		}
		if field.Kind == data.Categorical {
			b.WriteString(" {" + strings.Join(field.Levels, "|") + "}")
		}
		if field.Kind == data.Date {
			b.WriteString(strings.TrimRight(" date "+field.Format, " "))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Shared returns the path of a file of the shared data, and skips the test where that folder is
// absent. It is called by tests of packages in data.
func Shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("COPPICE_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the shared data is absent (COPPICE_DATA, else ../shared beside the project): %v",
			err)
	}
	return path
}

// Stored returns a file of the package's testdata.
func Stored(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Same checks that two tables have the same columns with the same kinds, levels and values; numbers
// may differ by a relative tolerance.
func Same(t testing.TB, got, want *data.Frame, tolerance float64) {
	t.Helper()
	if g, w := got.Schema.Names(), want.Schema.Names(); !slices.Equal(g, w) ||
		got.Rows() != want.Rows() {
		t.Fatalf("%d rows of columns %q, want %d of %q", got.Rows(), g, want.Rows(), w)
	}
	for j, field := range want.Schema.Fields {
		if g := got.Schema.Fields[j]; g.Kind != field.Kind ||
			!slices.Equal(g.Levels, field.Levels) {
			t.Errorf("column %q: %v of levels %.300q, want %v of %.300q", field.Name, g.Kind,
				g.Levels, field.Kind, field.Levels)
			continue
		}
		g, w := got.Columns[j], want.Columns[j]
		for row := range want.Rows() {
			same := got.IsMissing(row, j) == want.IsMissing(row, j)
			if same && field.Kind == data.Categorical {
				same = g.Code(row) == w.Code(row)
			} else if same && !want.IsMissing(row, j) {
				same = g.Number(row) == w.Number(row) ||
					math.Abs(g.Number(row)-w.Number(row)) <= tolerance*math.Abs(w.Number(row))
			}
			if !same {
				t.Errorf("column %q, row %d of %s and of %s differ", field.Name, row,
					got.Locate(row), want.Locate(row))
				break
			}
		}
	}
}
