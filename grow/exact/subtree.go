package exact

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/tree"
)

// subtrees grows the subtrees of nodes that were set aside: of frames because they fit into one of their own, of C4.5 because
// they are small. Several workers grow one
// each, apart, and the parts join the tree in the order in which one worker would have grown them.
func (g *grower) subtrees(ctx context.Context) {
	if len(g.aside) == 0 {
		return
	}
	if len(g.scanners) == 1 || len(g.aside) == 1 {
		sub := g.sub(0)
		for _, nd := range g.aside {
			if ctx.Err() != nil {
				return
			}
			sub.subtree(ctx, g, nd)
		}
		return
	}
	parts, at := make([]*tree.Builder, len(g.aside)), make([]int32, len(g.aside))
	subs := make([]*grower, min(len(g.scanners), len(parts)))
	for k := range subs {
		subs[k] = g.sub(k)
	}
	_ = parallel.EachUntil(ctx, len(subs), len(parts), func(worker, i int) {
		sub, nd := subs[worker], g.aside[i]
		at[i] = int32(nd.id)
		sub.b, nd.id = g.builder(), 0
		sub.recordOpen(nd)
		sub.subtree(ctx, g, nd)
		parts[i] = sub.b
	})
	for i, part := range parts {
		if part != nil { // unless it was cancelled, which whoever grows the tree finds out
			g.b.Graft(at[i], part)
		}
	}
}

// sub returns the k-th grower for subtrees; those before it are there.
func (g *grower) sub(k int) *grower {
	if k == len(g.subs) {
		g.subs = append(g.subs, g.below())
	}
	sub := g.subs[k]
	sub.b, sub.total = g.b, g.total
	return sub
}

// below returns a grower for subtrees of a grower, with memory of its own.
func (g *grower) below() *grower {
	if g.c45 != nil {
		return g.beside()
	}
	sub := new(grower)
	*sub = *g
	sub.large, sub.setsAside, sub.aside, sub.subs, sub.open, sub.free, sub.found = nil, false, nil, nil, nil, nil, make([]split, len(g.found))
	sub.lottery, sub.swaps, sub.chosen = slices.Clone(g.lottery), nil, nil
	sub.pop, sub.class8, sub.goes, sub.rest, sub.first, sub.rows, sub.sample.Y, sub.sample.Weight = &grow.Population{Classes: g.pop.Classes}, nil, nil, nil, nil, nil, nil, nil
	sub.store, sub.columns = g.store.(shared).below(), make([]working, len(g.columns))
	sub.scanners = []*scanner{newScanner(sub, g.row)}
	sub.scanners[0].marks = make([]uint64, frameRows/64)
	if g.tallied() {
		sub.tallier = newTallier(sub, g)
	}
	return sub
}

// subtree grows the subtree of a node of the grower above.
func (g *grower) subtree(ctx context.Context, above *grower, nd *node) {
	if g.c45 != nil {
		g.run(ctx, false, nd)
		return
	}
	g.enter(above, nd)
	if g.tallier != nil {
		g.tallier.grow(ctx, nd)
		return
	}
	g.run(ctx, false, nd)
}

// enter makes the rows of a node the frame of a grower for subtrees.
func (g *grower) enter(above *grower, nd *node) {
	g.above = append(g.above[:0], nd.list...)
	rows := g.above
	g.store.(shared).gather(rows)
	pop, from := g.pop, above.pop
	pop.Rows = take(pop.Rows, from.Rows, rows)
	pop.Class = take(pop.Class, from.Class, rows)
	pop.Count = take(pop.Count, from.Count, rows)
	pop.Weight = take(pop.Weight, from.Weight, rows)
	pop.Case = take(pop.Case, from.Case, rows)
	pop.Y = take(pop.Y, from.Y, rows)
	for i := range g.columns {
		w, from := &g.columns[i], &above.columns[i]
		if w.from = from.from; g.tallier == nil {
			w.code, w.few = take(w.code, from.code, rows), take(w.few, from.few, rows)
		} else if from.few == nil || from.code != nil && (!g.tallier.ones || g.merges(i)) {
			w.code = take(w.code, from.code, rows)
		}
	}
	g.rows = g.rows[:0]
	for i := range rows {
		g.rows = append(g.rows, uint32(i))
	}
	g.first = slices.Grow(g.first[:0], (len(rows)+63)/64)[:(len(rows)+63)/64]
	nd.list, nd.lo, nd.hi = g.rows, 0, len(rows)
	if g.values != nil {
		g.values = newValues(pop.Y)
		nd.byValue = g.sortByValue(nd.list)
	}
}

// take copies the values of some rows to dst, nil from nil.
func take[T any](dst, from []T, rows []uint32) []T {
	if from == nil {
		return nil
	}
	dst = slices.Grow(dst[:0], len(rows))[:len(rows)]
	for i, r := range rows {
		dst[i] = from[r]
	}
	return dst
}
