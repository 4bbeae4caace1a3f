package parquetdata

import (
	"errors"

	"github.com/parquet-go/parquet-go/format"
)

// element is a schema element of the outermost level.
type element struct {
	*format.SchemaElement
	leaf int // the place of the first column chunk that belongs to it
}

var errSchema = errors.New("the schema makes no sense")

// outermost returns the elements of the outermost level. They are listed in depth-first order
// behind the root; every leaf has a chunk in each row group.
func outermost(meta *format.FileMetaData) ([]element, error) {
	schema := meta.Schema
	if len(schema) == 0 || schema[0].Type.Valid {
		return nil, errSchema
	}
	var found []element
	leaves := 0
	for i := 1; i < len(schema); {
		found = append(found, element{&schema[i], leaves})
		for open := int64(1); open > 0; i++ { // goes over what is below
			if i == len(schema) {
				return nil, errSchema
			}
			open--
			switch n := schema[i].NumChildren; {
			case schema[i].Type.Valid && n.V > 0 || n.V < 0:
				return nil, errSchema
			case schema[i].Type.Valid:
				leaves++
			default:
				open += int64(n.V)
			}
		}
	}
	if int(schema[0].NumChildren.V) != len(found) {
		return nil, errSchema
	}
	for i := range meta.RowGroups {
		if g := &meta.RowGroups[i]; len(g.Columns) != leaves || g.NumRows < 0 {
			return nil, errors.New("a row group does not fit the schema")
		}
	}
	return found, nil
}
