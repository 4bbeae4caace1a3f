package tabletest

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// blocks reads data sets in blocks, which together are the table: files, folders that make columns,
// and standard input.
func (r *Reader) blocks(t *testing.T) {
	set := r.set(t, "k=1", "k=02", "k=M%C3%BC", "k=__HIVE_DEFAULT_PARTITION__", "k=x")
	file := filepath.Join(set, "k=1", r.Name)
	for name, c := range map[string]struct {
		options data.ReadOptions
		path    string
	}{
		"file":        {data.ReadOptions{}, file},
		"folder":      {data.ReadOptions{}, set},
		"numbers":     {data.ReadOptions{}, r.set(t, "k=1", "k=2.5", "k=2")},
		"formats":     {data.ReadOptions{}, r.set(t, "k=1.234,5", "k=2,5")},
		"dates":       {data.ReadOptions{}, r.set(t, "k=2026-01-31", "k=2026-02-01")},
		"categorical": {data.ReadOptions{Categorical: []string{r.Number}}, set},
		"all":         {data.ReadOptions{AllCategorical: true, Numeric: []string{r.Number}}, set},
		"ignore":      {data.ReadOptions{Ignore: []string{r.Number, "k"}}, set},
		"since": {data.ReadOptions{Dates: map[string]data.DateFormat{r.Number: data.SinceSeconds}},
			set},
		"wrong": {data.ReadOptions{Numeric: []string{"k"}}, set},
		"name":  {data.ReadOptions{Ignore: []string{r.Number + "x"}}, set},
	} {
		t.Run(name, func(t *testing.T) { r.Together(t, c.options, c.path) })
	}
	r.streamed(t, set)
}

// noting makes the options append their notes.
func noting(o data.ReadOptions, notes *[]string) data.ReadOptions {
	o.Log = func(format string, args ...any) {
		*notes = append(*notes, fmt.Sprintf(format, args...))
	}
	return o
}

// Together compares a table with what its blocks are together: columns, notes, errors, places.
func (r *Reader) Together(t *testing.T, o data.ReadOptions, paths ...string) {
	var notes, found []string
	want, err := r.Open(noting(o, &notes), paths...).Read(t.Context())
	o.BlockBytes = 1
	b, failed := r.Open(noting(o, &found), paths...).Blocks(t.Context())
	if fmt.Sprint(err) != fmt.Sprint(failed) {
		t.Fatalf("got the error %v, want %v", failed, err)
	}
	if err != nil {
		return
	}
	if !reflect.DeepEqual(b.Outline().Schema, want.Frame.Schema) {
		t.Errorf("schema %+v, want %+v", b.Outline().Schema, want.Frame.Schema)
	}
	if !slices.Equal(found, notes) || !slices.Equal(b.Outline().Origin.Columns, want.Origin.Columns) {
		t.Errorf("notes %q of %q, want %q of %q", found, b.Outline().Origin.Columns, notes, want.Origin.Columns)
	}
	for range 2 {
		var all *data.Frame
		for part, err := range b.Blocks(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for row := range part.Rows() {
				was, is := part.Frame.Locate(row), want.Frame.Locate(part.First+row)
				if was != is || b.Locate(part.First+row) != is {
					t.Fatalf("row %d is at %s and at %s", part.First+row, was, is)
				}
			}
			if all == nil {
				all = part.Frame
			} else if all, err = data.Concat(all, part.Frame); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := Render(all), Render(want.Frame); got != want || b.Rows() != all.Rows() {
			t.Fatalf("%d rows, got\n%swant\n%s", b.Rows(), got, want)
		}
	}
	for range b.Blocks(t.Context()) {
		break // which is allowed
	}
	for from := range b.Rows() {
		r.region(t, b, want.Frame, data.Region{From: from, To: min(from+2, b.Rows())})
		r.region(t, b, want.Frame, data.Region{From: from, To: b.Rows(),
			Columns: []int{from % len(want.Frame.Columns)}})
	}
}

// Fuzzed is Together for bytes that need not be a table, if they are few. Limits of the table as a
// whole, which blocks do not meet, are left out.
func (r *Reader) Fuzzed(t *testing.T, b []byte) {
	const few = 100
	o := data.ReadOptions{Bytes: map[string][]byte{r.Name: b}, MaxValues: 1 << 20, Memory: 256 << 20}
	if _, err := r.Open(o, r.Name).Frame(t.Context()); len(b) <= few && !errors.Is(err, data.ErrLimit) {
		r.Together(t, o, r.Name)
	}
}

// region compares the blocks of a region with the rows of the whole table.
func (r *Reader) region(t *testing.T, b data.Features, whole *data.Frame, p data.Region) {
	columns := p.Columns
	if columns == nil {
		columns = make([]int, len(whole.Columns))
		for i := range columns {
			columns[i] = i
		}
	}
	next := p.From
	for part, err := range data.BlocksOf(t.Context(), b, p) {
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]int32, part.Rows())
		for i := range rows {
			rows[i] = int32(part.First + i)
			if was, is := part.Frame.Locate(i), whole.Locate(part.First+i); was != is {
				t.Fatalf("row %d is at %s and at %s", part.First+i, was, is)
			}
		}
		if got, want := Render(part.Frame), Render(whole.Subset(rows).Select(columns)); got != want {
			t.Fatalf("rows %v, columns %v: got\n%swant\n%s", rows, columns, got, want)
		}
		if part.First > next || part.First+part.Rows() <= p.From || part.First >= p.To {
			t.Fatalf("rows %v, want %d ... %d", rows, next, p.To-1)
		}
		next = part.First + part.Rows()
	}
	if next < p.To {
		t.Fatalf("rows up to %d, want %d", next, p.To)
	}
}

// streamed reads a data set for a model, with a column as it stands in the files.
func (r *Reader) streamed(t *testing.T, set string) {
	whole, err := r.Open(data.ReadOptions{}, set).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := data.ReadOptions{Schema: &whole.Frame.Schema, Verbatim: []string{r.Number}}
	want, err := r.Open(o, set).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o.BlockBytes = 1
	got, kept := put(t, r.Open(o, set).Stream(t.Context()))
	if Render(got) != Render(want.Frame) {
		t.Errorf("got\n%swant\n%s", Render(got), Render(want.Frame))
	}
	for row := range want.Frame.Rows() {
		v := want.Verbatim
		if text := v.Schema.Fields[0].Levels[v.Columns[0].Code(row)]; kept[row] != text {
			t.Errorf("row %d: %q, want %q", row, kept[row], text)
		}
	}
	plain := r.read(t, data.ReadOptions{})
	o = data.ReadOptions{Schema: &plain.Schema, BlockBytes: 1, Stdin: bytes.NewReader(r.File)}
	if got, _ := put(t, r.Open(o, "-").Stream(t.Context())); Render(got) != r.Want {
		t.Errorf("standard input: got\n%s", Render(got))
	}
	o = data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "no such column"}}}}
	for got, err := range r.Open(o, filepath.Join(set, "k=1", r.Name)).Stream(t.Context()) {
		if err != nil || len(got.Frame.Columns) > 0 { // the table is a single block
			t.Errorf("a column that is not there: %v, %v", got, err)
		}
	}
	for _, err := range r.Open(data.ReadOptions{}, set).Stream(t.Context()) {
		if CheckError(t, err); err == nil {
			t.Error("there are tables without a schema")
		}
	}
}

// put puts tables together, and the texts of a verbatim column.
func put(t *testing.T, tables iter.Seq2[*data.RowBlock, error]) (all *data.Frame, kept []string) {
	t.Helper()
	for part, err := range tables {
		if err != nil {
			t.Fatal(err)
		}
		for row := range part.Frame.Rows() {
			if v := part.Verbatim; v != nil {
				kept = append(kept, v.Schema.Fields[0].Levels[v.Columns[0].Code(row)])
			}
		}
		if all == nil {
			all = part.Frame
		} else if all, err = data.Concat(all, part.Frame); err != nil {
			t.Fatal(err)
		}
	}
	return all, kept
}
