package parquetdata_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
)

var written = []parquetdata.Column{{Name: "id", Integer: true}, {Name: "x"},
	{Name: "kind", Kind: data.Categorical}}

// writtenRow returns the fields of a row; every third and fifth has nulls.
func writtenRow(i int) []string {
	row := []string{strconv.Itoa(i - 7), strconv.FormatFloat(math.Sqrt(float64(i))-3, 'g', -1, 64),
		fmt.Sprintf("kind %d ä", i%4)}
	if i%3 == 1 {
		row[1] = ""
	}
	if i%5 == 2 {
		row[0], row[2] = "", ""
	}
	return row
}

func writeRows(t *testing.T, w io.Writer, n int) {
	t.Helper()
	file := parquetdata.NewWriter(w, written)
	for i := range n {
		if err := file.Write(writtenRow(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWriterIsRead: files of no row, of one, and of two row groups are read back as they were
// written, by this package and by package parquet, with integers as such.
func TestWriterIsRead(t *testing.T) {
	for _, n := range []int{0, 1, 8, 100, 1<<17 + 3} {
		var b bytes.Buffer
		writeRows(t, &b, n)
		type row struct {
			ID   *int64   `parquet:"id,optional"`
			X    *float64 `parquet:"x,optional"`
			Kind *string  `parquet:"kind,optional"`
		}
		theirs, err := parquet.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil || len(theirs) != n {
			t.Fatalf("%d of %d rows, %v", len(theirs), n, err)
		}
		text := func(v any, there bool) string {
			if !there {
				return ""
			}
			return fmt.Sprint(v)
		}
		if n == 0 {
			continue // no kinds of columns without rows
		}
		f, err := parquetdata.Open(data.ReadOptions{Bytes: map[string][]byte{"t": b.Bytes()}}, "t").
			Frame(t.Context())
		if err != nil || f.Rows() != n {
			t.Fatal(err)
		}
		for i, r := range theirs {
			want := writtenRow(i)
			var id, x, kind any
			if r.ID != nil {
				id = *r.ID
			}
			if r.X != nil {
				x = *r.X
			}
			if r.Kind != nil {
				kind = *r.Kind
			}
			got := []string{text(id, r.ID != nil), text(x, r.X != nil), text(kind, r.Kind != nil)}
			ours := []string{text(f.Columns[0].Number(i), !f.IsMissing(i, 0)),
				text(f.Columns[1].Number(i), !f.IsMissing(i, 1)), ""}
			if code := f.Columns[2].Code(i); code != data.MissingCode {
				ours[2] = f.Schema.Fields[2].Levels[code]
			}
			for k := range want {
				if k < 2 && !sameNumber(got[k], want[k]) || k == 2 && got[k] != want[k] ||
					k < 2 && !sameNumber(ours[k], want[k]) || k == 2 && ours[k] != want[k] {
					t.Fatalf("row %d of %d: %q, by Coppice %q, want %q", i, n, got, ours, want)
				}
			}
		}
	}
}

func sameNumber(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, other := strconv.ParseFloat(b, 64)
	return a == b || err == nil && other == nil && x == y
}

// What is no number of its column is an error that names it, as is a row of other columns.
func TestWriterErrors(t *testing.T) {
	w := parquetdata.NewWriter(io.Discard, written)
	for _, row := range [][]string{{"1.5", "1", "a"}, {"1", "one", "a"}, {"1", "2"}} {
		if err := w.Write(row); err == nil {
			t.Errorf("%q is written", row)
		}
	}
	full := errors.New("the disk is full")
	failing := parquetdata.NewWriter(failingWriter{full}, written)
	if err := errors.Join(failing.Write(writtenRow(0)), failing.Close()); !errors.Is(err, full) {
		t.Error(err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
