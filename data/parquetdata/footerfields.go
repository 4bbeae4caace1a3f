package parquetdata

import (
	"encoding/binary"
	"slices"
)

// members are fields of a struct in Thrift: those that are left out, and by id those that are
// structs or lists of structs whose own fields are.
type members struct {
	out    []int64
	inside map[int64]*members
}

// unneeded are fields of a footer that no table needs, in the terms of parquet.thrift. The decoder
// requires more of some of them than the format does: there a pair of metadata may have no value.
var unneeded = &members{
	out: []int64{5}, // FileMetaData.key_value_metadata
	inside: map[int64]*members{4: { // row_groups
		inside: map[int64]*members{1: { // columns
			inside: map[int64]*members{3: { // meta_data
				// key_value_metadata, statistics, encoding_stats, bloom filters, size_statistics,
				// geospatial_statistics
				out: []int64{8, 12, 13, 14, 15, 16, 17},
			}},
		}},
	}},
}

// without appends to dst a struct, which begins where the walker stands, without some fields.
func (w *walker) without(dst []byte, m *members) ([]byte, error) {
	last := int64(0)
	err := w.fields(func(id int64, kind byte) (err error) {
		from := w.at
		if slices.Contains(m.out, id) {
			return w.skip(kind)
		}
		if delta := id - last; delta > 0 && delta < 16 {
			dst = append(dst, byte(delta)<<4|kind)
		} else {
			dst = binary.AppendVarint(append(dst, kind), id)
		}
		last = id
		inside := m.inside[id]
		switch {
		case inside != nil && kind == thriftStruct:
			dst, err = w.without(dst, inside)
			return err
		case inside != nil && kind == thriftList:
			dst, err = w.withoutEach(dst, inside)
			return err
		}
		err = w.skip(kind)
		dst = append(dst, w.b[from:w.at]...)
		return err
	})
	return append(dst, 0), err
}

// withoutEach appends a list, of whose structs it leaves fields out.
func (w *walker) withoutEach(dst []byte, m *members) ([]byte, error) {
	from := w.at
	head, err := w.byte()
	size := uint64(head >> 4)
	if err == nil && size == 15 {
		size, err = w.varint()
	}
	if err != nil || head&15 != thriftStruct {
		w.at = from
		err = w.list()
		return append(dst, w.b[from:w.at]...), err
	}
	dst = append(dst, w.b[from:w.at]...)
	for ; size > 0 && err == nil; size-- {
		dst, err = w.without(dst, m)
	}
	return dst, err
}
