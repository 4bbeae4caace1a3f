package hist

import (
	"cmp"
	"context"
	"math"
	"slices"
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
func growBatches(ctx context.Context, g *growth, t *branches, by batches) error {
	g.find.findAll(t.nodes)
	if err := g.agree(ctx, by, t.nodes); err != nil {
		return err
	}
	c, most := newLeafWorkers(g, t), by.limit()
	c.push(t.nodes[0])
	for {
		c.commitReady()
		if c.full() || c.all.peek() == nil {
			break
		}
		batch := c.batch(most)
		if err := by.splitAll(ctx, batch); err != nil {
			return err
		}
		children := appendChildren(nil, batch)
		if err := g.agree(ctx, by, children); err != nil {
			return err
		}
		for _, l := range batch {
			l.ready = true
		}
		c.expect(children)
	}
	g.expected = c.leastGain()
	c.dropRest()
	return nil
}

// batches is how leaves are split several at a time.
type batches interface {
	// limit returns how many leaves are tried at a time.
	limit() batchLimit
	// splitAll splits leaves, and finds the best splits of those children that may be split.
	splitAll(ctx context.Context, leaves []*open) error
	// agreeAll makes the best splits of leaves those that any rank has found.
	agreeAll(leaves []*open) error
}

// agree completes the search for the best splits of leaves. Those of which rows have to be counted
// are searched again.
func (g *growth) agree(ctx context.Context, by batches, leaves []*open) error {
	for search := leaves; len(search) > 0; {
		if err := by.agreeAll(search); err != nil {
			return err
		}
		search = wantingOf(search)
		if err := g.find.counter.countWanted(ctx, search); err != nil {
			return err
		}
		g.find.findAll(search)
	}
	for _, l := range leaves {
		l.counts = nil
		g.find.settle(l)
	}
	return g.ranks.failed()
}

// batchLimit is how many leaves are tried in one walk or message at most. Of those that are not
// expected to be split these are so many in any case, and more if they have few rows.
type batchLimit struct {
	leaves, rows, most int
	// A walk costs more than a leaf that is tried in vain, a message does not.
	eager bool
}

// batch takes the leaves that are tried in the next walk: the one that is next, and others as long
// as there may still be splits for all that were tried.
func (c *leafWorkers) batch(most batchLimit) []*open {
	var batch []*open
	take := func(l *open) {
		c.ready++
		batch = append(batch, l)
	}
	room := func() bool {
		return len(batch) < most.most && (c.g.c.Leaves == 0 || c.ready < c.g.c.Leaves-c.leaves)
	}
	eager := most.eager || !c.expected(c.all.peek())
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
	if c.g.c.Policy != LeafWise || !c.full() {
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
	return l.split.column >= 0 && l.split.gain >= c.g.expected
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
