package arrowdata

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func reader(t testing.TB, name string) tabletest.Reader {
	return tabletest.Reader{Open: Open, Sniff: Sniff, Name: name, Binary: true,
		File: tabletest.Stored(t, name), Want: want(),
		Number: "size", Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "fresh", Line: 2, Texts: texts}
}

// texts returns a file of one column of texts.
func texts(t testing.TB, column string, texts []string) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: column, Type: arrow.BinaryTypes.String}}, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	builder.Field(0).(*array.StringBuilder).AppendValues(texts, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	if err := w.Write(builder.NewRecordBatch()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReader(t *testing.T) {
	tier.NotShort(t, "reads thousands of mutants in threads")
	file := reader(t, "lz4.arrow")
	file.Sealed = true
	t.Run("file", file.Run)
	t.Run("stream", reader(t, "plain.arrows").Run)
}

// The library's writer of today and of the day when testdata was written agree.
func TestFiles(t *testing.T) {
	for name, b := range files(t) {
		versions := map[string][]byte{"stored": tabletest.Stored(t, name), "written now": b}
		if bits.UintSize == 32 {
			// the library's writer truncates the words of large decimals there
			delete(versions, "written now")
		}
		for what, b := range versions {
			f, err := readBytes(t.Context(), data.ReadOptions{}, name, b)
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
			} else if got := tabletest.Render(f); got != want() {
				t.Errorf("%s, %s: got\n%swant\n%s", name, what, got, want())
			}
		}
	}
}

func TestNested(t *testing.T) {
	types := map[string]struct {
		typ    arrow.DataType
		values string
		what   string
	}{
		"list":   {arrow.ListOf(arrow.PrimitiveTypes.Int8), `[[1, 2], null]`, "a list"},
		"group":  {arrow.StructOf(arrow.Field{Name: "y", Type: arrow.ListOf(arrow.PrimitiveTypes.Int8)}), `[{"y": [1]}, null]`, ""},
		"map":    {arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int8), `[[{"key": "k", "value": 1}], null]`, "a map"},
		"months": {arrow.FixedWidthTypes.MonthInterval, `[{"months": 1}, null]`, "an interval of months and days"},
		"x":      {arrow.PrimitiveTypes.Float64, `[1, 2]`, ""},
	}
	var fields []arrow.Field
	var columns []arrow.Array
	var bad []string
	for name, c := range types {
		a, _, err := array.FromJSON(memory.DefaultAllocator, c.typ, strings.NewReader(c.values))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fields, columns = append(fields, arrow.Field{Name: name, Type: c.typ, Nullable: true}),
			append(columns, a)
		if c.what != "" {
			bad = append(bad, name)
		}
	}
	schema := arrow.NewSchema(fields, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	if err := w.Write(array.NewRecordBatch(schema, columns, 2)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for i, name := range bad {
		o := data.ReadOptions{Ignore: append(append([]string{"group"}, bad[:i]...), bad[i+1:]...)}
		_, err := readBytes(t.Context(), o, "n", b.Bytes())
		want := fmt.Sprintf("n: column %q: is %s, which has no place in a table (ignore the column)", name, types[name].what)
		if err == nil || err.Error() != want || !errors.Is(err, data.ErrType) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err := readBytes(t.Context(), data.ReadOptions{Ignore: bad}, "n", b.Bytes())
	if want := `n: column "group.y": is a list, which has no place in a table (ignore the column)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	f, err := readBytes(t.Context(), data.ReadOptions{Ignore: append(bad, "group")}, "n", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(f), "x 1 2\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The fields of structs are columns, whose values are missing where a struct around them is.
func TestStructs(t *testing.T) {
	inner := arrow.StructOf(arrow.Field{Name: "town", Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: "zip", Type: arrow.PrimitiveTypes.Int32})
	outer := arrow.StructOf(arrow.Field{Name: "at", Type: inner, Nullable: true},
		arrow.Field{Name: "size", Type: arrow.PrimitiveTypes.Float32, Nullable: true})
	a, _, err := array.FromJSON(memory.DefaultAllocator, outer, strings.NewReader(
		`[{"at": {"town": "Ulm", "zip": 5}, "size": 1.5}, null, {"at": null, "size": 2}, {"at": {"town": null, "zip": 7}, "size": null}]`))
	if err != nil {
		t.Fatal(err)
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "home", Type: outer, Nullable: true}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	part := array.NewRecordBatch(schema, []arrow.Array{array.NewSlice(a, 2, 4)}, 2) // whose arrays begin later
	if err := errors.Join(w.Write(array.NewRecordBatch(schema, []arrow.Array{a}, 4)), w.Write(part), w.Close()); err != nil {
		t.Fatal(err)
	}
	for ignored, want := range map[string]string{
		"":             "home.at.town Ulm - - - - - {Ulm}\nhome.at.zip 5 - - 7 - 7\nhome.size 1.5 - 2 - 2 -\n",
		"home.at":      "home.size 1.5 - 2 - 2 -\n",
		"home.at.town": "home.at.zip 5 - - 7 - 7\nhome.size 1.5 - 2 - 2 -\n",
	} {
		o := data.ReadOptions{}
		if ignored != "" {
			o.Ignore = []string{ignored}
		}
		f, err := readBytes(t.Context(), o, "s", b.Bytes())
		if err != nil {
			t.Errorf("without %q: %v", ignored, err)
		} else if got := tabletest.Render(f); got != want {
			t.Errorf("without %q: got\n%swant\n%s", ignored, got, want)
		}
	}
}

func TestOldFeather(t *testing.T) {
	if _, err := readBytes(t.Context(), data.ReadOptions{}, "f", []byte("FEA1....FEA1")); !errors.Is(err, data.ErrFormat) ||
		!strings.Contains(err.Error(), "version 1") {
		t.Errorf("got %v", err)
	}
}

// readBytes reads a table from memory.
func readBytes(
	ctx context.Context, o data.ReadOptions, name string, b []byte,
) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: b}
	return Open(o, name).Frame(ctx)
}
