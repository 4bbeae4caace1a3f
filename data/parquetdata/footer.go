package parquetdata

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
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

// openDecoder makes the decoder of a file that has the needed columns alone, plainly typed, and
// pages that are not packed. The footer of the file itself never reaches it.
func openDecoder(meta *format.FileMetaData, leaves []leaf) (*parquet.File, error) {
	plain := &format.FileMetaData{Version: 1, CreatedBy: "coppice",
		Schema: make([]format.SchemaElement, 1, 1+len(leaves))}
	plain.Schema[0] = format.SchemaElement{Name: "table",
		NumChildren: thrift.New(int32(len(leaves)))}
	for i := range leaves {
		e := leaves[i].element
		repetition := format.Required
		if leaves[i].optional {
			repetition = format.Optional
		}
		plain.Schema = append(plain.Schema,
			format.SchemaElement{Name: e.Name, Type: e.Type, TypeLength: e.TypeLength,
				RepetitionType: thrift.New(repetition)})
	}
	for i := range meta.RowGroups {
		g := format.RowGroup{NumRows: meta.RowGroups[i].NumRows, Ordinal: int16(i)}
		for j := range leaves {
			g.Columns = append(g.Columns,
				format.ColumnChunk{MetaData: format.ColumnMetaData{Type: leaves[j].element.Type.V,
					PathInSchema: []string{leaves[j].name}, Codec: format.Uncompressed,
					NumValues:           g.NumRows,
					TotalCompressedSize: math.MaxInt64 / 2}})
		}
		plain.RowGroups = append(plain.RowGroups, g)
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), plain)
	if err != nil {
		return nil, err
	}
	file := append([]byte(magic), footer...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(footer)))
	file = append(file, magic...)
	return parquet.OpenFile(bytes.NewReader(file), int64(len(file)), parquet.SkipPageIndex(true),
		parquet.SkipBloomFilters(true))
}
