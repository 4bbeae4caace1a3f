package bins

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Share is how several processes that have the same table put it in bins together: each fits and
// encodes every one of as many columns as there are processes, and gets the others from them.
//
//	columns     0   1   2   3   4
//	process 0   *       *       *      all then have all columns
//	process 1       *       *
type Share struct {
	Rank, Size int
	// Gather returns the bytes of every process, in their order; see ranks.Group.
	Gather gatherer
}

// takes reports whether this process does a piece of work; nil: it does all.
func (s *Share) takes(i int) bool { return s == nil || i%s.Size == s.Rank }

// marks of what a process has found of a column
const (
	fewValues  = iota // or any number that was allowed
	manyValues        // more than there may be
	failedFit
)

// columns gets the split points of the numeric columns that other processes have fitted, and
// whether they have too many values. failed is the error of this process.
func (s *Share) columns(
	ctx context.Context, columns []Column, numeric, tooMany []bool, failed error,
) error {
	if s == nil {
		return failed
	}
	var own []byte
	for i := range columns {
		if !numeric[i] || !s.takes(i) {
			continue
		}
		mark := uint64(fewValues)
		switch {
		case failed != nil:
			mark = failedFit
		case tooMany[i]:
			mark = manyValues
		}
		own = binary.LittleEndian.AppendUint64(own, mark)
		own = binary.LittleEndian.AppendUint64(own, uint64(len(columns[i].SplitPoints)))
		for _, v := range columns[i].SplitPoints {
			own = binary.LittleEndian.AppendUint64(own, math.Float64bits(v))
		}
	}
	all, err := s.Gather(ctx, own)
	if failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	for i := range columns {
		if !numeric[i] || s.takes(i) {
			continue
		}
		rank := i % s.Size
		if all[rank], err = columns[i].receive(all[rank], &tooMany[i]); err != nil {
			return fmt.Errorf("rank %d: %w", rank, err)
		}
	}
	return nil
}

var errOtherFailed = errors.New("the table could not be put in bins")

// receive sets the split points to those that a message begins with, and returns what follows them.
func (c *Column) receive(b []byte, tooMany *bool) ([]byte, error) {
	const head = 2 * 8
	if len(b) < head {
		return nil, errShort
	}
	mark, n := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	if b = b[head:]; n > uint64(len(b)/8) {
		return nil, errShort
	}
	if mark == failedFit {
		return nil, errOtherFailed
	}
	*tooMany = mark == manyValues
	c.SplitPoints = make([]float64, n)
	for i := range c.SplitPoints {
		c.SplitPoints[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	c.Values = len(c.SplitPoints) + 1
	return b[8*n:], nil
}

// sharedBytes is about how many bytes all processes send at once.
const sharedBytes = 1 << 28

// codes gets the codes of groups that other processes have looked up, each in its turn, some rows
// at a time.
func (s *Share) codes(ctx context.Context, codes []*Codes, rows int) error {
	if s == nil {
		return nil
	}
	piece := max(1<<10, sharedBytes/2/s.Size)
	var memory []byte
	for at := 0; at < len(codes); at += s.Size {
		for from := 0; from < rows; from += piece {
			to := min(rows, from+piece)
			var own []byte
			if at+s.Rank < len(codes) {
				some := codes[at+s.Rank].part(from, to)
				own, memory = some.bytesOf(to-from, memory)
			}
			all, err := s.Gather(ctx, own)
			if err != nil {
				return err
			}
			for rank, b := range all {
				if rank == s.Rank || at+rank >= len(codes) {
					continue
				}
				if some := codes[at+rank].part(from, to); !some.setBytes(b) {
					return fmt.Errorf("rank %d sent %d bytes of codes of %d rows", rank, len(b),
						to-from)
				}
			}
		}
	}
	return nil
}
