package parquetdata

import (
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data/table"
)

// put appends a value that is not null.
type put func(c *table.Column, v *parquet.Value)

// kind is what becomes of a column of the file.
type kind struct {
	typed   table.Type
	put     put
	short   bool   // the numbers are float32
	plain   bool   // the numbers are float64 or int64, as they stand
	problem string // what the column is if it has no place in a table
}

func numbers(p put) kind { return kind{typed: table.TypedNumbers, put: p} }

func texts(p put) kind { return kind{typed: table.TypedTexts, put: p} }

// kindOf returns the kind of a column by its schema element.
func kindOf(e *format.SchemaElement) kind {
	if !e.Type.Valid {
		switch e.LogicalType.Value.(type) {
		case *format.ListType:
			return kind{problem: "a list"}
		case *format.MapType:
			return kind{problem: "a map"}
		}
		return kind{problem: "a group of columns"}
	}
	physical := parquet.Kind(e.Type.V)
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
		if physical != parquet.FixedLenByteArray || e.TypeLength.V != 2 {
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
func converted(e *format.SchemaElement, physical parquet.Kind) kind {
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
func plain(physical parquet.Kind) kind {
	switch physical {
	case parquet.Boolean:
		return texts(func(c *table.Column, v *parquet.Value) { c.AppendBool(v.Boolean()) })
	case parquet.Int32:
		return numbers(func(c *table.Column,
			v *parquet.Value) {
			c.AppendInteger(int64(v.Int32()))
		})
	case parquet.Int64:
		return kind{typed: table.TypedNumbers, plain: true,
			put: func(c *table.Column, v *parquet.Value) { c.AppendInteger(v.Int64()) }}
	case parquet.Int96:
		return kind{typed: table.TypedDates, put: putInt96}
	case parquet.Float:
		return kind{typed: table.TypedNumbers, short: true,
			put: func(c *table.Column, v *parquet.Value) { c.AppendNumber(float64(v.Float())) }}
	case parquet.Double:
		return kind{typed: table.TypedNumbers, plain: true,
			put: func(c *table.Column, v *parquet.Value) { c.AppendNumber(v.Double()) }}
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return texts(func(c *table.Column, v *parquet.Value) { c.AppendText(v.ByteArray()) })
	}
	return kind{problem: "of an unknown type"}
}

func unsigned(physical parquet.Kind) kind {
	switch physical {
	case parquet.Int32:
		return numbers(func(c *table.Column,
			v *parquet.Value) {
			c.AppendInteger(int64(v.Uint32()))
		})
	case parquet.Int64:
		return numbers(func(c *table.Column, v *parquet.Value) { c.AppendUnsigned(v.Uint64()) })
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
func dates(physical parquet.Kind, unit time.Duration) kind {
	return times(physical, table.TypedDates,
		func(c *table.Column, v int64) { c.AppendDate(v, unit) })
}

// durations returns the kind of times of the day that count units since midnight.
func durations(physical parquet.Kind, unit time.Duration) kind {
	return times(physical, table.TypedNumbers,
		func(c *table.Column, v int64) { c.AppendNumber(table.Microseconds(v, unit)) })
}

func times(physical parquet.Kind, typed table.Type, put func(*table.Column, int64)) kind {
	switch physical {
	case parquet.Int32:
		return kind{typed: typed, put: func(c *table.Column,
			v *parquet.Value) {
			put(c, int64(v.Int32()))
		}}
	case parquet.Int64:
		return kind{typed: typed, put: func(c *table.Column,
			v *parquet.Value) {
			put(c, v.Int64())
		}}
	}
	return kind{problem: "a time of an unknown type"}
}

// putInt96 appends an old timestamp: nanoseconds of the day, then the Julian day.
func putInt96(c *table.Column, v *parquet.Value) {
	const epoch = 2440588 // the Julian day of 1970-01-01
	t := v.Int96()
	nanoseconds := int64(uint64(t[1])<<32 | uint64(t[0]))
	days := int64(t[2]) - epoch
	c.AppendDate(days*int64(day/time.Microsecond)+nanoseconds/int64(time.Microsecond),
		time.Microsecond)
}

// decimals returns the kind of integers that are divided by a power of ten.
func decimals(physical parquet.Kind, scale int) kind {
	if scale < 0 || scale > 1000 {
		return kind{problem: "a decimal of an unusable scale"}
	}
	switch physical {
	case parquet.Int32:
		return numbers(func(c *table.Column,
			v *parquet.Value) {
			c.AppendNumber(table.Decimal(int64(v.Int32()), scale))
		})
	case parquet.Int64:
		return numbers(func(c *table.Column,
			v *parquet.Value) {
			c.AppendNumber(table.Decimal(v.Int64(), scale))
		})
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return numbers(func(c *table.Column,
			v *parquet.Value) {
			c.AppendNumber(table.BigDecimal(v.ByteArray(), scale))
		})
	}
	return kind{problem: "a decimal of an unknown type"}
}

func putFloat16(c *table.Column, v *parquet.Value) {
	c.AppendNumber(table.Float16(binary.LittleEndian.Uint16(v.ByteArray())))
}

// putUUID appends 16 bytes as 8-4-4-4-12 hexadecimal digits.
func putUUID(c *table.Column, v *parquet.Value) {
	b := v.ByteArray()
	text := hex.AppendEncode(nil, b[:4])
	for _, part := range [][]byte{b[4:6], b[6:8], b[8:10], b[10:16]} {
		text = hex.AppendEncode(append(text, '-'), part)
	}
	c.AppendText(text)
}
