package hist

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// growBatches splits the leaves of a tree, which has a root, in the order of the policy, on a
// stored matrix or on several ranks. It tries many leaves in one walk or message, ahead of the
// order in which splits are made; a leaf may turn out not to be split. The tree is that of
// growOpen.
//
//	queue    a  b  c  d  e ...     in the order of the policy
//	walk 1   a
//	walk 2   children of a
//	walk 3   of those that are next, as many as may still be split, and of their children those
//	         that gain as much as the least split of the tree before
func growBatches(ctx context.Context, e *engine, t *grown) error {
	search, try := e.searchStored, e.tryStored
	most := batchLimit{leaves: math.MaxInt, most: math.MaxInt}
	if !e.stored() {
		search, try, most = e.searchShared, e.tryShared, e.togetherShared()
	}
	if err := search(ctx, t.nodes); err != nil {
		return err
	}
	c := newLeafWorkers(e, t)
	c.push(t.nodes[0])
	for {
		for l := c.all.peek(); l != nil && l.ready && !c.full(); l = c.all.peek() {
			c.all.pop()
			c.ready--
			c.commit(l)
		}
		if c.full() || c.all.peek() == nil {
			break
		}
		batch := c.batch(most)
		children, err := try(ctx, batch)
		if err != nil {
			return err
		}
		for _, l := range batch {
			l.ready = true
		}
		c.expect(children)
	}
	e.expected = c.leastGain()
	for l := c.all.pop(); l != nil; l = c.all.pop() {
		c.drop(l)
	}
	return nil
}

// tryStored splits leaves, and finds the best splits of their children. It returns those that may
// be split.
func (e *engine) tryStored(ctx context.Context, leaves []*open) (children []*open, err error) {
	if err := e.splitStored(ctx, leaves); err != nil {
		return nil, err
	}
	children = appendChildren(nil, leaves)
	return children, e.searchStored(ctx, children)
}

// appendChildren appends the children of those leaves that have one which may be split.
func appendChildren(to, leaves []*open) []*open {
	for _, l := range leaves {
		if l.grows {
			to = append(to, l.first, l.last)
		}
	}
	return to
}

// batchLimit is how many leaves are tried in one walk or message at most. Of those that are not
// expected to be split these are so many in any case, and more if they have few rows.
type batchLimit struct{ leaves, rows, most int }

// batch takes the leaves that are tried in the next walk: the one that is next, and others as long
// as there may still be splits for all that were tried.
func (c *leafWorkers) batch(most batchLimit) []*open {
	var batch []*open
	take := func(l *open) {
		c.ready++
		batch = append(batch, l)
	}
	room := func() bool {
		return len(batch) < most.most && (c.e.c.Leaves == 0 || c.ready < c.e.c.Leaves-c.leaves)
	}
	// A walk costs more than a leaf that is tried in vain, a message does not.
	eager := c.e.stored() || !c.expected(c.all.peek())
	rows := 0
	for l := c.idle.peek(); l != nil; l = c.idle.peek() {
		next := l == c.all.peek()
		rows += l.len()
		few := len(batch) < most.leaves || rows <= most.rows
		if !next && !(room() && (few && eager || c.expected(l))) {
			break
		}
		c.idle.pop()
		l.final = next && c.last()
		take(l)
	}
	for ; len(c.ahead) > 0 && room(); c.ahead = c.ahead[1:] {
		if l := c.ahead[0]; l.ahead {
			l.ahead = false
			take(l)
		}
	}
	return batch
}

// leastGain returns the gain from which on a leaf of the next tree will probably be split: that of
// the least split of this one. It is 0 where gains do not decide which leaves are split.
func (c *leafWorkers) leastGain() float64 {
	if c.e.c.Policy != LeafWise || !c.full() {
		return 0
	}
	least := math.Inf(1)
	for _, l := range c.t.split {
		least = min(least, l.split.gain)
	}
	return least
}

// expected reports whether a leaf will probably be split.
func (c *leafWorkers) expected(l *open) bool {
	return l.split.column >= 0 && l.split.gain >= c.e.expected
}

// expect makes leaves that will probably be split wait for the next walk. It need not be known yet
// whether the leaves above them are split.
func (c *leafWorkers) expect(leaves []*open) {
	for _, l := range leaves {
		if c.expected(l) {
			l.ahead = true
			c.ahead = append(c.ahead, l)
		}
	}
	slices.SortStableFunc(c.ahead, func(a, b *open) int {
		return cmp.Compare(b.split.gain, a.split.gain)
	})
}

// searchStored finds the best splits of leaves that have histograms.
func (e *engine) searchStored(ctx context.Context, leaves []*open) error {
	search := leaves
	for len(search) > 0 {
		if len(search) >= 2*len(e.team) {
			e.team.each(len(search), func(i int, w *worker) { e.find(search[i], w) })
		} else {
			for _, l := range search {
				e.findTogether(l)
			}
		}
		again := slices.DeleteFunc(slices.Clone(search), func(l *open) bool {
			return len(l.wanted) == 0
		})
		if len(again) > 0 {
			if err := e.countStored(ctx, again); err != nil {
				return err
			}
		}
		search = again
	}
	for _, l := range leaves {
		l.counts = nil
		e.settle(l)
	}
	return nil
}

// splitStored splits leaves: it partitions their rows and makes their children, which get
// histograms where one of them may be split.
func (e *engine) splitStored(ctx context.Context, leaves []*open) error {
	if len(e.sums) > 1 { // sums of the children are read from histograms
		var without []*open
		for _, l := range leaves {
			if l.hist == nil && !l.split.inName {
				without = append(without, l)
			}
		}
		if err := e.fillStored(ctx, without); err != nil {
			return err
		}
	}
	for len(leaves) > 0 {
		n := min(len(leaves), e.mostTogether())
		if err := e.splitSome(ctx, leaves[:n]); err != nil {
			return err
		}
		leaves = leaves[n:]
	}
	return nil
}

// partitioning is the walk that partitions the rows of leaves and adds up those of one child each.
type partitioning struct {
	walker
	side  [][]uint8 // by leaf: of its codes
	first [][]pair  // sums of the first child; nil: yet unknown
	add   []bool    // whether the rows of the lighter child are added up
	sums  *partials
	parts [][]chunk // by leaf: its chunks, in the order of their rows
}

func (e *engine) splitSome(ctx context.Context, leaves []*open) error {
	p := e.partitioning(leaves)
	need := bins.Need{}
	for i, l := range leaves {
		need.Packed = need.Packed || p.add[i]
		need.Columns = append(need.Columns, int32(l.split.column))
	}
	m := e.tables.m
	err := p.walk(ctx, need, false, func(b *bins.Block, c *chunk, by int) {
		own, rows := e.team[by], e.rows.rows[c.lo:c.hi]
		own.local = resize(own.local, len(rows))
		shift(rows, -b.First)
		group := m.Columns[leaves[c.leaf].split.column].Group
		c.first = partitionCodes(&b.Codes[group], rows, own.local, p.side[c.leaf])
		if p.add[c.leaf] {
			some := rows[:c.first]
			if !p.lighterIsFirst(c.leaf) {
				some = rows[c.first:]
			}
			if len(some) > 0 {
				e.hist.addStored(p.sums.at(c.leaf, by), b, some)
			}
		}
		shift(rows, b.First)
	}, func(chunks []chunk) {
		for _, c := range chunks {
			p.parts[c.leaf] = append(p.parts[c.leaf], c)
		}
	})
	if err != nil {
		p.sums.release()
		return err
	}
	e.rows.gather(p.leaves, p.parts, e.team)
	return p.children(ctx)
}

// partitioning prepares the walk. Of words the lighter child can be added up at once: that the
// other one may have fewer rows makes no difference, as differences are exact.
func (e *engine) partitioning(leaves []*open) *partitioning {
	n := len(leaves)
	p := &partitioning{walker: walker{e: e, leaves: leaves}, side: make([][]uint8, n),
		first: make([][]pair, n), add: make([]bool, n), sums: e.hist.partials(n),
		parts: make([][]chunk, n)}
	for i, l := range leaves {
		p.side[i] = l.split.sides(e.tables.m, nil)
		if l.split.inName {
			continue
		}
		p.first[i] = slices.Clone(e.team[0].find.sumsOfFirst(l, nil))
		p.add[i] = !e.hist.pool.double && l.hist != nil && !l.final &&
			(e.c.Depth == 0 || int(l.depth)+1 < e.c.Depth)
	}
	return p
}

// lighterIsFirst reports whether the first child has less of the sum of hessians.
func (p *partitioning) lighterIsFirst(leaf int) bool {
	first, all := 0.0, 0.0
	for k, s := range p.first[leaf] {
		first += s.h
		all += p.leaves[leaf].outputs[k].sum.h
	}
	return 2*first <= all
}

// children makes the children of the leaves, whose rows are partitioned.
func (p *partitioning) children(ctx context.Context) error {
	e := p.e
	var fill []*open        // to be added up in another walk
	var subtract [][2]*open // a leaf whose histogram is still the parent's, and its sibling
	for i, l := range p.leaves {
		mid := l.begin
		for _, c := range p.parts[i] {
			mid += int32(c.first)
		}
		first := p.first[i]
		if first == nil {
			first = make([]pair, len(e.sums))
			for k := range first {
				first[k] = e.sums[k].of(pair{}, e.rows.rows[l.begin:mid])
			}
		}
		if !e.descend(l, mid, mid-l.begin, first) {
			if p.add[i] {
				e.hist.pool.give(p.sums.finish(i))
			}
			continue
		}
		small, large := l.bySize()
		switch {
		case p.add[i]:
			if small, large = l.first, l.last; !p.lighterIsFirst(i) {
				small, large = large, small
			}
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
	if err := e.fillStored(ctx, fill); err != nil {
		return err
	}
	for _, pair := range subtract {
		pair[0].hist.subtract(pair[1].hist)
	}
	return nil
}

// gather puts the rows of leaves together that go to the same child, of which the chunks were
// partitioned. A leaf's rows stay where the leaf's are.
//
//	rows     first last | first last | ...     partitioned by chunk
//	spare    first first ... last last ...
func (o *rowOrder) gather(leaves []*open, parts [][]chunk, workers team) {
	type move struct{ chunk, to, toLast int }
	var moves []move
	var all []chunk
	for i, l := range leaves {
		mid := int(l.begin)
		for _, c := range parts[i] {
			mid += c.first
		}
		first, last := int(l.begin), mid
		for _, c := range parts[i] {
			moves = append(moves, move{len(all), first, last})
			all = append(all, c)
			first += c.first
			last += c.hi - c.lo - c.first
		}
	}
	o.other = resize(o.other, len(o.rows))
	workers.each(len(moves), func(i int, _ *worker) {
		c := &all[moves[i].chunk]
		copy(o.other[moves[i].to:], o.rows[c.lo:c.lo+c.first])
		copy(o.other[moves[i].toLast:], o.rows[c.lo+c.first:c.hi])
	})
	workers.each(len(all), func(i int, _ *worker) {
		copy(o.rows[all[i].lo:all[i].hi], o.other[all[i].lo:all[i].hi])
	})
}

// partitionCodes partitions rows of a block, numbered by it, by the sides of their codes.
func partitionCodes(codes *bins.Codes, rows, spare []int32, side []uint8) int {
	switch {
	case codes.Narrow != nil:
		return kernel.Partition(rows, spare, codes.Narrow, side)
	case codes.List != nil:
		return partitionListed(rows, spare, codes.List, side)
	}
	return kernel.Partition(rows, spare, codes.Wide, side)
}
