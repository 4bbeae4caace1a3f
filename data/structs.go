package data

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// FromStructs makes a table from a slice of structs, or of pointers to structs: one row each, one
// column for each exported field. The name of a column is the field's name unless a tag gives
// another:
//
//	type Flower struct {
//		Length  float64 `coppice:"petal_length"`       // numeric
//		Width   *float64                               // numeric, nil is a missing value
//		Plot    int     `coppice:"plot,categorical"`   // the categories "1", "2", ...
//		Species string  `coppice:"species"`            // categorical, "" is a missing value
//		Review  string  `coppice:"review,text"`        // text, "" is a text without words
//		Note    string  `coppice:"-"`                  // left out
//		Picked  time.Time                              // date, the zero Time is a missing value
//		Place                                          // embedded: its fields stand here
//	}
//
// Floats and integers make numeric columns (NaN is missing; integers beyond 2^53 are rounded),
// strings and booleans categorical ones, time.Time dates (see DateOf). A sql.Null of one of these,
// or sql.NullFloat64 and its like, is missing where it is not valid. A time.Duration is a number
// of microseconds, as durations of files are. A field of any other type, or any other tag, is an
// error that names the field.
func FromStructs(slice any) (*Frame, error) {
	rows := reflect.ValueOf(slice)
	if rows.Kind() != reflect.Slice {
		return nil, fmt.Errorf("want a slice of structs, got %T", slice)
	}
	element := rows.Type().Elem()
	pointers := element.Kind() == reflect.Pointer
	if pointers {
		element = element.Elem()
	}
	if element.Kind() != reflect.Struct {
		return nil, fmt.Errorf("want a slice of structs, got %T", slice)
	}
	members, err := membersOf(element, nil, nil)
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("struct %s has no exported field", element)
	}
	builders := make([]*columnBuilder, len(members))
	for j, m := range members {
		builders[j] = newColumnBuilder(m.name, m.cell, rows.Len())
	}
	for i := range rows.Len() {
		row := rows.Index(i)
		if pointers {
			if row.IsNil() {
				return nil, fmt.Errorf("row %d is a nil pointer", i+1)
			}
			row = row.Elem()
		}
		for j, m := range members {
			if v, ok := m.of(row); ok {
				builders[j].add(v)
			} else {
				builders[j].addMissing()
			}
		}
	}
	schema := Schema{Fields: make([]Field, len(members))}
	columns := make([]Column, len(members))
	for j, b := range builders {
		schema.Fields[j], columns[j] = b.finish()
	}
	return NewFrame(schema, columns)
}

// member is a struct field that becomes a column.
type member struct {
	name string
	path []int // field numbers from the row's struct through embedded ones
	cell cell
}

// of returns the member's value in a row; ok is false behind a nil pointer to an embedded struct.
func (m *member) of(row reflect.Value) (v reflect.Value, ok bool) {
	for i, number := range m.path {
		if i > 0 && row.Kind() == reflect.Pointer {
			if row.IsNil() {
				return reflect.Value{}, false
			}
			row = row.Elem()
		}
		row = row.Field(number)
	}
	return row, true
}

// membersOf lists the columns of a struct type that is reached by path through the types of outer,
// which may not occur again: a struct that embeds a pointer to itself has no end.
func membersOf(t reflect.Type, path []int, outer []reflect.Type) ([]member, error) {
	if slices.Contains(outer, t) {
		return nil, fmt.Errorf("struct %s embeds itself", t)
	}
	outer = append(slices.Clone(outer), t)
	var members []member
	for i := range t.NumField() {
		field := t.Field(i)
		name, kind, err := parseTag(t, field)
		if err != nil {
			return nil, err
		}
		if name == "-" {
			continue
		}
		here := append(slices.Clone(path), i)
		if inner, ok := embedded(field); ok {
			if field.Tag.Get("coppice") != "" {
				return nil, fmt.Errorf("field %s.%s: an embedded struct takes no tag but \"-\"", t,
					field.Name)
			}
			more, err := membersOf(inner, here, outer)
			if err != nil {
				return nil, err
			}
			members = append(members, more...)
			continue
		}
		if !field.IsExported() {
			if field.Tag.Get("coppice") != "" {
				return nil, fmt.Errorf("field %s.%s has a coppice tag and is not exported", t,
					field.Name)
			}
			continue
		}
		c, ok := cellOf(field.Type, kind == Categorical)
		if ok && kind == Text {
			c, ok = c.asText(field.Type)
		}
		if !ok {
			return nil, fmt.Errorf("field %s.%s: cannot use type %s; skip it with the tag "+
				"coppice:\"-\"", t, field.Name, field.Type)
		}
		members = append(members, member{name: name, path: here, cell: c})
	}
	return members, nil
}

// embedded returns the struct type whose fields an anonymous field promotes. A pointer to an
// unexported struct counts too: its exported fields can be read where it is not nil.
func embedded(field reflect.StructField) (reflect.Type, bool) {
	t := field.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t, field.Anonymous && t.Kind() == reflect.Struct && !isTime(t) && !isNullable(t)
}

// parseTag reads the tag `coppice:"name,categorical"` or `coppice:"name,text"`; both parts may be
// left out. kind is Numeric where the tag has no kind.
func parseTag(t reflect.Type, field reflect.StructField) (name string, kind Kind, err error) {
	name, options, _ := strings.Cut(field.Tag.Get("coppice"), ",")
	switch options {
	case "":
	case "categorical":
		kind = Categorical
	case "text":
		kind = Text
	default:
		return "", 0, fmt.Errorf("field %s.%s: unknown tag option %q, there are categorical and "+
			"text", t, field.Name, options)
	}
	if name == "" {
		name = field.Name
	}
	return name, kind, nil
}

func isNullable(t reflect.Type) bool {
	_, ok := nullable(t)
	return ok
}
