package csvdata

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
)

// readBlocks reads as readText does, but in blocks of rows, which it puts together, twice.
func readBlocks(t *rapid.T, o Options, sources []source.Source, block, segment, threads int) (got outcome) {
	o.Threads = threads
	o.Log = func(format string, args ...any) { got.notes = append(got.notes, fmt.Sprintf(format, args...)) }
	b, err := o.blocks(t.Context(), sources, block, segment)
	if err != nil {
		got.err = err.Error()
		return got
	}
	for range 2 {
		var all *data.Frame
		for part, err := range b.Blocks(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for row := range part.Rows() {
				if was, is := part.Frame.Locate(row), b.Locate(part.First+row); was != is {
					t.Fatalf("row %d is at %s and %s", part.First+row, was, is)
				}
			}
			if all == nil {
				all = part.Frame
			} else if all, err = data.Concat(all, part.Frame); err != nil {
				t.Fatal(err)
			}
		}
		if all.Rows() != b.Rows() {
			t.Fatalf("%d rows of %d", all.Rows(), b.Rows())
		}
		all.Origin = b.Outline().Origin
		got.table = &data.RowBlock{Frame: all}
	}
	return got
}

// A table that is read in blocks is that of reading it at once, with its notes and errors.
func TestBlocksAreTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := generated(t, 120)
		block, segment := rapid.IntRange(1, 300).Draw(t, "block"), rapid.IntRange(1, 5).Draw(t, "segment")
		threads := rapid.IntRange(1, 3).Draw(t, "threads")
		sources := func() []source.Source { return []source.Source{source.Bytes("t.csv", []byte(text))} }
		var o Options
		switch rapid.IntRange(0, 4).Draw(t, "options") {
		case 0:
			o.Categorical, o.Ignore = []string{"a"}, []string{"b"}
		case 1:
			o.Numeric = []string{"a"}
		case 2:
			o.Dates = map[string]data.DateFormat{"c": data.YearFirst}
		}
		want := readText(t.Context(), o, sources(), block, threads)
		got := readBlocks(t, o, sources(), block, segment, threads)
		if diff := got.differs(want); diff != "" {
			t.Fatalf("of %q\n%s", text, diff)
		}
	})
}

// A file that grows or shrinks between two passes is an error.
func TestBlocksOfAChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a,b\n1,x\n2,y\n")
	b, err := Open(Options{}, path).Blocks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write("a,b\n1,x\n")
	for _, err = range b.Blocks(t.Context()) {
	}
	if err == nil || !strings.Contains(err.Error(), "t.csv: the file changed while it was read") {
		t.Error(err)
	}
}

// roads are the ways to read a table.
var roads = map[string]func(ctx context.Context, t data.Table) error{
	"frame": func(ctx context.Context, t data.Table) error {
		_, err := t.Frame(ctx)
		return err
	},
	"blocks": func(ctx context.Context, t data.Table) error {
		_, err := t.Blocks(ctx)
		return err
	},
	"stream": func(ctx context.Context, t data.Table) (err error) {
		for _, err = range t.Stream(ctx) {
		}
		return err
	},
}

// Letters, digits, control characters and what numbers and quotes are made of cannot separate
// fields, on no road. Every other character of ASCII can.
func TestSeparators(t *testing.T) {
	refused := "\"+-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\x7f"
	for c := 1; c < 256; c++ {
		o := Options{Comma: byte(c)}
		o.Schema = &data.Schema{Fields: []data.Field{{Name: "0"}, {Name: "1"}}}
		o.Bytes = map[string][]byte{"t.csv": {'0', byte(c), '1', '\n', '2', byte(c), '3', '\n'}}
		good := c < 0x80 && strings.IndexByte(refused, byte(c)) < 0 && (c >= ' ' || c == '\t')
		for road, read := range roads {
			err := read(t.Context(), Open(o, "t.csv"))
			if want := fmt.Sprintf("%q cannot separate fields", byte(c)); good != (err == nil) ||
				err != nil && (!errors.Is(err, data.ErrOption) || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v, good %v", road, err, good)
			}
		}
	}
}

// Tables are those of a schema, with verbatim columns; without a schema there are none.
func TestTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("id,a\np,1\nq,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{ReadOptions: data.ReadOptions{Verbatim: []string{"id"}}}
	for _, err := range Open(o, path).Stream(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "depend on all rows") {
			t.Error(err)
		}
	}
	o.Schema = &data.Schema{Fields: []data.Field{{Name: "a"}}}
	var got []string
	for part, err := range Open(o, path).Stream(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for row := range part.Frame.Rows() {
			v := part.Verbatim
			got = append(got, v.Schema.Fields[0].Levels[v.Columns[0].Code(row)], fmt.Sprint(part.Frame.Columns[0].Number(row)))
		}
	}
	if diff := cmp.Diff([]string{"p", "1", "q", "2"}, got); diff != "" {
		t.Error(diff)
	}
}

// Rows of a stream stand where they do in the whole table, in whichever segment and file they are.
func TestPlacesOfStreamedRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sources []source.Source
		for k := range rapid.IntRange(1, 3).Draw(t, "files") {
			text := "a,b\n"
			for range rapid.IntRange(max(0, 1-k), 25).Draw(t, "rows") {
				text += rapid.SampledFrom([]string{"1,x\n", "22,\"y\n\nz\"\n", "3,w\n\n", "4,\"v\nv\"\n"}).Draw(t, "row")
			}
			sources = append(sources, source.Bytes(fmt.Sprint("t", k, ".csv"), []byte(text)))
		}
		o := Options{}
		o.Schema = &data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b", Kind: data.Categorical, Levels: []string{"x"}}}}
		whole := readText(t.Context(), o, sources, 1<<20, 1)
		if whole.err != "" {
			t.Fatal(whole.err)
		}
		rows := 0
		block, segment := rapid.IntRange(1, 60).Draw(t, "block"), rapid.IntRange(1, 4).Draw(t, "segment")
		o.Threads = rapid.IntRange(1, 3).Draw(t, "threads")
		err := o.stream(t.Context(), sources, block, segment, func(part *data.RowBlock) bool {
			if part.First != rows || part.Rows() == 0 {
				t.Fatalf("a segment of %d rows begins at row %d, want %d", part.Rows(), part.First, rows)
			}
			for row := range part.Rows() {
				if got, want := part.Frame.Locate(row), whole.table.Frame.Locate(rows+row); got != want {
					t.Fatalf("row %d is at %s, want %s", rows+row, got, want)
				}
				if got, want := part.Frame.Columns[0].Number(row), whole.table.Frame.Columns[0].Number(rows+row); got != want {
					t.Fatalf("row %d has %v, want %v", rows+row, got, want)
				}
			}
			rows += part.Rows()
			return true
		})
		if err != nil || rows != whole.table.Frame.Rows() {
			t.Fatalf("%d rows of %d, %v", rows, whole.table.Frame.Rows(), err)
		}
	})
}

// Columns that turn categorical are counted: what was read before a turn, by other goroutines, is
// read again.
func TestTurnsAreCounted(t *testing.T) {
	for text, want := range map[string]int{"a,b\n1,2\n3,4\n": 0, "a,b\n1,2\nx,4\n": 1, "a,b\n1,2\nx,y\nz,w\n": 2} {
		sources := []source.Source{source.Bytes("t.csv", []byte(text))}
		r := (&Options{ReadOptions: data.ReadOptions{Threads: 1}}).segments(sources, 1<<10, 1).t
		if err := r.readAll(t.Context(), sources, 1<<10); err != nil || r.turns != want {
			t.Errorf("%q: %d turns, want %d, %v", text, r.turns, want, err)
		}
	}
}
