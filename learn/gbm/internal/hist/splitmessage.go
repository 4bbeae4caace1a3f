package hist

import (
	"encoding/binary"
	"errors"
	"math"
)

// A rank sends what it has found of a leaf:
//
//	column+1 | bin | flags | set | split point | gain | sums of the first child | able | wanted
//
// Whole numbers are varints, others their bits; lists begin with their length. Without a split
// there are the column 0 and the lists at the end only.

var errFound = errors.New("a rank sent a split that is none: all must run the same program")

const (
	foundMissing = 1 << iota
	foundSet
)

// appendFound appends the best split of a leaf, and the columns that split it or want counts.
func (l *open) appendFound(b []byte) []byte {
	s := &l.split
	b = binary.AppendUvarint(b, uint64(s.column+1))
	if s.column >= 0 {
		flags := uint64(0)
		if s.missing {
			flags |= foundMissing
		}
		if s.set != nil {
			flags |= foundSet
		}
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.bin)), flags)
		b = appendColumns(b, s.set)
		for _, v := range []float64{s.splitPoint, s.gain, s.first.g, s.first.h} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return appendColumns(appendColumns(b, l.able), l.wanted)
}

func appendColumns(b []byte, columns []int32) []byte {
	b = binary.AppendUvarint(b, uint64(len(columns)))
	for _, c := range columns {
		b = binary.AppendUvarint(b, uint64(c))
	}
	return b
}

// foundReader reads what appendFound has written. After an error all that it reads is 0.
type foundReader struct {
	b    []byte
	fail bool
}

func (r *foundReader) number() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > math.MaxInt32 {
		r.b, r.fail = nil, true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *foundReader) float() float64 {
	if len(r.b) < 8 {
		r.b, r.fail = nil, true
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(r.b))
	r.b = r.b[8:]
	return v
}

// list reads numbers below a limit.
func (r *foundReader) list(limit int) []int32 {
	n := r.number()
	if n > len(r.b) { // each has a byte at least
		r.fail = true
		return nil
	}
	var all []int32
	for range n {
		v := r.number()
		r.fail = r.fail || v >= limit
		all = append(all, int32(v))
	}
	return all
}

// readFound reads what a rank has found of a leaf, of so many columns, and returns what follows.
func readFound(b []byte, columns int) (found split, able, wanted []int32, rest []byte, err error) {
	r := &foundReader{b: b}
	found = none()
	if c := r.number(); c > 0 {
		found.column, found.bin = c-1, r.number()
		flags := r.number()
		found.missing = flags&foundMissing != 0
		if set := r.list(math.MaxInt32); flags&foundSet != 0 {
			found.set = append([]int32{}, set...)
		}
		found.splitPoint, found.gain = r.float(), r.float()
		found.first.g, found.first.h = r.float(), r.float()
	}
	able, wanted = r.list(columns), r.list(columns)
	if r.fail || found.column >= columns {
		return none(), nil, nil, nil, errFound
	}
	return found, able, wanted, r.b, nil
}
