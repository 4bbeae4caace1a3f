package data

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// NamedColumn is a column given as a Go slice.
type NamedColumn struct {
	Name string
	// Values is a slice. Floats and integers of any size make a numeric column, strings and
	// booleans a categorical one, and time.Time dates. Pointers to these (nil is a missing value)
	// sql.Null of these (not valid is), and types derived from them do so too. A time.Duration is a
	// number of microseconds. A []float64 or []float32 is used in place, everything else is copied.
	// NaN, the empty string and the zero Time are missing values.
	Values any
	// Categorical makes a categorical column of numbers and dates too: integers are written in base
	// 10, floats in the shortest decimal form, dates as DateText writes them.
	Categorical bool
	// Text makes a text column of strings, in the format of the defaults (see TextFormat). The
	// empty string is a text then; nil is a missing value.
	Text bool
}

// FromColumns makes a table from columns of equal length. Texts are trimmed and the dictionaries
// sorted; true and false become the categories "true" and "false".
func FromColumns(columns ...NamedColumn) (*Frame, error) {
	schema := Schema{Fields: make([]Field, len(columns))}
	made := make([]Column, len(columns))
	for i, c := range columns {
		if column, ok := inPlace(c.Values); ok && !c.Categorical && !c.Text {
			schema.Fields[i].Name, made[i] = c.Name, column
			continue
		}
		slice := reflect.ValueOf(c.Values)
		if slice.Kind() != reflect.Slice {
			return nil, fmt.Errorf("column %q: want a slice, got %T", c.Name, c.Values)
		}
		read, ok := cellOf(slice.Type().Elem(), c.Categorical)
		if !ok {
			return nil, fmt.Errorf("column %q: cannot use values of type %s", c.Name,
				slice.Type().Elem())
		}
		if c.Text {
			if read, ok = read.asText(slice.Type().Elem()); !ok || c.Categorical {
				return nil, fmt.Errorf("column %q: values of type %s are no texts", c.Name,
					slice.Type().Elem())
			}
		}
		b := newColumnBuilder(c.Name, read, slice.Len())
		for row := range slice.Len() {
			b.add(slice.Index(row))
		}
		schema.Fields[i], made[i] = b.finish()
	}
	return NewFrame(schema, made)
}

// inPlace returns a column of numbers that uses a slice of floats as it is.
func inPlace(values any) (c Column, ok bool) {
	switch values := values.(type) {
	case []float64:
		return Numbers(values), true
	case []float32:
		return Numbers32(values), true
	}
	return c, false
}

// cell is how values of one Go type enter a column: number for a column of a kind that holds
// numbers (NaN is missing), text for a categorical one ("" is missing) or a text one. One of them
// is nil. Truth values have truth beside text.
type cell struct {
	kind   Kind // of number; Text of texts
	number func(reflect.Value) float64
	truth  func(reflect.Value) float64              // 1, 0 and NaN, for models of numbers
	text   func(dst []byte, v reflect.Value) []byte // appends the category to dst
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	timePointer  = reflect.TypeFor[*time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

// isTime reports whether a type is time.Time or derived from it.
func isTime(t reflect.Type) bool { return t.Kind() == reflect.Struct && t.ConvertibleTo(timeType) }

// timeCell returns the cell of times.
func timeCell(categorical bool) cell {
	micros := func(v reflect.Value) float64 {
		if v.CanAddr() { // without an allocation
			return DateOf(*v.Addr().Convert(timePointer).Interface().(*time.Time))
		}
		return DateOf(v.Convert(timeType).Interface().(time.Time))
	}
	if categorical {
		return cell{text: func(dst []byte,
			v reflect.Value) []byte {
			return append(dst, DateText(micros(v))...)
		}}
	}
	return cell{kind: Date, number: micros}
}

// durationCell returns the cell of durations.
func durationCell(categorical bool) cell {
	micros := func(v reflect.Value) float64 { return float64(v.Int()) / 1e3 }
	if categorical {
		return cell{text: func(dst []byte,
			v reflect.Value) []byte {
			return appendNumber(dst, micros(v), 64)
		}}
	}
	return cell{number: micros}
}

// cellOf returns the cell of a type; ok is false for types that have no place in a table.
func cellOf(t reflect.Type, categorical bool) (c cell, ok bool) {
	switch {
	case isTime(t):
		return timeCell(categorical), true
	case t == durationType:
		return durationCell(categorical), true
	}
	if value, ok := nullable(t); ok {
		c, ok = cellOf(value, categorical)
		return c.whereValid(), ok
	}
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Pointer {
			return cell{}, false
		}
		c, ok = cellOf(t.Elem(), categorical)
		return c.behindPointer(), ok
	case reflect.String:
		c.text = func(dst []byte, v reflect.Value) []byte { return append(dst, v.String()...) }
	case reflect.Bool:
		c.text = func(dst []byte, v reflect.Value) []byte {
			return strconv.AppendBool(dst,
				v.Bool())
		}
		c.truth = func(v reflect.Value) float64 {
			if v.Bool() {
				return 1
			}
			return 0
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		c.number = func(v reflect.Value) float64 { return float64(v.Int()) }
		if categorical {
			c = cell{text: func(dst []byte,
				v reflect.Value) []byte {
				return strconv.AppendInt(dst, v.Int(), 10)
			}}
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		c.number = func(v reflect.Value) float64 { return float64(v.Uint()) }
		if categorical {
			c = cell{text: func(dst []byte,
				v reflect.Value) []byte {
				return strconv.AppendUint(dst, v.Uint(), 10)
			}}
		}
	case reflect.Float32, reflect.Float64:
		c.number = reflect.Value.Float
		if bits := t.Bits(); categorical {
			c = cell{text: func(dst []byte,
				v reflect.Value) []byte {
				return appendFloatCategory(dst, v.Float(), bits)
			}}
		}
	default:
		return cell{}, false
	}
	return c, true
}

// asText returns the cell of texts of a type; ok is false unless its values are strings, pointers
// to them, or a sql.Null of them.
func (c cell) asText(t reflect.Type) (text cell, ok bool) {
	if value, ok := nullable(t); ok {
		t = value
	} else if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	c.kind = Text
	return c, t.Kind() == reflect.String
}

// absent reports whether a value of a text column is missing: nil is.
func (c *cell) absent(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer && v.IsNil() || v.Kind() == reflect.Struct && !v.Field(1).Bool()
}

// nullable returns the type of the value of sql.Null and its like, as sql.NullFloat64: structs of
// package database/sql, which is not imported, with a value and Valid.
func nullable(t reflect.Type) (value reflect.Type, ok bool) {
	if t.Kind() != reflect.Struct || t.PkgPath() != "database/sql" || t.NumField() != 2 ||
		t.Field(1).Name != "Valid" {
		return nil, false
	}
	return t.Field(0).Type, true
}

// whereValid returns the cell of a sql.Null of the values of c, where one that is not valid is
// missing.
func (c cell) whereValid() cell {
	number := func(of func(reflect.Value) float64) func(reflect.Value) float64 {
		if of == nil {
			return nil
		}
		return func(v reflect.Value) float64 {
			if !v.Field(1).Bool() {
				return math.NaN()
			}
			return of(v.Field(0))
		}
	}
	p := cell{kind: c.kind, number: number(c.number), truth: number(c.truth)}
	if c.text != nil {
		p.text = func(dst []byte, v reflect.Value) []byte {
			if !v.Field(1).Bool() {
				return dst
			}
			return c.text(dst, v.Field(0))
		}
	}
	return p
}

func appendFloatCategory(dst []byte, v float64, bits int) []byte {
	if math.IsNaN(v) {
		return dst
	}
	return appendNumber(dst, v, bits)
}

// behindPointer returns the cell of pointers to the values of c, where nil is missing.
func (c cell) behindPointer() cell {
	p := cell{kind: c.kind, number: numberBehindPointer(c.number),
		truth: numberBehindPointer(c.truth)}
	if c.text != nil {
		p.text = func(dst []byte, v reflect.Value) []byte {
			if v.IsNil() {
				return dst
			}
			return c.text(dst, v.Elem())
		}
	}
	return p
}

// numberBehindPointer returns what number returns of the value behind a pointer, NaN of nil; nil of
// nil.
func numberBehindPointer(number func(reflect.Value) float64) func(reflect.Value) float64 {
	if number == nil {
		return nil
	}
	return func(v reflect.Value) float64 {
		if v.IsNil() {
			return math.NaN()
		}
		return number(v.Elem())
	}
}

// columnBuilder collects one column cell by cell.
type columnBuilder struct {
	name string
	cell cell
	num  []float64
	dict *dictionary // nil for a numeric column
	text []byte      // scratch of one category
}

func newColumnBuilder(name string, c cell, rows int) *columnBuilder {
	b := &columnBuilder{name: name, cell: c}
	if c.text != nil {
		b.dict = newDictionary(rows)
	} else {
		b.num = make([]float64, 0, rows)
	}
	return b
}

func (b *columnBuilder) add(v reflect.Value) {
	switch {
	case b.cell.kind == Text && b.cell.absent(v):
		b.addMissing()
	case b.dict != nil:
		b.text = b.cell.text(b.text[:0], v)
		if b.cell.kind == Text {
			b.dict.addText(b.text)
		} else {
			b.dict.add(b.text)
		}
	default:
		b.num = append(b.num, b.cell.number(v))
	}
}

func (b *columnBuilder) addMissing() {
	if b.dict != nil {
		b.dict.addMissing()
	} else {
		b.num = append(b.num, math.NaN())
	}
}

func (b *columnBuilder) finish() (Field, Column) {
	if b.dict == nil {
		return Field{Name: b.name, Kind: b.cell.kind}, Column{num: b.num}
	}
	kind := Categorical
	if b.cell.kind == Text {
		kind = Text
	}
	levels, codes := b.dict.finish()
	return Field{Name: b.name, Kind: kind, Levels: levels}, Column{code: codes}
}
