package hist

import (
	"context"

	"github.com/coppice-ml/coppice/internal/bins"
)

// growLevels grows a tree level by level.
func (r *Grower) growLevels(ctx context.Context, t *Grown, root *open) error {
	root.hist = r.histogram()
	r.fillTogether(root.hist, r.order)
	return r.byLevels(ctx, r, t, root)
}

// leveller is what growing by levels asks of a grower of one output or of several.
type leveller interface {
	bestOfLevel(leaves []*open, columns []int32) split // without its sums; of no column: none gains
	atEach(leaves []*open, best *split) []*open
	splitLevel(leaves []*open) // leaves have their splits
	release(l *open)           // l stays a leaf
}

// byLevels grows a tree whose leaves of one level are all split in the same way (Prokhorenkova et
// al. 2018): the way whose gains, at all leaves and of all outputs, add up to most. A leaf at which
// that split is not allowed, because a child would be too small, is left whole, and takes part in
// the next level again. Categories are split one against the rest, or in their Order.
func (r *Grower) byLevels(ctx context.Context, of leveller, t *Grown, root *open) error {
	leaves := []*open{root}
	var path []int32
	for depth := 0; r.c.Depth == 0 || depth < r.c.Depth; depth++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		best := of.bestOfLevel(leaves, r.columns(&open{depth: int32(depth), key: root.key, path: path}))
		if best.column < 0 {
			break
		}
		splitting := of.atEach(leaves, &best)
		if len(splitting) == 0 || r.c.Leaves > 0 && len(leaves)+len(splitting) > r.c.Leaves {
			break
		}
		path = withColumn(path, best.column)
		of.splitLevel(splitting)
		next := leaves[:0:0]
		for _, l := range leaves {
			if l.first == nil {
				next = append(next, l)
				continue
			}
			t.commit(l)
			next = append(next, l.first, l.last)
		}
		leaves = next
	}
	for _, l := range leaves {
		of.release(l)
	}
	return nil
}

// splitLevel splits leaves whose splits are known.
func (r *Grower) splitLevel(leaves []*open) {
	if len(leaves) < len(r.workers) {
		for _, l := range leaves {
			r.children(l, r.partitionTogether(l))
			r.fillChildren(l, r.fillTogether)
		}
		return
	}
	r.each(len(leaves), func(i int, w *worker) {
		r.partitionRows(leaves[i], w)
		r.fillChildren(leaves[i], func(h *histogram, rows []int32) { h.fill(r.m, &r.lay, &r.sums, rows) })
	})
}

// bestOfLevel returns the split, without its sums, that gains most at all leaves of a level
// together.
func (r *Grower) bestOfLevel(leaves []*open, columns []int32) split {
	found := make([]split, len(columns))
	r.each(len(columns), func(i int, w *worker) {
		c := &r.m.Columns[columns[i]]
		gains := resize(w.gains, 2*c.Bins())
		clear(gains)
		for _, l := range leaves {
			w.scan.eachSplitPoint(l, int(columns[i]), c, func(b int, missing bool, s split) {
				if missing {
					gains[2*b+1] += s.gain
				} else {
					gains[2*b] += s.gain
				}
			})
		}
		w.gains = gains
		found[i] = none()
		for k, gain := range gains {
			if gain > max(0, found[i].gain) && gain >= r.least {
				found[i] = split{column: int(columns[i]), bin: k / 2, missing: k&1 == 1, gain: gain}
			}
		}
	})
	best := none()
	for i := range found {
		if found[i].better(&best) {
			best = found[i]
		}
	}
	return best
}

// atEach gives a split to all leaves that it may split, and returns those.
func (r *Grower) atEach(leaves []*open, best *split) []*open {
	var splitting []*open
	for _, l := range leaves {
		r.workers[0].scan.eachSplitPoint(l, best.column, &r.m.Columns[best.column], func(b int, missing bool, found split) {
			if b == best.bin && missing == best.missing {
				l.split = found
				splitting = append(splitting, l)
			}
		})
	}
	return splitting
}

// eachCut calls f for every split of a leaf by a column that is allowed, with its gain.
func (s *scanner) eachSplitPoint(l *open, column int, c *bins.Column, f func(b int, missing bool, found split)) {
	if l.len() < 2*max(1, s.r.c.MinLeaf) {
		return
	}
	s.begin(l)
	n := c.Bins()
	if len(s.g) < n {
		s.g, s.h = make([]float64, n), make([]float64, n)
	}
	l.hist.column(c, s.r.lay.at[c.Group], l.sum, s.g[:n], s.h[:n])
	var rows []int32
	if s.r.c.MinLeaf > 1 {
		s.count(c)
		rows = s.n[:n]
	}
	var order []int32
	if s.r.c.Order != nil && c.Nominal() {
		order = s.r.c.Order[column]
	}
	best := none()
	t := trial{s: s, column: column, best: &best, sign: s.r.sign(column)}
	try := func(b int, left pair, in int32, missing bool) {
		best = none()
		t.try(b, left, in, missing, rows != nil)
		if best.column < 0 {
			return
		}
		best.gain *= s.scale
		if w := s.r.c.ColumnWeight; w != nil {
			best.gain *= w[column]
		}
		switch {
		case order != nil:
			best.set = order[:b+1]
		case c.Nominal():
			best.set = []int32{int32(b)}
		}
		f(b, missing, best)
	}
	for _, missing := range []bool{false, true} {
		sum, in := pair{}, int32(0)
		if missing {
			if c.Nominal() || !c.Missing {
				break
			}
			sum = pair{s.g[c.Values], s.h[c.Values]}
			if rows != nil {
				in = rows[c.Values]
			}
		}
		for i := range c.Values {
			b := i
			switch {
			case order != nil:
				b = int(order[i])
			case c.Nominal():
				sum, in = pair{}, 0
			}
			sum = sum.plus(pair{s.g[b], s.h[b]})
			if rows != nil {
				in += rows[b]
			}
			try(i, sum, in, missing)
		}
	}
}
