package arrowdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/coppice-ml/coppice/internal/table"
)

// kind is what becomes of a column of the file.
type kind struct {
	typed   table.Type
	short   bool   // the numbers are float32 or float16
	problem string // what the column is if it has no place in a table
}

func kindOf(t arrow.DataType) kind {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return kindOf(t.ValueType)
	case arrow.ExtensionType:
		return kindOf(t.StorageType())
	}
	switch t.ID() {
	case arrow.NULL, arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16,
		arrow.UINT32, arrow.UINT64, arrow.FLOAT64,
		arrow.DECIMAL32, arrow.DECIMAL64, arrow.DECIMAL128, arrow.DECIMAL256, arrow.TIME32,
		arrow.TIME64, arrow.DURATION:
		return kind{typed: table.TypedNumbers}
	case arrow.DATE32, arrow.DATE64, arrow.TIMESTAMP:
		return kind{typed: table.TypedDates}
	case arrow.FLOAT16, arrow.FLOAT32:
		return kind{typed: table.TypedNumbers, short: true}
	case arrow.BOOL, arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW,
		arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return kind{typed: table.TypedTexts}
	case arrow.LIST, arrow.LARGE_LIST, arrow.LIST_VIEW, arrow.LARGE_LIST_VIEW,
		arrow.FIXED_SIZE_LIST:
		return kind{problem: "a list"}
	case arrow.STRUCT:
		return kind{problem: "a struct"}
	case arrow.MAP:
		return kind{problem: "a map"}
	case arrow.SPARSE_UNION, arrow.DENSE_UNION:
		return kind{problem: "a union"}
	case arrow.INTERVAL_MONTHS, arrow.INTERVAL_DAY_TIME, arrow.INTERVAL_MONTH_DAY_NANO:
		return kind{problem: "an interval of months and days"}
	case arrow.RUN_END_ENCODED:
		return kind{problem: "run-end encoded"}
	}
	return kind{problem: "of an unknown type"}
}

// field is a column of the schema.
type field struct {
	name  string // with those of the structs around it before it, and points between them
	path  []int
	typed arrow.DataType
}

// columnsOf appends the columns of some fields. The fields of a struct are columns, unless the
// struct is ignored: then it is one. Schemas are checked for how deep they are before.
func columnsOf(
	all []field, prefix string, path []int, fields []arrow.Field, ignored func(name string) bool,
) []field {
	for i := range fields {
		f := field{prefix + fields[i].Name, append(slices.Clone(path), i), fields[i].Type}
		of, nested := f.typed.(*arrow.StructType)
		if nested && of.NumFields() > 0 && !ignored(f.name) {
			all = columnsOf(all, f.name+".", f.path, of.Fields(), ignored)
		} else {
			all = append(all, f)
		}
	}
	return all
}

// appendValues appends the values of a batch, which should be as many as it has rows. A value is
// null where a struct around it is.
func (c *column) appendValues(batch arrow.RecordBatch) error {
	a, rows := batch.Column(c.path[0]), int(batch.NumRows())
	var around []arrow.Array
	for _, at := range c.path[1:] {
		of, ok := a.(*array.Struct)
		if !ok || at >= of.NumField() {
			return errType
		}
		around, a = append(around, a), of.Field(at)
	}
	for _, a := range append(around, a) {
		if a.Len() != rows {
			return fmt.Errorf("a column has %d values, its batch %d rows", a.Len(), rows)
		}
	}
	c.to.Grow(rows)
	if d := a.Data(); len(around) == 0 && d.Offset() == 0 && c.to.Plain() {
		if form := formOf(a.DataType()); form != table.NoForm && rows > 0 {
			valid := a.NullBitmapBytes()
			if a.NullN() == 0 {
				valid = nil
			}
			appendNumbers(c.to, rows, form, d.Buffers()[1].Bytes()[:rows*form.Width()], valid)
			return nil
		}
	}
	put, err := newPut(c.to, a)
	if err != nil {
		return err
	}
	for i := range rows {
		null := a.IsNull(i)
		for _, of := range around {
			null = null || of.IsNull(i)
		}
		if null {
			c.to.AppendMissing()
		} else {
			put(i)
		}
	}
	return nil
}

var errType = errors.New("a column is not of the type that the schema declares")

// newPut returns the function that appends the value at a position, which is not null.
func newPut(c *table.Column, a arrow.Array) (func(int), error) {
	switch a := a.(type) {
	case *array.Null:
		return func(int) { c.AppendMissing() }, nil
	case array.ExtensionArray:
		return newPut(c, a.Storage())
	case *array.Dictionary:
		values := a.Dictionary()
		put, err := newPut(c, values)
		return func(i int) {
			if at := a.GetValueIndex(i); values.IsNull(at) {
				c.AppendMissing()
			} else {
				put(at)
			}
		}, err
	case *array.Boolean:
		return func(i int) { c.AppendBool(a.Value(i)) }, nil
	case array.StringLike:
		return func(i int) { c.AppendText([]byte(a.Value(i))) }, nil
	case interface{ Value(int) []byte }: // all kinds of binary values
		return func(i int) { c.AppendText(a.Value(i)) }, nil
	}
	if put := newPutNumber(c, a); put != nil {
		return put, nil
	}
	if put := newPutTime(c, a); put != nil {
		return put, nil
	}
	return nil, errType
}

func newPutNumber(c *table.Column, a arrow.Array) func(int) {
	switch a := a.(type) {
	case *array.Int8:
		return func(i int) { c.AppendInteger(int64(a.Value(i))) }
	case *array.Int16:
		return func(i int) { c.AppendInteger(int64(a.Value(i))) }
	case *array.Int32:
		return func(i int) { c.AppendInteger(int64(a.Value(i))) }
	case *array.Int64:
		return func(i int) { c.AppendInteger(a.Value(i)) }
	case *array.Uint8:
		return func(i int) { c.AppendInteger(int64(a.Value(i))) }
	case *array.Uint16:
		return func(i int) { c.AppendInteger(int64(a.Value(i))) }
	case *array.Uint32:
		return func(i int) { c.AppendInteger(int64(a.Value(i))) }
	case *array.Uint64:
		return func(i int) { c.AppendUnsigned(a.Value(i)) }
	case *array.Float16:
		return func(i int) { c.AppendNumber(table.Float16(a.Value(i).Uint16())) }
	case *array.Float32:
		return func(i int) { c.AppendNumber(float64(a.Value(i))) }
	case *array.Float64:
		return func(i int) { c.AppendNumber(a.Value(i)) }
	}
	t, ok := a.DataType().(arrow.DecimalType)
	if !ok {
		return nil
	}
	scale := int(t.GetScale())
	switch a := a.(type) {
	case *array.Decimal32:
		return func(i int) { c.AppendDecimal(int64(a.Value(i)), scale) }
	case *array.Decimal64:
		return func(i int) { c.AppendDecimal(int64(a.Value(i)), scale) }
	case *array.Decimal128:
		return func(i int) {
			v := a.Value(i)
			c.AppendBigDecimal(bigEndian(v.LowBits(), uint64(v.HighBits())), scale)
		}
	case *array.Decimal256:
		return func(i int) {
			v := a.Value(i).Array()
			c.AppendBigDecimal(bigEndian(v[:]...), scale)
		}
	}
	return nil
}

// bigEndian returns the bytes of an integer whose lowest 64 bits come first. The decoder's own
// conversion truncates the words where a machine word has 32 bits.
func bigEndian(words ...uint64) []byte {
	b := make([]byte, 0, 8*len(words))
	for _, w := range slices.Backward(words) {
		b = binary.BigEndian.AppendUint64(b, w)
	}
	return b
}

func newPutTime(c *table.Column, a arrow.Array) func(int) {
	switch a := a.(type) {
	case *array.Date32:
		return func(i int) { c.AppendDate(int64(a.Value(i)), 24*time.Hour) }
	case *array.Date64:
		return func(i int) { c.AppendDate(int64(a.Value(i)), time.Millisecond) }
	}
	t, ok := a.DataType().(arrow.TemporalWithUnit)
	if !ok {
		return nil
	}
	unit := t.TimeUnit().Multiplier()
	switch a := a.(type) {
	case *array.Timestamp:
		return func(i int) { c.AppendDate(int64(a.Value(i)), unit) }
	case *array.Time32:
		return func(i int) { c.AppendNumber(table.Microseconds(int64(a.Value(i)), unit)) }
	case *array.Time64:
		return func(i int) { c.AppendNumber(table.Microseconds(int64(a.Value(i)), unit)) }
	case *array.Duration:
		return func(i int) { c.AppendNumber(table.Microseconds(int64(a.Value(i)), unit)) }
	}
	return nil
}
