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

// runs calls visit for runs until n values are there. Values have a width in bits. The last run may
// hold more packed values: they come in eights at least, and DuckDB writes 256 together.
func runs(b []byte, width, n int, visit func(run) error) error {
	if width > 32 {
		return fmt.Errorf("its values are %d bits wide", width)
	}
	at := 0
	for left := n; left > 0; {
		head, size := binary.Uvarint(b[at:])
		if size <= 0 {
			return io.ErrUnexpectedEOF
		}
		at += size
		count, bytes := head>>1, uint64(width+7)/8
		if head&1 == 1 {
			if count > uint64(len(b)) {
				return io.ErrUnexpectedEOF
			}
			bytes, count = count*uint64(width), 8*count
		} else if count >= uint64(left)+8 {
			return errRun
		}
		if bytes > uint64(len(b)-at) {
			return io.ErrUnexpectedEOF
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
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

var errRun = errors.New("a run has more values than the page")

// unpacked writes the first packed values of a run, which are width bits wide.
func (r *run) unpacked(width int, to []uint32) {
	mask := uint64(1)<<width - 1
	at := 0 // in bits
	i := 0
	for ; i < len(to) && at/8+8 <= len(r.packed); i++ {
		to[i] = uint32(binary.LittleEndian.Uint64(r.packed[at/8:]) >> (at % 8) & mask)
		at += width
	}
	for ; i < len(to); i++ {
		to[i] = uint32(bitsAt(r.packed, at, width))
		at += width
	}
}

// unpackRuns writes as many values of a width in bits as there is place for.
func unpackRuns(b []byte, width int, to []uint32) error {
	return runs(b, width, len(to), func(r run) error {
		if r.packed != nil {
			r.unpacked(width, to[:r.values])
		} else {
			for i := range r.values {
				to[i] = r.value
			}
		}
		to = to[r.values:]
		return nil
	})
}

// present writes which rows of a page have a value, as 1 or 0, by the definition levels of a
// column, and returns how many do. A value has the greatest level.
func present(levels []byte, greatest int, to []byte) (int, error) {
	count, width := 0, bits.Len(uint(greatest))
	err := runs(levels, width, len(to), func(r run) error {
		own := to[:r.values]
		to = to[r.values:]
		if r.packed != nil && width == 1 {
			count += spreadBits(r.packed, own)
			return nil
		}
		for i := range own {
			level := int(r.value)
			if r.packed != nil {
				level = int(bitsAt(r.packed, i*width, width))
			}
			if level > greatest {
				return fmt.Errorf("a level is %d", level)
			}
			if own[i] = 0; level == greatest {
				own[i] = 1
				count++
			}
		}
		return nil
	})
	return count, err
}

// spreadBits writes bits as bytes, the lowest first, and returns how many are set.
func spreadBits(packed, to []byte) (count int) {
	const ones, tops, places = 0x0101010101010101, 0x8080808080808080, 0x8040201008040201
	i := 0
	for ; i+8 <= len(to); i += 8 {
		b := packed[i/8]
		each := uint64(b) * ones & places // byte k has bit k
		binary.LittleEndian.PutUint64(to[i:], (each+tops-ones)&tops>>7)
		count += bits.OnesCount8(b)
	}
	for ; i < len(to); i++ {
		to[i] = packed[i/8] >> (i % 8) & 1
		count += int(to[i])
	}
	return count
}
