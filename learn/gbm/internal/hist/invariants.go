package hist

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// What the stages hand to each other, checked where invariant.On.

// checkCodes: the codes of a matrix in memory are less than those of their groups.
func checkCodes(m *bins.Matrix) {
	if m.Store != nil {
		return
	}
	for i := range m.Blocks {
		for g, codes := range m.Blocks[i].Codes {
			most := 0
			if len(codes.Narrow) > 0 {
				most = int(slices.Max(codes.Narrow))
			} else if len(codes.Wide) > 0 {
				most = int(slices.Max(codes.Wide))
			}
			invariant.Check(most < max(1, m.Groups[g].Codes), "code %d of %d in group %d", most,
				m.Groups[g].Codes, g)
		}
	}
}

// checkChildren: each child of a leaf has its rows in ascending order, and its sums are those of
// its rows. The sums come from the histogram, the rows from the partition, so that this compares
// them. Other ranks' rows are not known here, and float64 sums depend on their order.
func (e *engine) checkChildren(l *open) {
	invariant.Check(l.first.begin == l.begin && l.first.end == l.last.begin && l.last.end == l.end,
		"children have rows %d-%d and %d-%d of %d-%d", l.first.begin, l.first.end, l.last.begin,
		l.last.end, l.begin, l.end)
	if e.ranks.several() {
		return
	}
	for _, c := range []*open{l.first, l.last} {
		rows := e.rows.of(c)
		invariant.Check(slices.IsSorted(rows), "rows of a child do not ascend")
		invariant.Check(len(rows) == c.len(), "%d rows of a child of %d", len(rows), c.len())
		for k := range c.outputs {
			if s := &e.sums[k]; !s.double {
				own := s.of(pair{}, rows)
				invariant.Check(own == c.outputs[k].sum, "output %d: the rows of a child sum up to %v, "+
					"its histogram to %v", k, own, c.outputs[k].sum)
			}
		}
	}
}

// checkLeaves: the leaves of a tree have all its rows, in ascending order.
func (t *grown) checkLeaves() {
	sum := 0
	t.leaves(func(node int32, l *open) {
		rows := t.e.rows.of(l)
		invariant.Check(slices.IsSorted(rows), "rows of leaf %d do not ascend", node)
		sum += len(rows)
	})
	if !t.e.ranks.several() {
		invariant.Check(sum == len(t.e.rows.rows), "leaves have %d rows of %d", sum, len(t.e.rows.rows))
	}
}

// checkWalked: the blocks that were walked had so many rows of the leaves, all of them.
func (w *walker) checkWalked(walked int) {
	all := 0
	for _, l := range w.leaves {
		all += len(w.e.rows.of(l))
	}
	invariant.Check(walked == all, "blocks had %d rows of %d", walked, all)
}
