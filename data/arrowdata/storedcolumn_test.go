package arrowdata

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// numberBatches returns a stream of plain numbers and nulls, and a text beside them.
func numberBatches(t *testing.T, options ...ipc.Option) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "text", Type: arrow.BinaryTypes.String}, {Name: "i", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "s", Type: arrow.PrimitiveTypes.Float32, Nullable: true}, {Name: "k", Type: arrow.PrimitiveTypes.Int32}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	var file bytes.Buffer
	w := ipc.NewWriter(&file, append(options, ipc.WithSchema(schema))...)
	odd := math.Float64frombits(0x7ff8_0000_0000_0123) // a NaN of other bits
	for i := range 100 {
		v, valid := float64(i)/3, []bool{i < 40 || i%3 > 0} // the first batch has no null
		if i%17 == 0 {
			v = odd
		}
		b.Field(0).(*array.Float64Builder).AppendValues([]float64{v}, valid)
		b.Field(1).(*array.StringBuilder).Append(fmt.Sprint("t", i))
		b.Field(2).(*array.Int64Builder).AppendValues([]int64{1<<53 - 90 + int64(i)}, valid)
		b.Field(3).(*array.Float32Builder).AppendValues([]float32{float32(v)}, valid)
		b.Field(4).(*array.Int32Builder).Append(int32(-i))
		if i%40 == 39 || i == 99 {
			if err := w.Write(b.NewRecordBatch()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// Numbers that are read from where they stand, those of the decoder that are appended at once, and
// those that are appended one by one, as they may mean a missing value, are the same with the same
// notes.
func TestStoredNumbers(t *testing.T) {
	read := func(o data.ReadOptions, b []byte) (*data.Frame, string) {
		notes := ""
		o.Log = func(format string, args ...any) { notes += fmt.Sprintf(format+"\n", args...) }
		o.Ignore = []string{"text"}
		f, err := readBytes(t.Context(), o, "a", b)
		if err != nil {
			t.Fatal(err)
		}
		return f, notes
	}
	stored := numberBatches(t)
	want, notes := read(data.ReadOptions{Missing: []string{"-12345"}}, stored)
	if notes == "" || want.Rows() != 100 {
		t.Fatalf("%d rows, notes %q", want.Rows(), notes)
	}
	for name, b := range map[string][]byte{"stored": stored, "decoded": numberBatches(t, ipc.WithLZ4())} {
		for _, threads := range []int{1, 3} {
			got, found := read(data.ReadOptions{Threads: threads}, b)
			tabletest.Same(t, got, want, 0)
			if found != notes {
				t.Errorf("%s: notes\n%s\nwant\n%s", name, found, notes)
			}
			if x := got.Columns[0].Number(0); math.Float64bits(x) != math.Float64bits(math.NaN()) {
				t.Errorf("%s: a missing value has the bits %x", name, math.Float64bits(x))
			}
		}
	}
}
