package hist

import (
	"cmp"
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/invariant"
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
	*growth
	score levelScore
}

// growLevels grows a tree, which has a root, level by level.
func growLevels(ctx context.Context, g *growth, t *branches) error {
	v := &levels{g, sumOfGains{}}
	if g.c.Cosine {
		v.score = &cosineScore{}
	}
	leaves := t.nodes
	level := open{key: leaves[0].key}
	for ; int(level.depth) < g.c.levels(); level.depth++ {
		if err := cmp.Or(ctx.Err(), g.ranks.failed()); err != nil {
			return err
		}
		if invariant.On { // the model keeps one split for each level, and values for all its paths
			invariant.Check(len(leaves) == 1<<level.depth, "level %d has %d leaves", level.depth,
				len(leaves))
		}
		best, err := v.best(ctx, leaves, g.find.columns.ofLeaf(&level), int(level.depth))
		if err != nil {
			return err
		}
		if best.column < 0 || g.c.Leaves > 0 && 2*len(leaves) > g.c.Leaves {
			break
		}
		level.path = withColumn(level.path, best.column)
		if err := v.give(ctx, leaves, &best); err != nil {
			return err
		}
		if err := v.splitAll(ctx, leaves); err != nil {
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
		g.hist.release(l)
	}
	return nil
}

// splitAll splits leaves whose splits are known: many on a worker each, a few on all workers.
func (v *levels) splitAll(ctx context.Context, leaves []*open) error {
	if v.tables.stored() {
		if err := (&walkBatches{v.growth}).splitLeaves(ctx, leaves); err != nil {
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
	split := func(l *open, w *worker, fill filler) {
		below := false
		if l.split.inName {
			below = v.splitInName(l, cmp.Or(w, v.team[0]))
		} else {
			below = v.split.split(l, w, fill)
		}
		if below {
			v.settle(l.first)
			v.settle(l.last)
		}
	}
	if len(leaves) < len(v.team) || v.ranks.several() {
		for _, l := range leaves {
			split(l, nil, v.hist.fillTogether)
		}
		return nil
	}
	v.team.each(len(leaves), func(i int, w *worker) { split(leaves[i], w, v.hist.fill) })
	return nil
}

// splitInName splits a leaf in name on one worker. It reports whether the children have histograms.
func (v *levels) splitInName(l *open, w *worker) bool {
	mid := v.rows.partition(l, v.tables.m, w)
	first := make([]pair, len(v.sums))
	for k := range first {
		first[k] = v.sumOf(k, v.rows.rows[l.begin:mid])
	}
	return v.split.children(l, mid, first, v.hist.fillTogether)
}

// sumOf returns the sums of an output of some rows, with those that the other ranks have.
func (v *levels) sumOf(output int, rows []int32) pair {
	s := &v.sums[output]
	if !v.ranks.several() {
		return s.of(pair{}, rows)
	}
	if s.double {
		var sum [2]float64
		v.ranks.inOrder(sum[:], func() {
			all := s.of(pair{sum[0], sum[1]}, rows)
			sum = [2]float64{all.g, all.h}
		})
		return pair{sum[0], sum[1]}
	}
	own := s.of(pair{}, rows)
	sum := [2]int64{int64(own.g), int64(own.h)}
	v.ranks.words(sum[:])
	return pair{float64(sum[0]), float64(sum[1])}
}

// settle frees the histogram of a leaf that is not split, or for which memory is short while others
// are looked at.
func (v *levels) settle(l *open) {
	if !v.c.mayBeSplit(l) || v.hist.pool.crowded() {
		v.hist.release(l)
	}
}

// best returns the split, without its sums, that scores most at all leaves of a level together. Its
// column is -1 where none gains enough.
func (v *levels) best(
	ctx context.Context, leaves []*open, columns []int32, depth int,
) (split, error) {
	v.score.begin(v.inputs, leaves)
	v.found = resize(v.found, len(columns))
	for begun := false; len(leaves) > 0; begun = true {
		some, rest, err := v.readable(ctx, leaves)
		if err != nil {
			return none(), err
		}
		if v.tables.stored() && v.c.MinLeaf > 1 { // each split requires counted rows
			for _, l := range some {
				l.wanted = columns
			}
			if err := v.find.counter.countWanted(ctx, some); err != nil {
				return none(), err
			}
		}
		v.addPoints(columns, some, begun, len(rest) > 0)
		for _, l := range some {
			v.settle(l)
		}
		leaves = rest
	}
	best, most, least := none(), math.Inf(-1), v.c.leastGain()
	for j, c := range columns {
		found := &v.found[j]
		score := found.score
		if !(score > 0) || score < least {
			continue
		}
		if score += v.noiseOf(depth, int(c)); best.column < 0 || score > most {
			best, most = split{column: int(c), bin: found.bin, missing: found.missing,
				gain: found.gain}, score
		}
	}
	return best, nil
}

// columnBest is the best split of a level by a column, and its score.
type columnBest struct {
	bin         int
	missing     bool
	gain, score float64
}

// levelColumns is the number of columns whose split points a worker adds up, leaf after leaf: their
// scores stay in the first cache.
const levelColumns = 8

// addPoints adds what the splits by columns score at some leaves, and finds the best of each column
// unless more leaves follow. Scores are kept by column where there are leaves before or after
// these, else in memory of the worker. Several ranks count rows together, in one order.
func (v *levels) addPoints(columns []int32, leaves []*open, begun, more bool) {
	workers := v.team
	if v.ranks.several() {
		workers = v.team[:1]
	}
	each := max(1, min(levelColumns, len(columns)/len(workers)))
	if !begun {
		n := each * len(workers)
		if more {
			n = len(columns)
		}
		v.points = resize(v.points, n)
	}
	workers.each((len(columns)+each-1)/each, func(i int, w *worker) {
		lo, hi := i*each, min(len(columns), (i+1)*each)
		points := v.points[w.number*each:]
		if begun || more {
			points = v.points[lo:]
		}
		by := v.find.seekers[w.number]
		if !begun {
			for j, c := range columns[lo:hi] {
				of := &v.tables.m.Columns[c]
				points[j].clear(of.Values, of.Missing && !of.Nominal(), v.c.Cosine)
			}
		}
		for _, l := range leaves {
			by.begin(l)
			for j, c := range columns[lo:hi] {
				if v.find.splits(l, c) {
					by.addPoints(int(c), &points[j])
				}
			}
		}
		if more {
			return
		}
		for j := range hi - lo {
			bin, side, score := v.score.best(&points[j])
			v.found[lo+j] = columnBest{bin: bin, missing: side == 1, score: score}
			if score > 0 {
				v.found[lo+j].gain = points[j].gain[side][bin]
			}
		}
	})
}

// noiseOf returns what is added to the score of a column at a level: a normal number.
func (v *levels) noiseOf(depth, column int) float64 {
	if v.noise == 0 {
		return 0
	}
	u := rng.New(v.seed, forNoise, uint64(depth), uint64(column)).Float64()
	return float64(v.noise * kernel.NormalQuantile(max(u, 0x1p-54)))
}

// readable returns the first leaves that may be split, and those after them. All have histograms:
// the last one may have been given one to be looked at.
func (v *levels) readable(
	ctx context.Context, leaves []*open,
) (some, rest []*open, err error) {
	for i, l := range leaves {
		if !v.c.mayBeSplit(l) {
			continue
		}
		some = append(some, l)
		if l.hist == nil {
			return some, leaves[i+1:], v.hist.restore(ctx, l)
		}
	}
	return some, nil, nil
}

// give gives a split to all leaves: in name to those that do not allow it.
func (v *levels) give(ctx context.Context, leaves []*open, best *split) error {
	inName := v.inNameOf(best)
	for _, l := range leaves {
		l.split = inName
		if !v.c.mayBeSplit(l) {
			continue
		}
		if err := v.hist.restore(ctx, l); err != nil {
			return err
		}
		if !v.find.splits(l, int32(best.column)) {
			v.settle(l)
			continue
		}
		by := v.find.seekers[0]
		by.begin(l)
		if found := by.splitAt(best.column, best.bin, best.missing); found.column >= 0 {
			l.split = found
			if v.c.Cosine { // by which a leaf alone may lose
				l.split.gain = max(0, found.gain)
			}
		}
		v.settle(l)
	}
	return nil
}

// inNameOf returns a split for leaves that do not allow it.
func (v *levels) inNameOf(best *split) split {
	s := split{column: best.column, bin: best.bin, missing: best.missing, inName: true}
	c := &v.tables.m.Columns[s.column]
	switch order := v.c.orderOf(s.column, c); {
	case order != nil:
		s.set = order[:s.bin+1]
	case c.Nominal():
		s.set = []int32{int32(s.bin)}
	}
	return s
}
