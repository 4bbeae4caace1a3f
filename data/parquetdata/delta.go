package parquetdata

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
)

var errDelta = errors.New("its differences make no sense")

// deltas walks over n integers that are written as differences, and returns what follows them.
// Values are width bits wide. It calls visit, unless that is nil, with each integer.
//
//	size of a block | mini-blocks in it | n | first integer | block | block ...
//	block  least difference | a width in bits for each mini-block | mini-blocks
//
// A mini-block holds differences, less the least one, packed into bits.
func deltas(b []byte, width, n int, visit func(int64) error) ([]byte, error) {
	var head [3]uint64
	for i := range head {
		v, size := binary.Uvarint(b)
		if size <= 0 {
			return nil, io.ErrUnexpectedEOF
		}
		head[i], b = v, b[size:]
	}
	first, size := binary.Varint(b)
	if size <= 0 {
		return nil, io.ErrUnexpectedEOF
	}
	b = b[size:]
	const largest = 1 << 16 // values of a block; the decoder takes no larger ones
	block, minis := head[0], head[1]
	if head[2] != uint64(n) || block == 0 || block%128 != 0 || block > largest || minis == 0 ||
		block%minis != 0 || block/minis%32 != 0 {
		return nil, errDelta
	}
	d := differences{width: width, mini: int(block / minis), value: first, left: n - 1,
		visit: visit}
	if n > 0 && visit != nil {
		if err := visit(first); err != nil {
			return nil, err
		}
	}
	for d.left > 0 {
		least, size := binary.Varint(b)
		if size <= 0 || uint64(len(b)-size) < minis {
			return nil, io.ErrUnexpectedEOF
		}
		widths := b[size : size+int(minis)]
		b = b[size+int(minis):]
		for _, w := range widths {
			var err error
			if b, err = d.miniBlock(b, int(w), least); err != nil {
				return nil, err
			}
			if d.left == 0 {
				break
			}
		}
	}
	return b, nil
}

// differences are what is left of a list of integers.
type differences struct {
	width int   // of an integer in bits
	mini  int   // values of a mini-block
	value int64 // the last one
	left  int
	visit func(int64) error
}

// miniBlock walks over a mini-block of differences of w bits. The last one may be without its end.
func (d *differences) miniBlock(b []byte, w int, least int64) ([]byte, error) {
	if w > d.width {
		return nil, errDelta
	}
	n, size := min(d.mini, d.left), d.mini*w/8
	held := b[:min(size, len(b))]
	if (n*w+7)/8 > len(held) {
		return nil, io.ErrUnexpectedEOF
	}
	d.left -= n
	for i := 0; i < n && d.visit != nil; i++ {
		d.value += least + int64(bitsAt(held, i*w, w))
		if err := d.visit(d.value); err != nil {
			return nil, err
		}
	}
	return b[len(held):], nil
}

// bitsAt returns w bits of b, at most 32, from a position on.
func bitsAt(b []byte, at, w int) uint64 {
	v := uint64(0)
	for i := range min(5, len(b)-at/8) {
		v |= uint64(b[at/8+i]) << (8 * i)
	}
	return v >> (at % 8) & (1<<w - 1)
}

// lengths walks over n lengths of texts, or of the prefixes that texts have in common with those
// before them.
func lengths(b []byte, n int, visit func(int64) error) ([]byte, error) {
	return deltas(b, 32, n, func(v int64) error {
		if v < 0 || v > math.MaxInt32 {
			return errDelta
		}
		return visit(v)
	})
}

// prefixTexts checks n texts that are written as the prefix in common with the text before and the
// rest, and returns how many bytes they are together: a few bytes can stand for many.
func prefixTexts(b []byte, n int) (int64, error) {
	shared := make([]int32, 0, n)
	b, err := lengths(b, n, func(v int64) error { shared = append(shared, int32(v)); return nil })
	if err != nil {
		return 0, err
	}
	total, rest, before, at := int64(0), int64(0), int64(0), 0
	b, err = lengths(b, n, func(v int64) error {
		if int64(shared[at]) > before {
			return errDelta
		}
		before = int64(shared[at]) + v
		rest, total, at = rest+v, total+before, at+1
		return nil
	})
	if err == nil && rest > int64(len(b)) {
		err = io.ErrUnexpectedEOF
	}
	return total, err
}
