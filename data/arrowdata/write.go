package arrowdata

import (
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/coppice-ml/coppice/data"
)

// Write writes a table as a stream of Arrow IPC, of one record batch: numbers as float64,
// categories and texts as utf8, and dates as timestamps in microseconds UTC. Missing values are
// null, and so are categories that the dictionary of a column does not have. The error is that of
// w.
func Write(w io.Writer, f *data.Frame) error {
	fields := make([]arrow.Field, len(f.Columns))
	for i := range f.Schema.Fields {
		s := &f.Schema.Fields[i]
		fields[i] = arrow.Field{Name: s.Name, Type: typeOf(s), Nullable: true}
	}
	schema := arrow.NewSchema(fields, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	for i := range f.Columns {
		appendColumn(builder.Field(i), &f.Schema.Fields[i], &f.Columns[i])
	}
	batch := builder.NewRecordBatch()
	defer batch.Release()
	out := ipc.NewWriter(w, ipc.WithSchema(schema))
	if err := out.Write(batch); err != nil {
		return err
	}
	return out.Close()
}

// typeOf returns the type that a column is written as.
func typeOf(f *data.Field) arrow.DataType {
	switch {
	case f.Kind.HasLevels():
		return arrow.BinaryTypes.String
	case f.Kind == data.Date:
		return arrow.FixedWidthTypes.Timestamp_us
	}
	return arrow.PrimitiveTypes.Float64
}

// appendColumn appends the values of a column.
func appendColumn(b array.Builder, f *data.Field, c *data.Column) {
	b.Reserve(c.Len())
	if texts, is := b.(*array.StringBuilder); is {
		for row := range c.Len() {
			if code := c.Code(row); int64(code) < int64(len(f.Levels)) {
				texts.Append(f.Levels[code])
			} else {
				texts.AppendNull()
			}
		}
		return
	}
	for _, v := range c.Numbers() {
		switch b := b.(type) {
		case *array.Float64Builder:
			if math.IsNaN(v) {
				b.AppendNull()
			} else {
				b.Append(v)
			}
		case *array.TimestampBuilder:
			if math.Abs(v) < 1<<63 { // neither missing nor infinite
				b.Append(arrow.Timestamp(v))
			} else {
				b.AppendNull()
			}
		}
	}
}
