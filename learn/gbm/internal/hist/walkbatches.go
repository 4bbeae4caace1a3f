package hist

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// walkBatches splits leaves of a stored matrix: those of a batch in one walk over the file.
type walkBatches struct{ *growth }

func (g *walkBatches) limit() batchLimit {
	return batchLimit{leaves: math.MaxInt, most: math.MaxInt, eager: true}
}

func (g *walkBatches) agreeAll([]*open) error { return nil }

func (g *walkBatches) splitAll(ctx context.Context, leaves []*open) error {
	err := g.splitLeaves(ctx, leaves)
	if err == nil {
		g.find.findAll(appendChildren(nil, leaves))
	}
	return err
}

// splitLeaves partitions the rows of leaves and makes their children, which get histograms where
// one of them may be split.
func (g *walkBatches) splitLeaves(ctx context.Context, leaves []*open) error {
	if g.find.seekers[0].readsHistogram() {
		var without []*open
		for _, l := range leaves {
			if l.hist == nil && !l.split.inName {
				without = append(without, l)
			}
		}
		if err := g.hist.fillLeaves(ctx, without); err != nil {
			return err
		}
	}
	for len(leaves) > 0 {
		n := min(len(leaves), g.hist.mostTogether())
		if err := g.splitInWalk(ctx, leaves[:n]); err != nil {
			return err
		}
		leaves = leaves[n:]
	}
	return nil
}

// partitioning is the walk that partitions the rows of leaves and adds up those of one child each.
type partitioning struct {
	leaves []*open
	side   [][]uint8 // by leaf: of its codes
	first  [][]pair  // sums of the first child; nil: yet unknown
	add    []bool    // whether the rows of the lighter child are added up
	sums   *partials
	parts  [][]chunk // by leaf: its chunks, in the order of their rows
}

func (g *walkBatches) splitInWalk(ctx context.Context, leaves []*open) error {
	p := g.partitioning(leaves)
	need := bins.Need{}
	for i, l := range leaves {
		need.Packed = need.Packed || p.add[i]
		need.Columns = append(need.Columns, int32(l.split.column))
	}
	w := walker{inputs: g.inputs, rows: g.rows, leaves: leaves}
	err := w.walk(ctx, need, false, func(of *bins.Block, c *chunk, by *worker) {
		l, rows := leaves[c.leaf], g.rows.rows[c.lo:c.hi]
		by.local = resize(by.local, len(rows))
		shift(rows, -of.First)
		group := g.tables.m.Columns[l.split.column].Group
		c.first = partitionCodes(&of.Codes[group], rows, by.local, p.side[c.leaf])
		if p.add[c.leaf] {
			light := rows[:c.first]
			if !l.firstIsLighter(p.first[c.leaf]) {
				light = rows[c.first:]
			}
			if len(light) > 0 {
				g.hist.addBlock(p.sums.at(c.leaf, by), of, light)
			}
		}
		shift(rows, of.First)
	}, func(chunks []chunk) {
		for _, c := range chunks {
			p.parts[c.leaf] = append(p.parts[c.leaf], c)
		}
	})
	if err != nil {
		p.sums.release()
		return err
	}
	g.rows.gather(leaves, p.parts, g.team)
	return g.makeChildren(ctx, p)
}

// partitioning prepares the walk. Of words the lighter child can be added up at once: that the
// other one may have fewer rows makes no difference, as differences are exact.
func (g *walkBatches) partitioning(leaves []*open) *partitioning {
	n := len(leaves)
	p := &partitioning{leaves: leaves, side: make([][]uint8, n), first: make([][]pair, n),
		add: make([]bool, n), sums: g.hist.partials(n), parts: make([][]chunk, n)}
	for i, l := range leaves {
		p.side[i] = l.split.sides(g.tables.m, nil)
		if !l.split.inName {
			p.first[i] = slices.Clone(g.split.sumsOfFirst(l, g.team[0], nil))
			p.add[i] = !g.hist.pool.double && l.hist != nil && !g.lastBelow(l)
		}
	}
	return p
}

// makeChildren makes the children of leaves, whose rows are partitioned.
func (g *walkBatches) makeChildren(ctx context.Context, p *partitioning) error {
	var fill []*open        // to be added up in another walk
	var subtract [][2]*open // a leaf whose histogram is still the parent's, and its sibling
	for i, l := range p.leaves {
		mid, first := l.middle(p.parts[i]), p.first[i]
		if first == nil {
			first = make([]pair, len(g.sums))
			for k := range first {
				first[k] = g.sums[k].of(pair{}, g.rows.rows[l.begin:mid])
			}
		}
		if !g.split.descend(l, mid, mid-l.begin, first) {
			if p.add[i] {
				g.hist.pool.give(p.sums.finish(i))
			}
			continue
		}
		small, large := l.bySize()
		switch {
		case p.add[i]:
			small, large = l.lighter(first)
			small.hist = p.sums.finish(i)
			large.hist, l.hist = l.hist, nil
			large.hist.subtract(small.hist)
		case l.hist == nil:
			fill = append(fill, small, large)
		default:
			fill = append(fill, small)
			large.hist, l.hist = l.hist, nil
			subtract = append(subtract, [2]*open{large, small})
		}
	}
	if err := g.hist.fillLeaves(ctx, fill); err != nil {
		return err
	}
	for _, pair := range subtract {
		pair[0].hist.subtract(pair[1].hist)
	}
	return nil
}
