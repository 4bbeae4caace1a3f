package hist

import (
	"context"
	"sync"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// rowCounter counts the rows of a leaf in each bin of a column.
type rowCounter struct {
	*inputs
	rows *rowOrder
	// Where counting takes a walk over a file or a message to other ranks, rows are counted between
	// two searches, those of many leaves and columns together; see wanted.
	deferred bool
	wanting  sync.Mutex // of rowCounts.wanted
}

// count counts the rows of a leaf, of all ranks, in the memory of dst.
func (n *rowCounter) count(dst []int32, column int, l *open) []int32 {
	switch {
	case l.moved.rows != nil:
		return l.moved.count(dst, n.tables.m, column)
	case n.deferred:
		return n.counted(dst, int32(column), l)
	}
	dst = n.own(dst, column, l)
	n.ranks.counts(dst)
	return dst
}

// counted returns the counted rows of a leaf by bin of a column. Where they were not counted it
// notes that they are wanted, and returns zeros: no split has rows enough then, and the leaf is
// searched again.
func (n *rowCounter) counted(dst []int32, column int32, l *open) []int32 {
	dst = resize(dst, n.tables.m.Columns[column].Bins())
	n.wanting.Lock()
	defer n.wanting.Unlock()
	if counts := l.counts[column]; counts != nil {
		copy(dst, counts)
		return dst
	}
	l.wanted = append(l.wanted, column)
	clear(dst)
	return dst
}

// own counts the rows that this rank has.
func (n *rowCounter) own(dst []int32, column int, l *open) []int32 {
	m, rows := n.tables.m, n.rows.of(l)
	c := &m.Columns[column]
	dst = resize(dst, c.Bins())
	clear(dst)
	addCounts(dst, m, c, rows)
	return dst
}

// addCounts adds how many rows are in each bin of a column.
func addCounts(dst []int32, m *bins.Matrix, c *bins.Column, rows []int32) {
	for i := range m.Blocks {
		// copies, which the loop need not read from memory
		codes, first := m.Blocks[i].Codes[c.Group], m.Blocks[i].First
		if list := codes.List; list != nil {
			countListed(dst, list, m.Blocks[i].Local(m.RowsIn(i, rows)))
			continue
		}
		own := m.RowsIn(i, rows)
		switch narrow := codes.Narrow; {
		case narrow == nil:
			for _, r := range own {
				dst[c.Bin(codes.At(r-first))]++
			}
		case c.Default < 0: // codes are bins
			for _, r := range own {
				dst[narrow[r-first]]++
			}
		default:
			countBundled(dst, c, narrow, m.Blocks[i].Local(own))
		}
	}
}

// countBundled adds to counts how many rows of a block are in each bin of a column in a bundle:
// most are in its default one.
func countBundled(counts []int32, c *bins.Column, codes []uint8, rows []int32) {
	first, values, usual := uint32(c.First), uint32(c.Values), uint32(c.Default)
	away := int32(0)
	for _, r := range rows {
		b := uint32(codes[r]) - first
		if b >= values {
			continue
		}
		if b >= usual {
			b++
		}
		counts[b]++
		away++
	}
	counts[usual] += int32(len(rows)) - away
}

// most returns the greatest hessian of a row of a leaf, whose sums are words; that of all rows of
// the tree where counting takes a walk or a message.
func (n *rowCounter) most(l *open) float64 {
	of := &n.sums[0]
	if l.moved.rows != nil || n.deferred || n.ranks.several() {
		return of.most
	}
	most := uint32(0)
	for _, r := range n.rows.of(l) {
		most = max(most, uint32(of.packed[r]))
	}
	return float64(most)
}

// countWanted counts the rows of leaves by bin of the columns that they want counted: of a stored
// matrix in one walk, of several ranks in one message.
func (n *rowCounter) countWanted(ctx context.Context, leaves []*open) error {
	var columns []int32
	for _, l := range leaves {
		columns = append(columns, l.wanted...)
		if l.counts == nil {
			l.counts = map[int32][]int32{}
		}
	}
	var err error
	if n.tables.stored() {
		err = n.walkWanted(ctx, leaves, columns)
	} else {
		n.joinWanted(leaves)
	}
	for _, l := range leaves {
		l.wanted = nil
	}
	return err
}

// walkWanted is countWanted of a stored matrix.
func (n *rowCounter) walkWanted(ctx context.Context, leaves []*open, columns []int32) error {
	for _, l := range leaves {
		for _, c := range l.wanted {
			l.counts[c] = make([]int32, n.tables.m.Columns[c].Bins())
		}
	}
	w := &walker{inputs: n.inputs, rows: n.rows, leaves: leaves}
	return w.walk(ctx, bins.Need{Columns: columns}, true, func(b *bins.Block, c *chunk, _ *worker) {
		l := leaves[c.leaf]
		for _, k := range l.wanted {
			column, counts := &n.tables.m.Columns[k], l.counts[k]
			codes := b.Codes[column.Group]
			for _, r := range n.rows.rows[c.lo:c.hi] {
				counts[column.Bin(codes.At(r-b.First))]++
			}
		}
	}, nil)
}

// joinWanted is countWanted of several ranks, whose leaves want the same.
func (n *rowCounter) joinWanted(leaves []*open) {
	if len(leaves) == 0 {
		return
	}
	var all []int32
	for _, l := range leaves {
		for _, c := range l.wanted {
			all = append(all, n.own(nil, int(c), l)...)
		}
	}
	n.ranks.counts(all)
	for _, l := range leaves {
		for _, c := range l.wanted {
			bins := n.tables.m.Columns[c].Bins()
			l.counts[c], all = all[:bins:bins], all[bins:]
		}
	}
}

// wanting returns those of some leaves that want rows counted.
func wantingOf(leaves []*open) []*open {
	var wanting []*open
	for _, l := range leaves {
		if len(l.wanted) > 0 {
			wanting = append(wanting, l)
		}
	}
	return wanting
}
