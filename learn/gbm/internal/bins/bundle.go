package bins

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

const (
	openBundles = 64   // bundles that may still take columns; the fullest is closed for another one
	peekRows    = 1024 // rows by which columns are passed over that are no candidates
	mostPeeked  = 4096 // columns that are compared by these rows
)

// sparse is a column by the rows that are not in its most frequent bin.
type sparse struct {
	column int32
	usual  int32   // the most frequent bin, of equally frequent ones the lowest
	rows   []int32 // the others' rows of the matrix, ascending
	bins   []uint8 // and their bins
	listed bool
}

// bundle is columns of which no two are away from their most frequent bins in the same row.
type bundle struct {
	columns []int32
	codes   int      // codes taken
	away    int      // rows that are away from code 0
	taken   []uint64 // bits of these rows; nil = the bundle is closed
}

// findBundles finds bundles of two or more sparse columns. It is greedy, as Ke et al. (2017),
// algorithm 3, without conflicts. Columns come in the order of how many rows are away from the most
// frequent bin, most first, each into the first bundle where it fits. Columns of categories stay by
// themselves, because sets of them need a code for every category. Columns without a bundle are
// returned with neither list nor bundle.
func findBundles(
	ctx context.Context, from data.RowSource, rows []int32, columns []Column, join bool,
	workers int,
) ([]sparse, []bundle, error) {
	lists, fields := make([]sparse, len(columns)), len(from.Fields())
	failed := make([]error, len(columns))
	peeks := make([]*peek, len(columns)) // nil: the list is made, or there is none
	err := parallel.EachUntil(ctx, workers, len(columns), func(_, i int) {
		lists[i] = sparse{column: int32(i)}
		if c := &columns[i]; c.Bins() <= narrowCodes && !c.Nominal() &&
			int(c.Feature) < fields {
			peeks[i], failed[i] = lists[i].begin(ctx, from, rows, c)
		}
	})
	if err := cmp.Or(err, cmp.Or(failed...)); err != nil {
		return nil, nil, err
	}
	compare := len(columns) <= mostPeeked &&
		!slices.ContainsFunc(lists, func(s sparse) bool { return s.rows != nil })
	memory := make([][]uint8, workers)
	err = parallel.EachUntil(ctx, workers, len(columns), func(worker, i int) {
		if p := peeks[i]; p != nil && !(p.many && (!join || compare && p.meetsAll(peeks))) {
			memory[worker], failed[i] = lists[i].fill(ctx, from, rows, &columns[i], memory[worker])
		}
	})
	if err := cmp.Or(err, cmp.Or(failed...)); err != nil {
		return nil, nil, err
	}
	var order []int32
	for i := range lists {
		if lists[i].rows != nil {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order,
		func(a, b int32) int { return cmp.Compare(len(lists[b].rows), len(lists[a].rows)) })
	var p placer
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if join {
			p.place(&lists[i], columns[i].Values, len(rows))
		} else {
			p.alone(&lists[i], columns[i].Values)
		}
	}
	bundles := p.bundles
	bundles = chooseListed(bundles, lists, len(rows))
	bundles = slices.DeleteFunc(bundles, func(b bundle) bool {
		if len(b.columns) == 1 {
			lists[b.columns[0]].rows, lists[b.columns[0]].bins = nil, nil
		}
		return len(b.columns) == 1
	})
	for i := range bundles {
		bundles[i].taken = nil
		slices.Sort(bundles[i].columns)
	}
	return lists, bundles, nil
}

// peek is some rows of a column, as bits: those away from the bin that is the most frequent one,
// and from the other that may be it among all rows.
type peek struct {
	away [2][peekRows / 64]uint64
	many bool // are away: more than a list has
}

// meetsAll reports whether some row is away in this column and in each other one, whichever bins
// are the most frequent: no two of them can be in a bundle.
func (p *peek) meetsAll(others []*peek) bool {
	for _, other := range others {
		for k := range 4 {
			shared := other == nil || other == p
			for i := 0; i < len(p.away[0]) && !shared; i++ {
				shared = p.away[k/2][i]&other.away[k%2][i] != 0
			}
			if !shared {
				return false
			}
		}
	}
	return true
}

// begin makes the list of a column that is stored as one. Of others it looks at some rows, and
// returns nil where less than about half of these are in one bin.
func (s *sparse) begin(
	ctx context.Context, from data.RowSource, rows []int32, c *Column,
) (*peek, error) {
	by, p := newEncoder(c), &peek{}
	if done, err := s.fillStored(ctx, from, rows, by); done || err != nil {
		if 2*len(s.rows) > len(rows) {
			s.rows, s.bins = nil, nil
		}
		return nil, err
	}
	step := len(rows) / peekRows
	if step <= 1 {
		return p, nil
	}
	var some [peekRows]int32
	var codes [peekRows]uint8
	for i := range some {
		some[i] = rows[i*step]
	}
	if err := by.encode(ctx, from, codes[:], some[:]); err != nil {
		return nil, err
	}
	var count [narrowCodes]int32
	countCodes(&count, codes[:], c.Bins())
	most, usual := slices.Max(count[:]), 0
	if 5*most < 2*peekRows {
		return nil, nil
	}
	for k := range p.away {
		if most-slices.Max(count[:]) < peekRows/8 {
			usual = slices.Index(count[:], slices.Max(count[:]))
		}
		for i, b := range codes {
			p.away[k][i/64] |= uint64(min(1, b^uint8(usual))) << (i % 64)
		}
		count[usual] = 0
	}
	p.many = !(&bundle{codes: 1 + c.Values, away: int(peekRows-most) * 2 / 3}).listed(peekRows)
	return p, nil
}

// fill lists the rows of a column that are not in its most frequent bin, if they are at most half
// of all. It works in memory that it returns.
func (s *sparse) fill(
	ctx context.Context, from data.RowSource, rows []int32, c *Column, memory []uint8,
) ([]uint8, error) {
	var count [narrowCodes]int32
	codes := slices.Grow(memory[:0], len(rows))[:len(rows)]
	if err := newEncoder(c).encode(ctx, from, codes, rows); err != nil {
		return codes, err
	}
	countCodes(&count, codes, c.Bins())
	for b, n := range count {
		if n > count[s.usual] {
			s.usual = int32(b)
		}
	}
	if 2*int(count[s.usual]) >= len(rows) {
		s.keepAway(codes)
	}
	return codes, nil
}

// countCodes counts the rows of each bin. Few bins are counted one after the other, many bytes at a
// time.
func countCodes(count *[narrowCodes]int32, codes []uint8, bins int) {
	if bins <= 4 {
		for b := range bins {
			count[b] = int32(bytes.Count(codes, []byte{uint8(b)}))
		}
		return
	}
	for _, b := range codes {
		count[b]++
	}
}

// keepAway lists the rows that are not in the most frequent bin, given the bins of all. It writes
// each row, and takes the next place where the row is away, without a branch.
func (s *sparse) keepAway(codes []uint8) {
	usual := uint8(s.usual)
	away := len(codes) - bytes.Count(codes, []byte{usual})
	rows, bins, n := make([]int32, away+1), make([]uint8, away+1), 0
	for i, b := range codes {
		rows[n], bins[n] = int32(i), b
		differs := uint32(b ^ usual)
		n += int(-differs >> 31)
	}
	s.rows, s.bins = rows[:away:away], bins[:away:away]
}

// placer puts columns into bundles.
type placer struct {
	bundles []bundle
	open    []int // those that take columns, in the order in which they were made
}

// place puts a column into the first bundle that takes it, or into a new one.
func (p *placer) place(s *sparse, codes, rows int) {
	fullest := 0
	for k, i := range p.open {
		b := &p.bundles[i]
		if b.codes+codes <= narrowCodes && b.away+len(s.rows) <= rows && !b.meets(s.rows) {
			b.take(s, codes)
			return
		}
		if b.codes > p.bundles[p.open[fullest]].codes {
			fullest = k
		}
	}
	if len(p.open) == openBundles {
		p.bundles[p.open[fullest]].taken = nil
		p.open = slices.Delete(p.open, fullest, fullest+1)
	}
	b := bundle{codes: 1, taken: make([]uint64, (rows+63)/64)}
	b.take(s, codes)
	p.open = append(p.open, len(p.bundles))
	p.bundles = append(p.bundles, b)
}

// alone puts a column into a bundle of its own.
func (p *placer) alone(s *sparse, codes int) {
	p.bundles = append(p.bundles, bundle{columns: []int32{s.column}, codes: 1 + codes,
		away: len(s.rows)})
}

// meets reports whether one of the rows is taken.
func (b *bundle) meets(rows []int32) bool {
	for _, r := range rows {
		if b.taken[r>>6]>>(r&63)&1 != 0 {
			return true
		}
	}
	return false
}

func (b *bundle) take(s *sparse, codes int) {
	b.columns = append(b.columns, s.column)
	b.codes += codes
	b.away += len(s.rows)
	for _, r := range s.rows {
		b.taken[r>>6] |= 1 << (r & 63)
	}
}

// group makes the bundle a group of the matrix and gives its columns their codes.
func (b *bundle) group(columns []Column, lists []sparse, number int) Group {
	first := int32(1)
	for _, i := range b.columns {
		c := &columns[i]
		c.Group, c.First, c.Default = int32(number), first, lists[i].usual
		first += int32(c.Values)
	}
	return Group{Columns: b.columns, Codes: int(first)}
}

// write sets the codes of the rows that are away from their column's most frequent bin.
func (s *sparse) write(c *Column, narrow []uint8) {
	c.Missing = s.missing(c, len(narrow))
	for i, r := range s.rows {
		b := int32(s.bins[i])
		if b > c.Default {
			b--
		}
		narrow[r] = uint8(c.First + b)
	}
}

// missing reports whether one of so many rows is in the bin of missing values.
func (s *sparse) missing(c *Column, rows int) bool {
	return int(s.usual) == c.Values && len(s.rows) < rows ||
		slices.Contains(s.bins, uint8(c.Values))
}
