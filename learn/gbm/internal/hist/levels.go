package hist

import (
	"cmp"
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// levels grows a tree whose leaves of one level are all split in the same way (Prokhorenkova et al.
// 2018): the way whose score, of all leaves and all outputs together, is largest. A leaf at which
// that split is not allowed, because a child would be too small, adds nothing to the score. It is
// split in name: rows part, and both sides keep its value. So all leaves are on one level, and the
// tree is a list of as many splits as it has levels. Categories are split one against the rest, or
// in their Order.
type levels struct {
	e     *engine
	score levelScore
}

// growLevels grows a tree, which has a root, level by level.
func growLevels(ctx context.Context, e *engine, t *grown) error {
	v := &levels{e, sumOfGains{}}
	if e.c.Cosine {
		v.score = &cosineScore{}
	}
	leaves := t.nodes
	level := open{key: leaves[0].key}
	for ; int(level.depth) < e.c.levels(); level.depth++ {
		if err := cmp.Or(ctx.Err(), e.ranks.failed()); err != nil {
			return err
		}
		best := v.best(leaves, e.columns.ofLeaf(&level), int(level.depth))
		if e.fault != nil {
			return e.fault
		}
		if best.column < 0 || e.c.Leaves > 0 && 2*len(leaves) > e.c.Leaves {
			break
		}
		level.path = withColumn(level.path, best.column)
		v.give(leaves, &best)
		if err := v.split(ctx, leaves); err != nil {
			return err
		}
		next := make([]*open, 0, 2*len(leaves))
		for _, l := range leaves {
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
func (v *levels) split(ctx context.Context, leaves []*open) error {
	e := v.e
	if e.stored() {
		if err := e.splitStored(ctx, leaves); err != nil {
			return err
		}
		for _, l := range leaves {
			if l.counts = nil; l.first.hist != nil {
				v.settle(l.first)
				v.settle(l.last)
			}
		}
		return nil
	}
	split := func(l *open, together bool, w *worker) {
		switch {
		case l.split.inName && !v.inName(l, w),
			!l.split.inName && together && !e.splitTogether(l),
			!l.split.inName && !together && !e.splitOne(l, w, e.hist.fill):
			return
		}
		v.settle(l.first)
		v.settle(l.last)
	}
	if len(leaves) < len(e.team) || e.ranks.several() {
		for _, l := range leaves {
			split(l, true, e.team[0])
		}
		return nil
	}
	e.team.each(len(leaves), func(i int, w *worker) { split(leaves[i], false, w) })
	return nil
}

// inName splits a leaf in name on one worker. It reports whether the children have histograms.
func (v *levels) inName(l *open, w *worker) bool {
	e := v.e
	mid := e.rows.partition(l, e.tables.m, w)
	first := make([]pair, len(e.sums))
	for k := range first {
		first[k] = e.sumOf(k, e.rows.rows[l.begin:mid])
	}
	return e.children(l, mid, first, e.hist.fillTogether)
}

// sumOf returns the sums of an output of some rows, with those that the other ranks have.
func (e *engine) sumOf(output int, rows []int32) pair {
	s := &e.sums[output]
	if !e.ranks.several() {
		return s.of(pair{}, rows)
	}
	if s.double {
		var sum [2]float64
		e.ranks.inOrder(sum[:], func() {
			all := s.of(pair{sum[0], sum[1]}, rows)
			sum = [2]float64{all.g, all.h}
		})
		return pair{sum[0], sum[1]}
	}
	own := s.of(pair{}, rows)
	sum := [2]int64{int64(own.g), int64(own.h)}
	e.ranks.words(sum[:])
	return pair{float64(sum[0]), float64(sum[1])}
}

// settle frees the histogram of a leaf that is not split, or for which memory is short while others
// are looked at.
func (v *levels) settle(l *open) {
	if !v.e.c.mayBeSplit(l) || v.e.hist.pool.crowded() {
		v.e.hist.pool.release(l)
	}
}

// best returns the split, without its sums, that scores most at all leaves of a level together. Its
// column is -1 where none gains enough.
func (v *levels) best(leaves []*open, columns []int32, depth int) split {
	v.score.begin(v.e, leaves)
	scores := make([][]placeScore, len(columns)) // by place
	for j, c := range columns {
		scores[j] = make([]placeScore, 2*v.e.tables.m.Columns[c].Bins())
	}
	for len(leaves) > 0 {
		var some []*open
		some, leaves = v.readable(leaves)
		v.e.countAhead(some, columns)
		add := func(j int, w *worker) { v.add(scores[j], columns[j], some, w) }
		if v.e.ranks.several() { // which count rows together, in one order
			for j := range columns {
				add(j, v.e.team[0])
			}
		} else {
			v.e.team.each(len(columns), add)
		}
		for _, l := range some {
			v.settle(l)
		}
	}
	best, most := none(), math.Inf(-1)
	for j, c := range columns {
		found, score := none(), math.Inf(-1)
		for k, p := range scores[j] {
			if of := v.score.of(p); of > max(0, score) && of >= v.e.least {
				score = of
				found = split{column: int(c), bin: k / 2, missing: k&1 == 1, gain: p.gain}
			}
		}
		if found.column < 0 {
			continue
		}
		if score += v.noise(depth, int(c)); best.column < 0 || score > most {
			best, most = found, score
		}
	}
	return best
}

// add adds what the splits by a column score at some leaves, by place.
func (v *levels) add(scores []placeScore, column int32, leaves []*open, w *worker) {
	for _, l := range leaves {
		if !v.e.splits(l, column) {
			continue
		}
		w.find.begin(l)
		w.find.eachSplitPoint(int(column), func(found *split) {
			p := &scores[found.place()]
			p.gain += found.gain
			p.norm += found.norm
		})
	}
}

// noise returns what is added to the score of a column at a level: a normal number.
func (v *levels) noise(depth, column int) float64 {
	if v.e.noise == 0 {
		return 0
	}
	u := rng.New(v.e.seed, forNoise, uint64(depth), uint64(column)).Float64()
	return float64(v.e.noise * kernel.NormalQuantile(max(u, 0x1p-54)))
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
			v.e.restore(l)
			return some, leaves[i+1:]
		}
	}
	return some, nil
}

// give gives a split to all leaves: in name to those that do not allow it.
func (v *levels) give(leaves []*open, best *split) {
	inName := v.inNameOf(best)
	for _, l := range leaves {
		l.split = inName
		if !v.e.c.mayBeSplit(l) {
			continue
		}
		v.e.restore(l)
		if !v.e.splits(l, int32(best.column)) {
			v.settle(l)
			continue
		}
		find := v.e.team[0].find
		find.begin(l)
		find.eachSplitPoint(best.column, func(found *split) {
			if found.place() == best.place() {
				l.split = *found
				if v.e.c.Cosine { // by which a leaf alone may lose
					l.split.gain = max(0, found.gain)
				}
			}
		})
		v.settle(l)
	}
}

// inNameOf returns a split for leaves that do not allow it.
func (v *levels) inNameOf(best *split) split {
	s := split{column: best.column, bin: best.bin, missing: best.missing, inName: true}
	c := &v.e.tables.m.Columns[s.column]
	switch order := v.e.c.orderOf(s.column, c); {
	case order != nil:
		s.set = order[:s.bin+1]
	case c.Nominal():
		s.set = []int32{int32(s.bin)}
	}
	return s
}
