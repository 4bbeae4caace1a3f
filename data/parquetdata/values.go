package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// values are the values of a page, as they are written and as the decoder gets them.
type values struct {
	kind     parquet.Kind
	size     int // bytes of a value of fixed size
	n        int // values that are not null
	encoding format.Encoding
	b        []byte
	decoded  int64 // bytes that the decoder will make of them, where a few may become many
}

// bytesOf returns the bytes of a value of a physical type; 0 for those of no fixed size.
func bytesOf(kind parquet.Kind, length int) int {
	switch kind {
	case parquet.Int32, parquet.Float:
		return 4
	case parquet.Int64, parquet.Double:
		return 8
	case parquet.Int96:
		return 12
	case parquet.FixedLenByteArray:
		return length
	}
	return 0
}

var errFew = errors.New("it has fewer values than it claims")

// check makes sure that n values are there and that the decoder will allocate memory for no more.
// What follows them is removed.
func (v *values) check(dictionary int) error {
	switch v.encoding {
	case format.Plain:
		return v.plain()
	case format.RLE:
		return v.runsOfBooleans()
	//lint:ignore SA1019 older writers name the encoding so
	case format.RLEDictionary, format.PlainDictionary:
		return v.indexes(dictionary)
	case format.DeltaBinaryPacked:
		return v.differences()
	case format.DeltaLengthByteArray, format.DeltaByteArray:
		return v.texts()
	case format.ByteStreamSplit:
		if v.size == 0 || v.kind == parquet.Int96 {
			break
		}
		return v.take(int64(v.n) * int64(v.size))
	}
	return fmt.Errorf("the encoding %v does not go with the column's type", v.encoding)
}

// take leaves as many bytes.
func (v *values) take(size int64) error {
	if size > int64(len(v.b)) {
		return errFew
	}
	v.b = v.b[:size]
	return nil
}

// plain checks values one behind the other, texts each behind its length.
func (v *values) plain() error {
	switch {
	case v.kind == parquet.Boolean:
		return v.take((int64(v.n) + 7) / 8)
	case v.kind != parquet.ByteArray:
		return v.take(int64(v.n) * int64(v.size))
	}
	at := 0
	for range v.n {
		if len(v.b)-at < 4 {
			return errFew
		}
		size := binary.LittleEndian.Uint32(v.b[at:])
		at += 4
		if uint64(size) > uint64(len(v.b)-at) {
			return errFew
		}
		at += int(size)
	}
	return v.take(int64(at))
}

// runsOfBooleans makes plain booleans of runs, behind their size.
func (v *values) runsOfBooleans() (err error) {
	if v.kind != parquet.Boolean || len(v.b) < 4 {
		return errFew
	}
	size := binary.LittleEndian.Uint32(v.b)
	if uint64(size) > uint64(len(v.b)-4) {
		return errFew
	}
	v.b, err = booleans(v.b[4:4+size], v.n)
	v.encoding = format.Plain
	return err
}

// indexes checks the places of values in a dictionary: a byte for their width in bits, then runs. A
// width of 0 needs no runs, for all values are the first one.
func (v *values) indexes(dictionary int) error {
	if dictionary < 0 {
		return errors.New("its dictionary is missing")
	}
	if v.n == 0 {
		v.b = nil
		return nil
	}
	if len(v.b) == 0 {
		return errFew
	}
	width := int(v.b[0])
	if width == 0 {
		v.b = v.b[:1]
		return nil
	}
	held, err := runs(v.b[1:], width, v.n, nil)
	if err != nil {
		return err
	}
	return v.take(1 + int64(len(held)))
}

// differences checks integers.
func (v *values) differences() error {
	if v.kind != parquet.Int32 && v.kind != parquet.Int64 {
		return errDelta
	}
	if v.n == 0 {
		v.b, v.encoding = nil, format.Plain
		return nil
	}
	_, err := deltas(v.b, 8*v.size, v.n, nil)
	return err
}

// texts checks texts whose lengths are written as differences.
func (v *values) texts() (err error) {
	switch {
	case v.kind != parquet.ByteArray && (v.kind != parquet.FixedLenByteArray ||
		v.encoding != format.DeltaByteArray):
		return errDelta
	case v.n == 0:
		v.b, v.encoding = nil, format.Plain
		return nil
	case v.encoding == format.DeltaByteArray:
		v.decoded, err = prefixTexts(v.b, v.n)
	default:
		var rest []byte
		rest, err = lengths(v.b, v.n, func(size int64) error { v.decoded += size; return nil })
		if err == nil && v.decoded > int64(len(rest)) {
			err = io.ErrUnexpectedEOF
		}
	}
	if err == nil && (v.decoded > math.MaxUint32 || v.kind == parquet.FixedLenByteArray &&
		v.decoded != int64(v.n)*int64(v.size)) {
		err = errDelta
	}
	return err
}
