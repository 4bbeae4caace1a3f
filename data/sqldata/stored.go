package sqldata

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/internal/table"
)

// store returns the rows of a query as features in blocks of a file, in which it writes them.
func store(
	ctx context.Context, o *data.ReadOptions, rows *sql.Rows, file *scratch.File,
) (data.Features, error) {
	tokens := table.Tokens(o, nil)
	record := &recorder{sentRows: sentRows{rows: rows}, to: &recording{file: file}}
	var from result = record
	found, n, err := table.Find(o, tokens, func(b *table.Builder) error {
		if from == nil {
			from = &replay{from: record.to}
		}
		err := read(ctx, b, from)
		from = nil
		return err
	})
	if err != nil {
		return nil, err
	}
	return table.Blocks(o, tokens, found, n, func(
		ctx context.Context, o *data.ReadOptions, wanted *data.Region,
		pass func(*data.RowBlock) bool,
	) error {
		return table.PassOn(o, tokens, wanted, pass, func(b *table.Builder) error {
			return read(ctx, b, &replay{from: record.to})
		})
	}), nil
}

// errScratch is what errors of the scratch file wrap.
var errScratch = errors.New("sqldata: scratch file")

// scratchFault is such an error.
type scratchFault struct{ error }

func (f scratchFault) Unwrap() []error { return []error{f.error, errScratch} }

// recording is rows in a scratch file, a piece of whole rows after the other:
//
//	row     value of a used column | value | ...
//	value   tag | bytes of the tag's length, or the length of a text and the text
type recording struct {
	file    *scratch.File
	columns []columnType
	used    []bool // whether a column has values
	pieces  []scratch.Piece
}

// pieceBytes is about how many bytes a piece has.
const pieceBytes = 1 << 20

// Tags of values.
const (
	isNull byte = iota
	isInteger
	isUnsigned
	isDouble
	isFloat
	isFalse
	isTrue
	isTime
	isText
)

// recorder is the rows of a query, which it stores while they are read.
type recorder struct {
	sentRows
	to    *recording
	bytes []byte
}

func (r *recorder) types() (types []columnType, err error) {
	types, err = r.sentRows.types()
	r.to.columns = types
	return types, err
}

func (r *recorder) next(values []any, used []bool) (bool, error) {
	more, err := r.sentRows.next(values, used)
	if err != nil {
		return false, err
	}
	r.to.used = used
	if more {
		for i, v := range values {
			if used[i] {
				r.bytes = appendValue(r.bytes, v)
			}
		}
	}
	if len(r.bytes) < pieceBytes && (more || len(r.bytes) == 0) {
		return more, nil
	}
	p, err := r.to.file.Write(r.bytes)
	if err != nil {
		return false, scratchFault{err}
	}
	r.to.pieces, r.bytes = append(r.to.pieces, p), r.bytes[:0]
	return more, nil
}

// appendValue appends a value, in one of the forms that drivers may give it.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, isNull)
	case int64:
		return binary.AppendVarint(append(b, isInteger), v)
	case uint64:
		return binary.AppendUvarint(append(b, isUnsigned), v)
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, isDouble), math.Float64bits(v))
	case float32:
		return binary.LittleEndian.AppendUint32(append(b, isFloat), math.Float32bits(v))
	case bool:
		if v {
			return append(b, isTrue)
		}
		return append(b, isFalse)
	case time.Time:
		b = binary.AppendVarint(append(b, isTime), v.Unix())
		return binary.AppendUvarint(b, uint64(v.Nanosecond()))
	case string:
		return append(binary.AppendUvarint(append(b, isText), uint64(len(v))), v...)
	case []byte:
		return append(binary.AppendUvarint(append(b, isText), uint64(len(v))), v...)
	}
	return appendValue(b, fmt.Sprint(v))
}

// replay is the rows of a recording. A text is valid until the next row is read.
type replay struct {
	from  *recording
	piece int // to read next
	bytes []byte
	left  []byte // of bytes
}

func (r *replay) types() ([]columnType, error) { return r.from.columns, nil }

// next reads the values that were recorded. Columns that are used now were used then.
func (r *replay) next(values []any, _ []bool) (bool, error) {
	if len(r.left) == 0 {
		if r.piece == len(r.from.pieces) {
			return false, nil
		}
		p := r.from.pieces[r.piece]
		r.bytes = append(r.bytes[:0], make([]byte, p.Len())...)
		if err := r.from.file.Read(p, r.bytes); err != nil {
			return false, scratchFault{err}
		}
		r.left = r.bytes
		r.piece++
	}
	for i, used := range r.from.used {
		if !used {
			continue
		}
		var ok bool
		if values[i], ok = r.value(); !ok {
			return false, scratchFault{io.ErrUnexpectedEOF} // checksums make that a fault of this code
		}
	}
	return true, nil
}

// value reads a value; false: there is none.
func (r *replay) value() (v any, ok bool) {
	if len(r.left) == 0 {
		return nil, false
	}
	tag := r.left[0]
	r.left = r.left[1:]
	switch tag {
	case isNull:
		return nil, true
	case isFalse, isTrue:
		return tag == isTrue, true
	case isInteger:
		return r.signed()
	case isUnsigned:
		return r.unsigned()
	case isDouble:
		b, ok := r.take(8)
		if !ok {
			return nil, false
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(b)), true
	case isFloat:
		b, ok := r.take(4)
		if !ok {
			return nil, false
		}
		return math.Float32frombits(binary.LittleEndian.Uint32(b)), true
	case isTime:
		seconds, ok := r.signed()
		nanos, also := r.unsigned()
		return time.Unix(seconds, int64(nanos)).UTC(), ok && also
	case isText:
		n, ok := r.unsigned()
		if !ok {
			return nil, false
		}
		return r.take(n)
	}
	return nil, false
}

func (r *replay) signed() (int64, bool) {
	v, n := binary.Varint(r.left)
	r.left = r.left[max(n, 0):]
	return v, n > 0
}

func (r *replay) unsigned() (uint64, bool) {
	v, n := binary.Uvarint(r.left)
	r.left = r.left[max(n, 0):]
	return v, n > 0
}

// take returns the next n bytes.
func (r *replay) take(n uint64) ([]byte, bool) {
	if n > uint64(len(r.left)) {
		return nil, false
	}
	b := r.left[:n:n]
	r.left = r.left[n:]
	return b, true
}
