package hist

import (
	"context"

	"github.com/coppice-ml/coppice/grow/bins"
)

// growLevels grows a tree whose leaves of one level are all split in the same way (Prokhorenkova et al. 2018): the way whose
// gains add up to most. A leaf at which that split is not allowed, because a child would be too small, is left whole, and
// takes part in the next level again. Categories are split one against the rest.
func (r *Grower) growLevels(ctx context.Context, t *Grown, root *open) error {
	w := r.workers[0]
	root.hist = r.histogram()
	root.hist.fill(r.m, &r.lay, &r.sums, r.order)
	leaves := []*open{root}
	for depth := 0; r.c.Depth == 0 || depth < r.c.Depth; depth++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, splits := w.scan.level(leaves, r.columns(&open{depth: int32(depth), key: root.key, path: root.path}))
		if at == 0 || r.c.Leaves > 0 && len(leaves)+at > r.c.Leaves {
			break
		}
		next := leaves[:0:0]
		for i, l := range leaves {
			if splits[i].column < 0 {
				next = append(next, l)
				continue
			}
			l.split = splits[i]
			root.path = withColumn(root.path, l.split.column)
			r.partRows(l, w)
			r.fillChildren(l)
			t.commit(l)
			next = append(next, l.first, l.last)
		}
		leaves = next
	}
	for _, l := range leaves {
		r.release(l)
	}
	return nil
}

// level returns the best split of all leaves of a level, for each leaf the form that it takes there, and at how many leaves it
// is allowed.
func (s *scanner) level(leaves []*open, columns []int32) (int, []split) {
	var best struct {
		column, bin int
		missing     bool
		gain        float64
	}
	best.column = -1
	var total []float64
	for _, column := range columns {
		c := &s.r.m.Columns[column]
		total = resize(total, 2*c.Bins())
		clear(total)
		for _, l := range leaves {
			s.eachCut(l, int(column), c, func(b int, missing bool, found split) {
				i := 2 * b
				if missing {
					i++
				}
				total[i] += found.gain
			})
		}
		for i, gain := range total {
			if gain > best.gain && gain >= s.r.c.Gamma {
				best.column, best.bin, best.missing, best.gain = int(column), i/2, i&1 == 1, gain
			}
		}
	}
	if best.column < 0 {
		return 0, nil
	}
	c := &s.r.m.Columns[best.column]
	splits := make([]split, len(leaves))
	allowed := 0
	for i, l := range leaves {
		splits[i] = none()
		s.eachCut(l, best.column, c, func(b int, missing bool, found split) {
			if b == best.bin && missing == best.missing {
				splits[i] = found
				allowed++
			}
		})
	}
	return allowed, splits
}

// eachCut calls f for every split of a leaf by a column that is allowed, with its gain.
func (s *scanner) eachCut(l *open, column int, c *bins.Column, f func(b int, missing bool, found split)) {
	if l.len() < 2*max(1, s.r.c.MinRows) {
		return
	}
	s.begin(l)
	n := c.Bins()
	if len(s.g) < n {
		s.g, s.h = make([]float64, n), make([]float64, n)
	}
	l.hist.column(c, s.r.lay.at[c.Group], l.sum, s.g[:n], s.h[:n])
	var rows []int32
	if s.r.c.MinRows > 1 {
		s.count(c)
		rows = s.n[:n]
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
		if c.Nominal() {
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
		for b := range c.Values {
			if c.Nominal() {
				sum, in = pair{}, 0
			}
			sum = sum.plus(pair{s.g[b], s.h[b]})
			if rows != nil {
				in += rows[b]
			}
			try(b, sum, in, missing)
		}
	}
}
