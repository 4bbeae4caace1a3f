package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// run is a run of the hybrid of runs and packed bits, in which levels, booleans and indexes of
// dictionaries are written:
//
//	count << 1, value                   count times the same value, in whole bytes
//	groups << 1 | 1, packed values      8 values for each group, the lowest bits first
type run struct {
	values int
	packed []byte // nil: all are the same
	value  uint32
}

// runs walks over b until n values are there, and returns the bytes that they take. Values have a
// width in bits. The last run may hold up to 7 values more, for packed bits come in eights; a run
// that claims more is an error, because the decoder would allocate memory for it.
func runs(b []byte, width, n int, visit func(run) error) ([]byte, error) {
	if width > 32 {
		return nil, fmt.Errorf("its values are %d bits wide", width)
	}
	at := 0
	for left := n; left > 0; {
		head, size := binary.Uvarint(b[at:])
		if size <= 0 {
			return nil, io.ErrUnexpectedEOF
		}
		at += size
		count, bytes := head>>1, uint64(width+7)/8
		if head&1 == 1 {
			if count > uint64(left) {
				return nil, errRun
			}
			bytes, count = count*uint64(width), 8*count
		}
		if count >= uint64(left)+8 {
			return nil, errRun
		}
		if bytes > uint64(len(b)-at) {
			return nil, io.ErrUnexpectedEOF
		}
		r := run{values: int(min(count, uint64(left)))}
		if held := b[at : at+int(bytes)]; head&1 == 1 {
			r.packed = held
		} else {
			for i, c := range held {
				r.value |= uint32(c) << (8 * i)
			}
		}
		at, left = at+int(bytes), left-r.values
		if visit != nil {
			if err := visit(r); err != nil {
				return nil, err
			}
		}
	}
	return b[:at], nil
}

var errRun = errors.New("a run has more values than the page")

// present counts the values that are there by the definition levels of a column: those of level 1.
func present(levels []byte, n int) ([]byte, int, error) {
	count := 0
	levels, err := runs(levels, 1, n, func(r run) error {
		if r.packed == nil {
			if r.value > 1 {
				return fmt.Errorf("a level is %d", r.value)
			}
			count += int(r.value) * r.values
			return nil
		}
		for i, c := range r.packed {
			if left := r.values - 8*i; left < 8 {
				c &= 1<<max(left, 0) - 1
			}
			count += bits.OnesCount8(c)
		}
		return nil
	})
	return levels, count, err
}

// booleans returns n booleans as bits, the lowest first. The decoder would take runs of them for
// whole bytes.
func booleans(b []byte, n int) ([]byte, error) {
	plain, at := make([]byte, (n+7)/8), 0
	_, err := runs(b, 1, n, func(r run) error {
		for i := range r.values {
			bit := r.value
			if r.packed != nil {
				bit = uint32(r.packed[i/8] >> (i % 8) & 1)
			}
			plain[at/8] |= byte(bit&1) << (at % 8)
			at++
		}
		return nil
	})
	return plain, err
}
