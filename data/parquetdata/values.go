package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// values are the values of a page, as they are written.
type values struct {
	kind     format.Type
	size     int // bytes of a value of fixed size
	n        int // values that are not null
	encoding format.Encoding
	b        []byte
	decoded  int64 // bytes that decoding will make of them, where a few may become many
}

// bytesOf returns the bytes of a value of a physical type; 0 for those of no fixed size.
func bytesOf(kind format.Type, length int) int {
	switch kind {
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	case format.Int96:
		return 12
	case format.FixedLenByteArray:
		return length
	}
	return 0
}

var errFew = errors.New("it has fewer values than it claims")

// check makes sure that n values are there and that decoding will allocate memory for no more. What
// follows them is removed. Indexes of a dictionary and runs of booleans are checked when they are
// decoded.
func (v *values) check() error {
	if v.n == 0 {
		return nil
	}
	switch v.encoding {
	case format.Plain:
		return v.plain()
	case format.DeltaBinaryPacked:
		return v.differences()
	case format.DeltaLengthByteArray, format.DeltaByteArray:
		return v.texts()
	case format.ByteStreamSplit:
		if v.size == 0 || v.kind == format.Int96 {
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
	case v.kind == format.Boolean:
		return v.take((int64(v.n) + 7) / 8)
	case v.kind != format.ByteArray:
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

// differences checks integers.
func (v *values) differences() error {
	if v.kind != format.Int32 && v.kind != format.Int64 {
		return errDelta
	}
	_, err := deltas(v.b, 8*v.size, v.n, nil)
	return err
}

// texts checks texts whose lengths are written as differences.
func (v *values) texts() (err error) {
	switch {
	case v.kind != format.ByteArray && (v.kind != format.FixedLenByteArray ||
		v.encoding != format.DeltaByteArray):
		return errDelta
	case v.encoding == format.DeltaByteArray:
		v.decoded, err = prefixTexts(v.b, v.n)
	default:
		var rest []byte
		rest, err = lengths(v.b, v.n, func(size int64) error { v.decoded += size; return nil })
		if err == nil && v.decoded > int64(len(rest)) {
			err = io.ErrUnexpectedEOF
		}
	}
	if err == nil && (v.decoded > math.MaxUint32 || v.kind == format.FixedLenByteArray &&
		v.decoded != int64(v.n)*int64(v.size)) {
		err = errDelta
	}
	return err
}
