package parquetdata

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/internal/table"
)

// put appends a value that is not null.
type put func(c *table.Column, v *value)

// value is a value of a page: the bits of one of up to 8 bytes, or the bytes of any other.
type value struct {
	bits  uint64
	bytes []byte
}

// kind is what becomes of a column of the file.
type kind struct {
	typed   table.Type
	put     put
	short   bool       // the numbers are float32
	form    table.Form // of numbers that are those of the physical type, as they stand
	problem string     // what the column is if it has no place in a table
}

func numbers(p put) kind { return kind{typed: table.TypedNumbers, put: p} }

func texts(p put) kind { return kind{typed: table.TypedTexts, put: p} }

// ofStruct is the problem of a group that is neither a list nor a map, whose columns have none.
const ofStruct = "a group of columns"

// groupKind returns the kind of a group of columns.
func groupKind(e *format.SchemaElement) kind {
	switch e.LogicalType.Value.(type) {
	case *format.ListType:
		return kind{problem: "a list"}
	case *format.MapType:
		return kind{problem: "a map"}
	case *format.VariantType:
		return kind{problem: "a variant"}
	}
	if e.ConvertedType.Valid {
		switch e.ConvertedType.V {
		case deprecated.List:
			return kind{problem: "a list"}
		case deprecated.Map, deprecated.MapKeyValue:
			return kind{problem: "a map"}
		}
	}
	return kind{problem: ofStruct}
}

// kindOf returns the kind of a column by its schema element.
func kindOf(e *format.SchemaElement) kind {
	if e.RepetitionType.Valid && e.RepetitionType.V == format.Repeated {
		return kind{problem: "a list"}
	}
	if !e.Type.Valid {
		return groupKind(e)
	}
	physical := format.Type(e.Type.V)
	switch t := e.LogicalType.Value.(type) {
	case *format.DecimalType:
		return decimals(physical, int(t.Scale))
	case *format.DateType:
		return dates(physical, day)
	case *format.TimeType:
		return durations(physical, unit(t.Unit))
	case *format.TimestampType:
		return dates(physical, unit(t.Unit))
	case *format.IntType:
		if !t.IsSigned {
			return unsigned(physical)
		}
	case *format.UUIDType:
		if e.TypeLength.V != 16 {
			return kind{problem: "a UUID of other than 16 bytes"}
		}
		return texts(putUUID)
	case *format.Float16Type:
		if physical != format.FixedLenByteArray || e.TypeLength.V != 2 {
			return kind{problem: "a float16 of other than 2 bytes"}
		}
		return kind{typed: table.TypedNumbers, put: putFloat16, short: true}
	case *format.BsonType:
		return kind{problem: "BSON"}
	case *format.VariantType:
		return kind{problem: "a variant"}
	case *format.GeometryType, *format.GeographyType:
		return kind{problem: "a geometry"}
	}
	if e.ConvertedType.Valid && e.LogicalType.Value == nil {
		return converted(e, physical)
	}
	return plain(physical)
}

// converted returns the kind of a column of an older file, which has a converted type in place of a
// logical one.
func converted(e *format.SchemaElement, physical format.Type) kind {
	switch e.ConvertedType.V {
	case deprecated.Decimal:
		return decimals(physical, int(e.Scale.V))
	case deprecated.Date:
		return dates(physical, day)
	case deprecated.TimeMillis:
		return durations(physical, time.Millisecond)
	case deprecated.TimestampMillis:
		return dates(physical, time.Millisecond)
	case deprecated.TimeMicros:
		return durations(physical, time.Microsecond)
	case deprecated.TimestampMicros:
		return dates(physical, time.Microsecond)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return unsigned(physical)
	case deprecated.Bson:
		return kind{problem: "BSON"}
	case deprecated.Interval:
		return kind{problem: "an interval of months, days and milliseconds"}
	}
	return plain(physical)
}

// plain returns the kind of a physical type alone.
func plain(physical format.Type) kind {
	switch physical {
	case format.Boolean:
		return texts(func(c *table.Column, v *value) { c.AppendBool(v.bits != 0) })
	case format.Int32:
		return kind{typed: table.TypedNumbers, form: table.Int32,
			put: func(c *table.Column, v *value) { c.AppendInteger(int64(int32(v.bits))) }}
	case format.Int64:
		return kind{typed: table.TypedNumbers, form: table.Int64,
			put: func(c *table.Column, v *value) { c.AppendInteger(int64(v.bits)) }}
	case format.Int96:
		return kind{typed: table.TypedDates, put: putInt96}
	case format.Float:
		return kind{typed: table.TypedNumbers, short: true, form: table.Single,
			put: func(c *table.Column, v *value) { c.AppendNumber(float32At(v.bits)) }}
	case format.Double:
		return kind{typed: table.TypedNumbers, form: table.Double,
			put: func(c *table.Column, v *value) { c.AppendNumber(math.Float64frombits(v.bits)) }}
	case format.ByteArray, format.FixedLenByteArray:
		return texts(func(c *table.Column, v *value) { c.AppendText(v.bytes) })
	}
	return kind{problem: "of an unknown type"}
}

// float32At returns the number that the lower half of some bits is.
func float32At(bits uint64) float64 { return float64(math.Float32frombits(uint32(bits))) }

func unsigned(physical format.Type) kind {
	switch physical {
	case format.Int32:
		return numbers(func(c *table.Column,
			v *value) {
			c.AppendInteger(int64(uint32(v.bits)))
		})
	case format.Int64:
		return numbers(func(c *table.Column, v *value) { c.AppendUnsigned(v.bits) })
	}
	return kind{problem: "an integer of an unknown type"}
}

const day = 24 * time.Hour

func unit(u format.TimeUnit) time.Duration {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return time.Millisecond
	case *format.NanoSeconds:
		return time.Nanosecond
	}
	return time.Microsecond
}

// dates returns the kind of dates and timestamps that count units since 1970.
func dates(physical format.Type, unit time.Duration) kind {
	return times(physical, table.TypedDates,
		func(c *table.Column, v int64) { c.AppendDate(v, unit) })
}

// durations returns the kind of times of the day that count units since midnight.
func durations(physical format.Type, unit time.Duration) kind {
	return times(physical, table.TypedNumbers,
		func(c *table.Column, v int64) { c.AppendNumber(table.Microseconds(v, unit)) })
}

func times(physical format.Type, typed table.Type, put func(*table.Column, int64)) kind {
	switch physical {
	case format.Int32:
		return kind{typed: typed, put: func(c *table.Column,
			v *value) {
			put(c, int64(int32(v.bits)))
		}}
	case format.Int64:
		return kind{typed: typed, put: func(c *table.Column,
			v *value) {
			put(c, int64(v.bits))
		}}
	}
	return kind{problem: "a time of an unknown type"}
}

// putInt96 appends an old timestamp: nanoseconds of the day, then the Julian day, both with a sign.
// Spark writes microseconds so that days and rest overflow for years far away. They are right again
// where the sum overflows as Spark's does.
func putInt96(c *table.Column, v *value) {
	const epoch = 2440588 // the Julian day of 1970-01-01
	nanoseconds := int64(binary.LittleEndian.Uint64(v.bytes))
	days := int64(int32(binary.LittleEndian.Uint32(v.bytes[8:]))) - epoch
	micros := nanoseconds / int64(time.Microsecond)
	if nanoseconds%int64(time.Microsecond) < 0 {
		micros--
	}
	c.AppendDate(days*int64(day/time.Microsecond)+micros, time.Microsecond)
}

// decimals returns the kind of integers that are divided by a power of ten.
func decimals(physical format.Type, scale int) kind {
	if scale < 0 || scale > 1000 {
		return kind{problem: "a decimal of an unusable scale"}
	}
	switch physical {
	case format.Int32:
		return numbers(func(c *table.Column,
			v *value) {
			c.AppendDecimal(int64(int32(v.bits)), scale)
		})
	case format.Int64:
		return numbers(func(c *table.Column,
			v *value) {
			c.AppendDecimal(int64(v.bits), scale)
		})
	case format.ByteArray, format.FixedLenByteArray:
		return numbers(func(c *table.Column,
			v *value) {
			c.AppendBigDecimal(v.bytes, scale)
		})
	}
	return kind{problem: "a decimal of an unknown type"}
}

func putFloat16(c *table.Column, v *value) {
	c.AppendNumber(table.Float16(binary.LittleEndian.Uint16(v.bytes)))
}

// putUUID appends 16 bytes as 8-4-4-4-12 hexadecimal digits.
func putUUID(c *table.Column, v *value) {
	b := v.bytes
	text := hex.AppendEncode(nil, b[:4])
	for _, part := range [][]byte{b[4:6], b[6:8], b[8:10], b[10:16]} {
		text = hex.AppendEncode(append(text, '-'), part)
	}
	c.AppendText(text)
}
