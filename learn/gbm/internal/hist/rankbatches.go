package hist

import (
	"cmp"
	"context"
	"slices"
)

// rankBatches splits leaves on several ranks, of which each has some columns of the histograms: the
// sums of a batch go in one message.
type rankBatches struct{ *growth }

// togetherRows is the number of rows of each rank up to which leaves are tried in one message.
// togetherLeaves is the divisor of a tree's leaves that gives how many large ones are tried: more
// would turn out not to be split.
// togetherBytes bounds the histograms of a message.
const (
	togetherRows   = 1 << 14
	togetherLeaves = 16
	togetherBytes  = 64 << 20
)

func (g *rankBatches) limit() batchLimit {
	n := g.c.Leaves
	if n == 0 { // all that are tried are split
		n = togetherLeaves * togetherLeaves
	}
	return batchLimit{leaves: 1 + n/togetherLeaves, rows: togetherRows * len(g.owners.runs),
		most: max(1, togetherBytes/max(1, g.hist.pool.size))}
}

// share starts to complete histograms of this rank's rows by those of the others. Once the function
// that it returns has been called, the cells of its columns are the sums of all. Numbers of rows
// are completed, too.
func (g *rankBatches) share(hists []*histogram, counts []int32) (finish func()) {
	o := &g.owners
	x := o.message[:0]
	for rank, runs := range o.runs {
		for _, h := range hists {
			for _, c := range runs {
				x = append(x, h.packed[c.at:c.at+c.n]...)
			}
		}
		for _, n := range counts {
			x = append(x, int64(n))
		}
		o.sizes[rank] = len(hists)*o.cells[rank] + len(counts)
	}
	o.message = x
	wait := g.ranks.parts(x, o.sizes)
	return func() {
		wait()
		for _, n := range o.sizes[:o.rank] {
			x = x[n:]
		}
		for _, h := range hists {
			for _, c := range o.runs[o.rank] {
				x = x[copy(h.packed[c.at:c.at+c.n], x):]
			}
		}
		for i := range counts {
			counts[i] = int32(x[i])
		}
	}
}

// halves is a leaf that is split: what is known of its first child before all ranks are asked.
type halves struct {
	mid   int32
	first []pair
	// histograms of the lighter child's rows, and of the other's where that of the leaf was not
	// kept; nil: there will be no splits below
	light, heavy *histogram
	movedMid     int32 // mid among the rows that have moved to this rank
}

// splitAll splits many rows in two portions, so that the ranks compute while sums are added up:
//
//	computing   split 1 | split 2     | find 1       | find 2
//	messages            | sums of 1   | sums of 2    |        | best splits of all
func (g *rankBatches) splitAll(_ context.Context, leaves []*open) error {
	if g.move(leaves); g.ranks.failed() != nil {
		return g.ranks.failed()
	}
	var children []*open // yet to be searched
	finish := func() {}
	for _, portion := range g.portions(leaves) {
		parted := g.halveAll(portion)
		finish() // of the portion before
		hists, counts := sharedOf(portion, parted)
		summed := g.share(hists, counts)
		g.find.findAll(children)
		children = nil
		finish = func() {
			if summed(); g.ranks.failed() == nil {
				g.descendAll(portion, parted, counts)
				children = appendChildren(nil, portion)
			}
		}
	}
	finish()
	g.find.findAll(children)
	return g.ranks.failed()
}

// portionRows is the number of rows of each rank from which on a batch of leaves is two portions:
// splitting half of them takes longer than the message that is added.
const portionRows = 1 << 15

// portions divides leaves where they have enough rows, about in the middle of these. Leaves whose
// rows have moved take little time.
func (g *rankBatches) portions(leaves []*open) [][]*open {
	all := 0
	for _, l := range leaves {
		all += l.ownedRows()
	}
	if all < g.owners.portion*len(g.owners.runs) {
		return [][]*open{leaves}
	}
	n, before := 0, 0
	for n < len(leaves)-1 && (n == 0 || 2*before+leaves[n].ownedRows() <= all) {
		before += leaves[n].ownedRows()
		n++
	}
	if n == 0 {
		return [][]*open{leaves}
	}
	return [][]*open{leaves[:n], leaves[n:]}
}

// halveAll partitions the rows of leaves: each rank its own, of which it adds up those of the
// lighter child. That the other child may have fewer rows makes no difference: differences are
// exact. Of leaves whose rows have moved to one rank there are no histograms before they are
// searched.
func (g *rankBatches) halveAll(leaves []*open) []halves {
	parted := make([]halves, len(leaves))
	g.team.eachOrTogether(len(leaves), func(i int, w *worker) {
		parted[i] = g.halve(leaves[i], w, g.hist.fill)
	}, func(i int) {
		parted[i] = g.halve(leaves[i], nil, g.hist.fillOwn)
	})
	return parted
}

// sharedOf returns what is added up of leaves that were partitioned: the histograms of their
// children, and the numbers of rows of the first ones.
func sharedOf(leaves []*open, parted []halves) (hists []*histogram, counts []int32) {
	for i, l := range leaves {
		counts = append(counts, parted[i].mid-l.begin)
		for _, h := range []*histogram{parted[i].light, parted[i].heavy} {
			if h != nil {
				hists = append(hists, h)
			}
		}
	}
	return hists, counts
}

// descendAll makes the children of leaves, once what was shared of them is that of all ranks.
func (g *rankBatches) descendAll(leaves []*open, parted []halves, counts []int32) {
	for i, l := range leaves {
		p := &parted[i]
		below := g.split.descend(l, p.mid, counts[i], p.first)
		l.moveChildren(p.movedMid)
		switch {
		case p.light == nil:
		case below && p.heavy == nil:
			g.owners.subtract(l.hist, p.light)
			p.heavy, l.hist = l.hist, nil
			fallthrough
		case below:
			light, heavy := l.lighter(p.first)
			light.hist, heavy.hist = p.light, p.heavy
		default:
			g.hist.pool.give(p.light)
			if p.heavy != nil {
				g.hist.pool.give(p.heavy)
			}
		}
	}
}

// halve partitions the rows of a leaf, on a worker or on all of them, nil, and adds up those of its
// lighter child.
func (g *rankBatches) halve(l *open, w *worker, fill filler) (p halves) {
	p.first, p.mid = g.split.partition(l, w, fill)
	p.first = slices.Clone(p.first)
	if g.lastBelow(l) {
		return p
	}
	if l.moved.rows != nil {
		p.movedMid = g.partitionMoved(l, cmp.Or(w, g.team[0]))
		return p
	}
	light, heavy := g.rows.rows[l.begin:p.mid], g.rows.rows[p.mid:l.end]
	if !l.firstIsLighter(p.first) {
		light, heavy = heavy, light
	}
	p.light = g.hist.take()
	fill(p.light, light)
	if l.hist == nil {
		p.heavy = g.hist.take()
		fill(p.heavy, heavy)
	}
	return p
}

// partitionMoved partitions the rows of a leaf that have moved to this rank, and returns the first
// of those that go to the last child.
func (g *rankBatches) partitionMoved(l *open, w *worker) int32 {
	if l.moved.isAway(g.owners.rank) {
		return 0
	}
	m := g.tables.m
	w.side = l.split.sides(m, w.side)
	return l.moved.partition(m.InPacked(m.Columns[l.split.column].Group), w.side, w)
}

// agreeAll also joins what else the ranks have found of the leaves.
func (g *rankBatches) agreeAll(leaves []*open) error {
	o := &g.owners
	o.bytes = o.bytes[:0]
	for _, l := range leaves {
		o.bytes = l.appendFound(o.bytes)
		l.split, l.able, l.wanted = none(), nil, nil
	}
	for _, b := range g.ranks.gather(o.bytes) {
		for _, l := range leaves {
			found, able, wanted, rest, err := readFound(b, len(g.tables.m.Columns))
			if err != nil {
				g.ranks.fail(err)
				return g.ranks.failed()
			}
			b = rest
			if found.better(&l.split) {
				l.split = found
			}
			l.able, l.wanted = append(l.able, able...), append(l.wanted, wanted...)
		}
	}
	for _, l := range leaves {
		slices.SortFunc(l.able, cmp.Compare[int32])
	}
	return g.ranks.failed()
}
