package hist

import (
	"errors"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// moves is what the ranks know of leaves whose rows move to one rank. Where a leaf has few rows,
// these take fewer bytes than the histogram that its split would send. So before it is split, all
// ranks send its rows to one of them, its words and its codes of all columns. This rank alone makes
// the histograms of the leaves below, and searches them:
//
//	rank 0   rows of the leaf --+                    rows of the leaf: nothing is searched
//	rank 1   rows of the leaf --+--> rank 1: all ----> histograms --> best splits --> Gather
//	rank 2   rows of the leaf --+
//
// All ranks partition their own rows as before, so that they know the leaves of these. Which leaves
// move, and where, depends on numbers that all ranks have: rows, cells and bytes.
type moves struct {
	few   int   // rows of a leaf that moves, at most
	rows  []int // that have moved to each rank
	made  []*movedRows
	taken int // of made, by the tree that grows

	messages [][]byte // memory of move, by rank
}

// mostMoving is the number of ranks up to which rows move: each sends its own to each other
// one. With more ranks that takes longer than the sum of a histogram in a tree.
const mostMoving = 16

// begin prepares for a tree of so many rows whose histograms have so many cells. Each rank sends
// its own histogram of a leaf, so a leaf moves if its rows are fewer bytes than two. They may be
// twice as many where leaves of an equally divided tree would have half of the rows: further splits
// follow. But no leaf of more than half of a rank's rows moves, so that all ranks have some.
func (v *moves) begin(c *Config, m *bins.Matrix, rows, cells, ranks int) {
	v.few, v.taken = 0, 0
	v.rows = resize(v.rows, ranks)
	clear(v.rows)
	if m.Places > 0 || ranks > mostMoving { // listed columns are not in a row
		return
	}
	v.few = 2 * wordBytes * cells / (m.Stride + wordBytes)
	if v.few/2*c.mostLeaves(rows) >= rows {
		v.few *= 2
	}
	v.few = min(v.few, rows/(2*ranks))
}

// take returns a place for rows of a leaf that are to move to a rank.
func (v *moves) take(to, rows int) *movedRows {
	if v.taken == len(v.made) {
		v.made = append(v.made, &movedRows{})
	}
	of := v.made[v.taken]
	v.taken++
	of.to = to
	v.rows[to] += rows
	return of
}

// next returns the rank to which the fewest rows have moved.
func (v *moves) next() int {
	to := 0
	for rank, n := range v.rows {
		if n < v.rows[to] {
			to = rank
		}
	}
	return to
}

// errMoved reports that ranks disagree.
var errMoved = errors.New("a rank sent other rows of a leaf: all must run the same program")

// move moves the rows of those leaves that have few. They are about to be split.
func (g *rankBatches) move(leaves []*open) {
	v := &g.moves
	var moving []*open
	for _, l := range leaves {
		if l.moved.rows == nil && l.len() <= v.few && !g.lastBelow(l) {
			l.moved = movedLeaf{rows: v.take(v.next(), l.len()), hi: l.rows}
			moving = append(moving, l)
		}
	}
	if len(moving) == 0 {
		return
	}
	from := g.ranks.send(g.pack(moving))
	if from == nil {
		return
	}
	var own []*open
	var parts [][][]byte // by leaf, then rank
	for _, l := range moving {
		if l.moved.isAway(g.owners.rank) {
			continue
		}
		of := make([][]byte, len(from))
		for rank, b := range from {
			size := movedBytes(b, g.tables.m.Stride)
			if size == 0 {
				g.ranks.fail(errMoved)
				return
			}
			of[rank], from[rank] = b[:size], b[size:]
		}
		own, parts = append(own, l), append(parts, of)
	}
	g.team.each(len(own), func(i int, _ *worker) { own[i].moved.rows.fill(g.tables.m, parts[i]) })
	for _, l := range own {
		if len(l.moved.rows.order) != l.len() {
			g.ranks.fail(errMoved)
		}
	}
}

// pack returns messages for all ranks with this rank's rows of some leaves.
func (g *rankBatches) pack(leaves []*open) [][]byte {
	v, m := &g.moves, g.tables.m
	v.messages = resize(v.messages, len(v.rows))
	ends := make([]int, len(v.rows))
	at := make([]int, len(leaves))
	for i, l := range leaves {
		to := l.moved.rows.to
		at[i] = ends[to]
		ends[to] += movedHead + len(g.rows.of(l))*(wordBytes+m.Stride)
	}
	for rank, n := range ends {
		v.messages[rank] = resize(v.messages[rank], n)
	}
	g.team.each(len(leaves), func(i int, _ *worker) {
		l := leaves[i]
		packRows(v.messages[l.moved.rows.to][at[i]:], m, g.sums[0].packed, g.rows.of(l))
	})
	return v.messages
}
