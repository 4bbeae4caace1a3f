package hist

import "context"

// levels grows a tree whose leaves of one level are all split in the same way (Prokhorenkova et al.
// 2018): the way whose gains, at all leaves and of all outputs, add up to most. A leaf at which
// that split is not allowed, because a child would be too small, stays whole and takes part in the
// next level again. Categories are split one against the rest, or in their Order.
type levels struct{ e *engine }

// growLevels grows a tree, which has a root, level by level.
func growLevels(ctx context.Context, e *engine, t *grown) error {
	v := &levels{e}
	leaves := t.nodes
	level := open{key: leaves[0].key}
	for ; e.c.Depth == 0 || int(level.depth) < e.c.Depth; level.depth++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		best := v.best(leaves, e.columns.ofLeaf(&level))
		if best.column < 0 {
			break
		}
		splitting := v.give(leaves, &best)
		if len(splitting) == 0 || e.c.Leaves > 0 && len(leaves)+len(splitting) > e.c.Leaves {
			break
		}
		level.path = withColumn(level.path, best.column)
		v.split(splitting)
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
		e.hist.pool.release(l)
	}
	return nil
}

// split splits leaves whose splits are known: many on a worker each, a few on all workers.
func (v *levels) split(leaves []*open) {
	e := v.e
	split := func(l *open, together bool, w *worker) {
		if together && !e.splitTogether(l) || !together && !e.splitOne(l, w, e.hist.fill) {
			return
		}
		v.settle(l.first)
		v.settle(l.last)
	}
	if len(leaves) < len(e.team) {
		for _, l := range leaves {
			split(l, true, nil)
		}
		return
	}
	e.team.each(len(leaves), func(i int, w *worker) { split(leaves[i], false, w) })
}

// settle frees the histogram of a leaf that is not split, or for which memory is short while others
// are looked at.
func (v *levels) settle(l *open) {
	if !v.e.c.mayBeSplit(l) || v.e.hist.pool.crowded() {
		v.e.hist.pool.release(l)
	}
}

// best returns the split, without its sums, that gains most at all leaves of a level together. Its
// column is -1 where none gains enough.
func (v *levels) best(leaves []*open, columns []int32) split {
	gains := make([][]float64, len(columns)) // of each column: by bin, missing values last or first
	for j, c := range columns {
		gains[j] = make([]float64, 2*v.e.tables.m.Columns[c].Bins())
	}
	for len(leaves) > 0 {
		var some []*open
		some, leaves = v.readable(leaves)
		v.e.team.each(len(columns), func(j int, w *worker) {
			for _, l := range some {
				w.find.begin(l)
				w.find.eachSplitPoint(int(columns[j]), func(found *split) {
					gains[j][found.place()] += found.gain
				})
			}
		})
		for _, l := range some {
			v.settle(l)
		}
	}
	best := none()
	for j, c := range columns {
		for k, gain := range gains[j] {
			s := split{column: int(c), bin: k / 2, missing: k&1 == 1, gain: gain}
			if gain > 0 && gain >= v.e.least && s.better(&best) {
				best = s
			}
		}
	}
	return best
}

// place numbers the splits of a column.
func (a *split) place() int {
	if a.missing {
		return 2*a.bin + 1
	}
	return 2 * a.bin
}

// readable returns the first leaves that may be split, and those after them. All have histograms:
// the last one may have been given one to be looked at.
func (v *levels) readable(leaves []*open) (some, rest []*open) {
	for i, l := range leaves {
		if !v.e.c.mayBeSplit(l) {
			continue
		}
		some = append(some, l)
		if l.hist == nil {
			v.e.hist.restore(l, &v.e.rows, v.e.hist.fillTogether)
			return some, leaves[i+1:]
		}
	}
	return some, nil
}

// give gives a split to all leaves that it may split, and returns those.
func (v *levels) give(leaves []*open, best *split) []*open {
	var splitting []*open
	for _, l := range leaves {
		if !v.e.c.mayBeSplit(l) {
			continue
		}
		v.e.hist.restore(l, &v.e.rows, v.e.hist.fillTogether)
		find := v.e.team[0].find
		find.begin(l)
		find.eachSplitPoint(best.column, func(found *split) {
			if found.place() == best.place() {
				l.split = *found
				splitting = append(splitting, l)
			}
		})
		v.settle(l)
	}
	return splitting
}
