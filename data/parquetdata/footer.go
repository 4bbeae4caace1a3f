package parquetdata

import (
	"errors"

	"github.com/parquet-go/parquet-go/format"
)

// element is a column of the file: a leaf of its schema, or a group that is no struct. The leaves
// of a struct are columns.
type element struct {
	*format.SchemaElement
	name  string // with those of the structs around it before it, and points between them
	leaf  int    // the place of the first column chunk that belongs to it
	depth int    // how many of it and the structs around it may be null
}

// group is a schema element whose children are gone over.
type group struct {
	prefix string // of the names of its columns
	depth  int
	left   int64 // children
	closed bool  // it or one around it is a column
}

// deepest is how many structs may be inside each other.
const deepest = 100

var errSchema = errors.New("the schema makes no sense")

// columnsOf returns the columns of a file. Schema elements are listed in depth-first order behind
// the root; every leaf has a chunk in each row group. A struct is one column where it is ignored.
func columnsOf(meta *format.FileMetaData, ignored func(name string) bool) ([]element, error) {
	schema := meta.Schema
	if len(schema) == 0 || schema[0].Type.Valid {
		return nil, errSchema
	}
	var found []element
	leaves := 0
	open := []group{{left: int64(schema[0].NumChildren.V)}}
	for i := 1; i < len(schema); i++ {
		for len(open) > 0 && open[len(open)-1].left == 0 {
			open = open[:len(open)-1]
		}
		e := &schema[i]
		n := int64(e.NumChildren.V)
		if len(open) == 0 || n < 0 || e.Type.Valid && n > 0 {
			return nil, errSchema
		}
		in := &open[len(open)-1]
		in.left--
		below := group{left: n, depth: in.depth, closed: in.closed}
		if !in.closed {
			name := in.prefix + e.Name
			if e.RepetitionType.Valid && e.RepetitionType.V == format.Optional {
				below.depth++
			}
			below.prefix = name + "."
			if n == 0 || len(open) > deepest || kindOf(e).problem != ofStruct || ignored(name) {
				below.closed = true
				found = append(found, element{e, name, leaves, below.depth})
			}
		}
		if e.Type.Valid {
			leaves++
		} else {
			open = append(open, below)
		}
	}
	for _, g := range open {
		if g.left != 0 {
			return nil, errSchema
		}
	}
	for i := range meta.RowGroups {
		if g := &meta.RowGroups[i]; len(g.Columns) != leaves || g.NumRows < 0 {
			return nil, errors.New("a row group does not fit the schema")
		}
	}
	return found, nil
}
