package exact

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/tree"
)

// subtrees grows the subtrees of nodes that were set aside because they fit into frames of their own. Several workers grow one
// each, apart, and the parts join the tree in the order in which one worker would have grown them.
func (g *grower) subtrees(ctx context.Context) {
	if len(g.aside) == 0 {
		return
	}
	if len(g.scanners) == 1 || len(g.aside) == 1 {
		sub := g.below()
		for _, nd := range g.aside {
			if ctx.Err() != nil {
				return
			}
			sub.enter(g, nd)
			sub.run(ctx, false, nd)
		}
		return
	}
	parts, at := make([]*tree.Builder, len(g.aside)), make([]int32, len(g.aside))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(g.scanners), len(parts)) {
		wg.Go(func() {
			sub := g.below()
			for i := next.Add(1) - 1; i < int64(len(parts)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				nd := g.aside[i]
				at[i] = int32(nd.id)
				sub.b, nd.id = g.builder(), 0
				sub.record(nd)
				sub.enter(g, nd)
				sub.run(ctx, false, nd)
				parts[i] = sub.b
			}
		})
	}
	wg.Wait()
	for i, part := range parts {
		if part != nil { // unless it was cancelled
			g.b.Graft(at[i], part)
		}
	}
}

// setFrame makes the frame of all prepared rows the store.
func (g *grower) setFrame(cfg *Config) {
	g.store = &framed{frame: *g.prepared.all}
	if bits.Len(uint(len(g.pop.Rows)))+int(g.shift) <= 32 {
		g.class8 = classBytes(g.pop.Class, g.pop.Classes)
	}
	g.sets = !cfg.BestFirst && g.limits.Leaves <= 0
	g.columns = make([]working, len(g.prepared.columns))
	for i := range g.columns {
		g.columns[i].code = g.prepared.columns[i].code
	}
}

// serves checks that a framed table can be grown on as asked.
func (p *Prepared) serves(cfg *Config) error {
	if p.all == nil {
		if cfg.Drawn > 0 || cfg.Blind {
			return ErrUnframed
		}
		return nil
	}
	if cfg.C45 != nil || cfg.Missing > Majority || cfg.Directions.any() || cfg.Limits.Chi2 > 0 {
		return ErrFramed
	}
	return nil
}

// framesUpTo is the share of columns looked at per node up to which frames are faster than presorted columns: measured in
// docs/adr/0011-frames.md.
const framesUpTo = 0.25

// Framed reports whether PrepareFramed serves a way to grow trees of so many columns better than Prepare.
func (c *Config) Framed(columns int) bool {
	few := c.Mtry > 0 && float64(c.Mtry) <= framesUpTo*float64(columns)
	return c.Drawn > 0 || c.Blind || few && (&Prepared{all: &frame{}}).serves(c) == nil
}

// ErrFramed is returned by Grow for a way to grow that needs Prepare, not PrepareFramed.
var ErrFramed = errors.New("a table prepared in frames serves neither C4.5, nor directions, nor the chi-squared limit, nor this rule for missing values")

// ErrUnframed is returned by Grow for drawn splits of a table made ready by Prepare.
var ErrUnframed = errors.New("drawn splits need a table prepared in frames")

// below returns a grower for subtrees of a grower, with memory of its own.
func (g *grower) below() *grower {
	sub := new(grower)
	*sub = *g
	sub.sets, sub.aside, sub.open, sub.free, sub.found = false, nil, nil, nil, make([]split, len(g.found))
	sub.lottery, sub.swaps, sub.chosen = slices.Clone(g.lottery), nil, nil
	sub.pop, sub.class8, sub.rest, sub.first, sub.rows, sub.sample.Y, sub.sample.Weight = &grow.Population{Classes: g.pop.Classes}, nil, nil, nil, nil, nil, nil
	all := g.store.(*framed)
	store := &framed{frame: frame{columns: make([]frameColumn, len(all.columns))}, all: &all.frame}
	sub.store, sub.columns = store, make([]working, len(g.columns))
	sub.scanners = []*scanner{newScanner(sub, g.row)}
	sub.scanners[0].marks = make([]uint64, frameRows/64)
	return sub
}

// enter makes the rows of a node the frame of a grower for subtrees.
func (g *grower) enter(above *grower, nd *node) {
	f := g.store.(*framed)
	f.rows = append(f.rows[:0], nd.list...)
	f.gather()
	pop, from := g.pop, above.pop
	pop.Rows = take(pop.Rows, from.Rows, f.rows)
	pop.Class = take(pop.Class, from.Class, f.rows)
	pop.Count = take(pop.Count, from.Count, f.rows)
	pop.Weight = take(pop.Weight, from.Weight, f.rows)
	pop.Case = take(pop.Case, from.Case, f.rows)
	pop.Y = take(pop.Y, from.Y, f.rows)
	for i := range g.columns {
		g.columns[i].code = take(g.columns[i].code, above.columns[i].code, f.rows)
	}
	g.rows = g.rows[:0]
	for i := range f.rows {
		g.rows = append(g.rows, uint32(i))
	}
	g.first = slices.Grow(g.first[:0], (len(f.rows)+63)/64)[:(len(f.rows)+63)/64]
	nd.list, nd.lo, nd.hi = g.rows, 0, len(f.rows)
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

// gather copies the places of the frame's rows among all rows, to be replaced by places in the frame when a column is looked
// at.
func (f *framed) gather() {
	for i := range f.columns {
		f.columns[i].ready = false
	}
	w := len(f.all.numeric)
	if f.all.byRow == nil {
		return
	}
	for j, column := range f.all.numeric {
		c := &f.columns[column]
		c.place = slices.Grow(c.place[:0], len(f.rows))[:len(f.rows)]
		for i, row := range f.rows {
			c.place[i] = f.all.byRow[int(row)*w+j]
		}
	}
}

// fetch copies the places of one column where there are none row by row.
func (f *framed) fetch(column int) {
	if f.all.byRow != nil {
		return
	}
	c, all := &f.columns[column], &f.all.columns[column]
	c.place = slices.Grow(c.place[:0], len(f.rows))[:len(f.rows)]
	for i, row := range f.rows {
		c.place[i] = all.place[row]
	}
}

// raw returns, by row, the places of a column among all rows, and the column of all rows.
func (f *framed) raw(column int) (place []uint32, all *frameColumn) {
	c := &f.columns[column]
	if f.all == nil {
		return c.place, c
	}
	all = &f.all.columns[column]
	if !c.ready {
		f.fetch(column)
		c.ready, c.known = true, all.known
	}
	return c.place, all
}

// look makes a numeric column of a subtree's frame, if it is not made yet.
func (f *framed) look(s *scanner, column int) *frameColumn {
	c := &f.columns[column]
	if f.all == nil || c.ready {
		return c
	}
	c.ready = true
	all := &f.all.columns[column]
	g := s.g
	f.fetch(column)
	c.order, c.known = slices.Grow(c.order[:0], len(f.rows)), 0
	for i, e := range s.sortPlaces(c.place) {
		e = g.entryAt(all, e.Key, e.Pos)
		if e.Key>>g.shift != g.missing {
			c.known++
		}
		c.place[e.Pos] = uint32(i)
		c.order = append(c.order, e)
	}
	return c
}
