package arrowdata

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// sample lists the columns of the files in testdata: type, values as array.FromJSON reads them, and
// what they are to a table.
var sample = []struct {
	name   string
	typ    arrow.DataType
	values string
	want   string
}{
	{"size", arrow.PrimitiveTypes.Float64, `[1.5, -2, null]`, "1.5 -2 -"},
	{"short", arrow.PrimitiveTypes.Float32, `[0.1, 2, -3]`, "0.10000000149011612 2 -3"},
	{"half", arrow.FixedWidthTypes.Float16, `[0.5, 65504, -2]`, "0.5 65504 -2"},
	{"tiny", arrow.PrimitiveTypes.Int8, `[-128, 0, 127]`, "-128 0 127"},
	{"word", arrow.PrimitiveTypes.Uint16, `[0, null, 65535]`, "0 - 65535"},
	{"count", arrow.PrimitiveTypes.Int64, `[7, 9007199254740993, -7]`, "7 9.007199254740992e+15 -7"},
	{"large", arrow.PrimitiveTypes.Uint64, `[18446744073709551615, 0, 1]`, "1.8446744073709552e+19 0 1"},
	{"color", arrow.BinaryTypes.String, `["red", null, " "]`, "red - - {red}"},
	{"long", arrow.BinaryTypes.LargeString, `["b", "a", "b"]`, "b a b {a|b}"},
	{"view", arrow.BinaryTypes.StringView, `["b", "a text of more than twelve bytes", null]`, "b a text of more than twelve bytes - {a text of more than twelve bytes|b}"},
	{"coded", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, `["y", null, "x"]`, "y - x {x|y}"},
	{"counted", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16, ValueType: arrow.PrimitiveTypes.Int32}, `[5, 5, null]`, "5 5 -"},
	{"fresh", arrow.FixedWidthTypes.Boolean, `[true, false, null]`, "true false - {false|true}"},
	{"price", &arrow.Decimal128Type{Precision: 9, Scale: 2}, `["-19.99", "0.05", null]`, "-19.99 0.05 -"},
	{"huge", &arrow.Decimal256Type{Precision: 50, Scale: 1}, `["1844674407370955161.6", "1.5", "-0.2"]`, "1.8446744073709553e+18 1.5 -0.2"},
	{"day", arrow.FixedWidthTypes.Date32, `["1970-01-02", "1969-12-31", null]`, "1970-01-02 1969-12-31 - date"},
	{"date", arrow.FixedWidthTypes.Date64, `["1970-01-02", null, "1970-01-01"]`, "1970-01-02 - 1970-01-01 date"},
	{"then", arrow.FixedWidthTypes.Timestamp_ns, `[-1001, 1000002000, null]`, "1969-12-31T23:59:59.999998Z 1970-01-01T00:00:01.000002Z - date"},
	{"clock", arrow.FixedWidthTypes.Time32ms, `["00:00:01", "12:00:00", null]`, "1e+06 4.32e+10 -"},
	{"took", arrow.FixedWidthTypes.Duration_s, `[1, -1, null]`, "1e+06 -1e+06 -"},
	{"raw", arrow.BinaryTypes.Binary, `["eA==", "IHkg", null]`, "x  y  - { y |x}"},
	{"fixed", &arrow.FixedSizeBinaryType{ByteWidth: 1}, `["eA==", "eA==", "eQ=="]`, "x x y {x|y}"},
	{"nothing", arrow.Null, `[null, null, null]`, "- - -"},
}

// want is what the files of testdata hold, by tabletest.Render.
func want() string {
	var b strings.Builder
	for _, c := range sample {
		b.WriteString(c.name + " " + c.want + "\n")
	}
	return b.String()
}

// batch returns the sample as a record batch.
func batch(t testing.TB) arrow.RecordBatch {
	t.Helper()
	var fields []arrow.Field
	var columns []arrow.Array
	for _, c := range sample {
		a, _, err := array.FromJSON(memory.DefaultAllocator, c.typ, strings.NewReader(c.values))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		fields, columns = append(fields, arrow.Field{Name: c.name, Type: c.typ, Nullable: true}),
			append(columns, a)
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(columns[0].Len()))
}

// files returns the files of testdata: both forms, all codecs, and one with a batch for every row.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	made := map[string][]byte{}
	for name, options := range map[string][]ipc.Option{"plain": nil, "lz4": {ipc.WithLZ4()},
		"zstd": {ipc.WithZstd()}, "rows": nil} {
		whole := batch(t)
		batches := []arrow.RecordBatch{whole}
		if name == "rows" {
			batches = []arrow.RecordBatch{whole.NewSlice(0, 1), whole.NewSlice(1, 2),
				whole.NewSlice(2, 3)}
		}
		options = append(options, ipc.WithSchema(whole.Schema()), ipc.WithDictionaryDeltas(true))
		var file, stream bytes.Buffer
		f, err := ipc.NewFileWriter(&file, options...)
		if err != nil {
			t.Fatal(err)
		}
		s := ipc.NewWriter(&stream, options...)
		for _, b := range batches {
			if err := f.Write(b); err != nil {
				t.Fatal(err)
			}
			if err := s.Write(b); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range []interface{ Close() error }{f, s} {
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		made[name+".arrow"], made[name+".arrows"] = file.Bytes(), stream.Bytes()
	}
	return made
}

func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("-update writes testdata anew")
	}
	for name, b := range files(t) {
		if err := os.WriteFile(filepath.Join("testdata", name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
