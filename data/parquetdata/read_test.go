package parquetdata

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

func reader(t testing.TB, name string) tabletest.Reader {
	return tabletest.Reader{Open: Open, Sniff: Sniff, Name: name, Binary: true,
		File: tabletest.Stored(t, name), Want: want,
		Number: "size", Forced: "size 1.5 -2 - {-2|1.5}\n", Text: "fresh", Line: 2, Sealed: true,
		Texts: textFile}
}

// textFile returns a file of one column of texts.
func textFile(t testing.TB, column string, texts []string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewWriter(&b, parquet.NewSchema("t", parquet.Group{column: parquet.String()}))
	for _, text := range texts {
		if _, err := w.WriteRows([]parquet.Row{{parquet.ValueOf(text).Level(0, 0, 0)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReader(t *testing.T) { reader(t, "plain.parquet").Run(t) }

// The library's writer of today and of the day when testdata was written agree.
func TestFiles(t *testing.T) {
	for name, b := range files(t) {
		for what, b := range map[string][]byte{"stored": tabletest.Stored(t, name),
			"written now": b} {
			f, err := readBytes(t.Context(), data.ReadOptions{}, name, b)
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
			} else if got := tabletest.Render(f); got != want {
				t.Errorf("%s, %s: got\n%swant\n%s", name, what, got, want)
			}
		}
	}
}

// nested is a row with columns that have no place in a table.
type nested struct {
	X     float64         `parquet:"x"`
	List  []string        `parquet:"list,list"`
	Bare  []int32         `parquet:"bare"`
	Map   map[string]int  `parquet:"map"`
	Group struct{ Y int } `parquet:"group"`
	Deep  struct {
		Rest []int32 `parquet:"rest"`
	} `parquet:"deep"`
	Behind string `parquet:"behind"`
}

func TestNested(t *testing.T) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[nested](&b)
	if _, err := w.Write([]nested{{X: 1, List: []string{"a", "b"}, Bare: []int32{1, 2}, Map: map[string]int{"k": 1},
		Group: struct{ Y int }{3}, Behind: "c"}, {X: 2}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{"list": "a list", "bare": "a list", "map": "a map", "deep.rest": "a list"}
	var names []string
	for name, what := range bad {
		names = append(names, name)
		o := data.ReadOptions{}
		for other := range bad {
			if other != name {
				o.Ignore = append(o.Ignore, other)
			}
		}
		_, err := readBytes(t.Context(), o, "n", b.Bytes())
		want := fmt.Sprintf("n: column %q: is %s, which has no place in a table (ignore the column)", name, what)
		if err == nil || err.Error() != want || !errors.Is(err, data.ErrType) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	f, err := readBytes(t.Context(), data.ReadOptions{Ignore: names}, "n", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(f), "x 1 2\ngroup.Y 3 0\nbehind c - {c}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The columns of structs are columns, whose values are missing where a struct around them is.
func TestStructs(t *testing.T) {
	type town struct {
		Name *string `parquet:"name,optional"`
		Zip  int32   `parquet:"zip"`
	}
	type home struct {
		At   *town    `parquet:"at,optional"`
		Size *float64 `parquet:"size,optional"`
	}
	type row struct {
		Home *home `parquet:"home,optional"`
		N    int64 `parquet:"n"`
	}
	ulm, size := "Ulm", 1.5
	rows := []row{{&home{&town{&ulm, 5}, &size}, 1}, {nil, 2}, {&home{nil, &size}, 3}, {&home{&town{nil, 7}, nil}, 4}}
	for range 6 { // levels in many runs
		rows = append(rows, rows...)
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	times := func(values string) string { return strings.Repeat(values, 64) }
	sizes, zips := "home.size"+times(" 1.5 - 1.5 -")+"\n", "home.at.zip"+times(" 5 - - 7")+"\n"
	for ignored, want := range map[string]string{
		"":             "home.at.name" + times(" Ulm - - -") + " {Ulm}\n" + zips + sizes,
		"home.at":      sizes,
		"home.at.name": zips + sizes,
		"home":         "",
	} {
		o := data.ReadOptions{}
		if ignored != "" {
			o.Ignore = []string{ignored}
		}
		f, err := readBytes(t.Context(), o, "s", b.Bytes())
		if want += "n" + times(" 1 2 3 4") + "\n"; err != nil {
			t.Errorf("without %q: %v", ignored, err)
		} else if got := tabletest.Render(f); got != want {
			t.Errorf("without %q: got\n%swant\n%s", ignored, got, want)
		}
	}
}

// Structs far inside each other are one column, and a schema of other numbers of columns is
// damaged.
func TestDeepStructs(t *testing.T) {
	group := func(name string, children int32) format.SchemaElement {
		e := format.SchemaElement{Name: name}
		e.NumChildren.V, e.NumChildren.Valid = children, true
		return e
	}
	schema := []format.SchemaElement{group("root", 1)}
	for range 3 * deepest {
		schema = append(schema, group("g", 1))
	}
	leaf := format.SchemaElement{Name: "x"}
	leaf.Type.V, leaf.Type.Valid = format.Double, true
	columns := func(schema []format.SchemaElement) ([]element, error) {
		return columnsOf(&format.FileMetaData{Schema: schema}, func(string) bool { return false })
	}
	all, err := columns(append(schema, leaf))
	if err != nil || len(all) != 1 || len(all[0].name) != 2*deepest+1 || kindOf(all[0].SchemaElement).problem != ofStruct {
		t.Errorf("%d columns, %v", len(all), err)
	}
	if all, err := columns([]format.SchemaElement{group("root", 1), group("g", 2), leaf, leaf}); err != nil || len(all) != 2 || all[1].name != "g.x" || all[1].leaf != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	for i, bad := range [][]format.SchemaElement{nil, {leaf}, schema, {group("root", 2), leaf}, {group("root", 1), leaf, leaf},
		{group("root", 1), group("g", 2), leaf}, {group("root", -1)}, {group("root", 1), group("g", -1)}} {
		if all, err := columns(bad); err == nil {
			t.Errorf("schema %d: %d columns", i, len(all))
		}
	}
}

func TestFilesThatDiffer(t *testing.T) {
	write := func(name string, write func(*bytes.Buffer) error) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(t.TempDir())
	write("a", func(b *bytes.Buffer) error {
		return parquet.Write(b, []struct {
			X int64
			Y string
		}{{1, "a"}})
	})
	write("b", func(b *bytes.Buffer) error {
		return parquet.Write(b, []struct {
			Y string
			X float32
		}{{"b", 0.5}})
	})
	write("c", func(b *bytes.Buffer) error { return parquet.Write(b, []struct{ X int64 }{{1}}) })
	write("d",
		func(b *bytes.Buffer) error { return parquet.Write(b, []struct{ X, Y int64 }{{1, 2}}) })
	f, err := Open(data.ReadOptions{}, "a", "b").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(f), "X 1 0.5\nY a b {a|b}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for second, want := range map[string]string{"c": `c: there is no column "Y", which a has`,
		"d": `d: column "Y": holds numbers, in a it holds texts`} {
		if _, err := Open(data.ReadOptions{}, "a", second).Frame(t.Context()); err == nil ||
			err.Error() != want || !errors.Is(err, data.ErrHeader) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A walk over what the decoder would accept finds lists and texts that cannot be there.
func TestWalker(t *testing.T) {
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"empty":             {nil, io.ErrUnexpectedEOF},
		"nothing":           {[]byte{0}, nil},
		"an integer":        {[]byte{0x15, 0x02, 0}, nil},
		"a text":            {[]byte{0x18, 2, 'a', 'b', 0}, nil},
		"a text too long":   {[]byte{0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}, io.ErrUnexpectedEOF},
		"a list":            {[]byte{0x19, 0x25, 2, 4, 0}, nil},
		"a list too long":   {[]byte{0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0}, io.ErrUnexpectedEOF},
		"a map":             {[]byte{0x1b, 1, 0x55, 2, 4, 0}, nil},
		"a map too long":    {[]byte{0x1b, 0x7f, 0x55, 2, 4, 0}, io.ErrUnexpectedEOF},
		"an unknown type":   {[]byte{0x1e, 0}, errThrift},
		"a varint too long": {bytes.Repeat([]byte{0x15, 0xff}, 20), errThrift},
		"structs too deep":  {bytes.Repeat([]byte{0x1c}, 100), errThrift},
		"lists too deep":    {append([]byte{0x19}, bytes.Repeat([]byte{0x19}, 100)...), errThrift},
		"an open struct":    {[]byte{0x15, 0x02}, io.ErrUnexpectedEOF},
	} {
		w := walker{b: c.b}
		if err := w.skip(thriftStruct); err != c.want {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// readBytes reads a table from memory.
func readBytes(
	ctx context.Context, o data.ReadOptions, name string, b []byte,
) (*data.Frame, error) {
	o.Bytes = map[string][]byte{name: b}
	return Open(o, name).Frame(ctx)
}
