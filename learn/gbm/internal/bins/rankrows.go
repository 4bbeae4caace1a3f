package bins

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/data"
)

// Own is the rows of a table that one of several processes has: from ... to-1. Those of all ranks
// follow each other.
type Own struct {
	From, To int
	// Gather returns the bytes of every rank, in their order; see ranks.Group.
	Gather gatherer
	// Whole makes this rank read all rows while bins are fitted, for whoever else looks at them.
	// Others read their own only.
	Whole bool
}

type gatherer = func(ctx context.Context, own []byte) ([][]byte, error)

// of returns which of some ascending rows of the table are own: those at from ... to-1.
func (o *Own) of(rows []int32) (from, to int) {
	below := func(row int) int {
		return sort.Search(len(rows), func(i int) bool { return int(rows[i]) >= row })
	}
	return below(o.From), below(o.To)
}

// survey reads own rows of those that bins are fitted to, and merges what was found with the
// surveys of the other ranks.
func (o *Own) survey(
	ctx context.Context, s *Survey, from data.RowSource, fitted Rows, workers int,
) error {
	first, end := o.of(fitted.Rows)
	read := from
	if !o.Whole {
		read = rowRange{from, o.From, o.To}
	}
	if err := s.Read(ctx, read, fitted.Rows[first:end], first, fitted.Weight, workers); err != nil {
		return err
	}
	return s.join(ctx, o.Gather)
}

// finish takes the codes of own rows of some sets into memory. The first matrix becomes one that is
// Partial, of the rows of all.
func (o *Own) finish(
	ctx context.Context, made []*Matrix, rows []int32, workers int,
) (err error) {
	for i, m := range made {
		own := m.Len()
		if made[i], err = m.inMemory(ctx, workers); err != nil {
			return err
		}
		if err := made[i].joinSums(ctx, o.Gather, own); err != nil {
			return err
		}
	}
	made[0].Rows, made[0].Partial = rows, true
	return nil
}

// rowRange is the rows from ... to-1 of a table, which keep their numbers.
type rowRange struct {
	data.RowSource
	from, to int
}

// Blocks yields the blocks that have some of the rows.
func (t rowRange) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return data.BlocksOf(ctx, t.RowSource, data.Region{From: t.from, To: t.to})
}

// join merges the survey with those of the other ranks, a column after the other.
func (s *Survey) join(ctx context.Context, gather gatherer) error {
	of := &Survey{fields: s.fields, o: s.o, columns: make([]surveyed, 1)}
	for i := range s.columns {
		all, err := gather(ctx, s.columns[i].encode(nil))
		if err != nil {
			return err
		}
		one := &Survey{o: s.o, columns: make([]surveyed, 1)}
		for rank, b := range all {
			if err := of.columns[0].decode(b, s.o.bins()); err != nil {
				return fmt.Errorf("what rank %d has found of column %q: %w", rank, s.fields[i].Name,
					err)
			}
			if rank == 0 {
				one.columns[0], of.columns[0] = of.columns[0], surveyed{}
				continue
			}
			if len(of.columns[0].count) != len(one.columns[0].count) {
				return fmt.Errorf("column %q has other categories on rank %d", s.fields[i].Name, rank)
			}
			one.Merge(of)
		}
		s.columns[i] = one.columns[0]
	}
	return nil
}

// encode appends what is known of a column: numbers of 8 bytes, each list behind its length.
func (c *surveyed) encode(b []byte) []byte {
	many, distinct := uint64(0), []uint64{}
	if c.many {
		many = 1
	}
	for _, s := range c.distinct.slots {
		if s.key != 0 {
			distinct = append(distinct, s.key, math.Float64bits(s.rows), math.Float64bits(s.weight))
		}
	}
	counts := make([]uint64, len(c.count))
	for i, n := range c.count {
		counts[i] = uint64(n)
	}
	weights := make([]uint64, len(c.weight))
	for i, w := range c.weight {
		weights[i] = math.Float64bits(w)
	}
	nominal := uint64(0)
	if c.count != nil {
		nominal = 1
	}
	for _, list := range [][]uint64{{many, nominal, math.Float64bits(c.least)}, counts, distinct,
		c.keys, weights, c.sketch.encode()} {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(list)))
		for _, v := range list {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	return b
}

var errShort = errors.New("the message is too short")

// decode sets the column to what encode has written, with a table of so many distinct values.
func (c *surveyed) decode(b []byte, most int) error {
	var lists [6][]uint64
	for k := range lists {
		if len(b) < 8 || binary.LittleEndian.Uint64(b) > uint64(len(b)/8-1) {
			return errShort
		}
		n := int(binary.LittleEndian.Uint64(b))
		lists[k] = make([]uint64, n)
		for i := range lists[k] {
			lists[k][i] = binary.LittleEndian.Uint64(b[8+8*i:])
		}
		b = b[8+8*n:]
	}
	head, counts, distinct := lists[0], lists[1], lists[2]
	if len(head) != 3 || len(distinct)%3 != 0 {
		return errShort
	}
	*c = surveyed{many: head[0] == 1, least: math.Float64frombits(head[2]), keys: lists[3]}
	if head[1] == 1 {
		c.count = make([]uint32, len(counts))
		for i, n := range counts {
			c.count[i] = uint32(n)
		}
	}
	for _, w := range lists[4] {
		c.weight = append(c.weight, math.Float64frombits(w))
	}
	if err := c.sketch.decode(lists[5]); err != nil || c.many || c.count != nil {
		return err
	}
	c.distinct.reset(most)
	for ; len(distinct) > 0; distinct = distinct[3:] {
		if !c.distinct.addTimes(keyValue(distinct[0]), math.Float64frombits(distinct[1]),
			math.Float64frombits(distinct[2])) {
			return errors.New("there are more values than bins")
		}
	}
	return nil
}

// joinSums makes the checksums those of the codes of all ranks, and reports columns as having
// missing values that have them on any rank. This one has codes of so many rows.
func (m *Matrix) joinSums(ctx context.Context, gather gatherer, rows int) error {
	var b []byte
	for i := range m.Groups {
		missing, width := uint64(0), uint64(1)
		if m.Columns[i].Missing {
			missing = 1
		}
		if m.Groups[i].Wide() {
			width = 2
		}
		for _, v := range []uint64{uint64(m.Sums[i]), width * uint64(rows), missing} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	all, err := gather(ctx, b)
	if err != nil {
		return err
	}
	m.Columns = slices.Clone(m.Columns)
	for rank, of := range all {
		if len(of) != len(b) {
			return fmt.Errorf("rank %d has %d columns, want %d", rank, len(of)/24, len(m.Groups))
		}
		for i := range m.Groups {
			at := func(k int) uint64 { return binary.LittleEndian.Uint64(of[24*i+8*k:]) }
			if rank == 0 {
				m.Sums[i] = uint32(at(0))
			} else {
				m.Sums[i] = joinedSum(m.Sums[i], uint32(at(0)), at(1))
			}
			m.Columns[i].Missing = m.Columns[i].Missing || at(2) == 1
		}
	}
	return nil
}

// joinedSum returns the CRC-32C of two pieces, one behind the other, by those of the pieces and the
// length of the second: the sum of the first is moved over so many bytes of 0. Powers of the
// operator that moves it over 2^k bytes are squares.
func joinedSum(a, b uint32, length uint64) uint32 {
	var by [32]uint32  // columns of the operator, over the field of two elements
	by[0] = 0x82f63b78 // Castagnoli's polynomial, reversed
	for i := 1; i < len(by); i++ {
		by[i] = 1 << (i - 1)
	}
	square := func() {
		var twice [32]uint32
		for i := range by {
			twice[i] = moved(&by, by[i])
		}
		by = twice
	}
	for range 3 { // from a bit to a byte
		square()
	}
	for ; length > 0; length >>= 1 {
		if length&1 == 1 {
			a = moved(&by, a)
		}
		square()
	}
	return a ^ b
}

// moved returns the product of an operator and a sum.
func moved(by *[32]uint32, sum uint32) (product uint32) {
	for i := 0; sum != 0; i++ {
		if sum&1 == 1 {
			product ^= by[i]
		}
		sum >>= 1
	}
	return product
}
