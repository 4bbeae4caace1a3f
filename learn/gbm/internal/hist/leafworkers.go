package hist

import (
	"cmp"
	"context"
	"sync"
)

// leafWorkers is the workers that split leaves of their own, ahead of the order in which splits are
// made. A leaf may turn out not to be split. The tree is the same as if its turn had been waited
// for.
//
//	queue     a  b  c  d  e ...     in the order of the policy
//	workers   1     2               a and c are tried; a is committed once it is ready
type leafWorkers struct {
	g    *growth
	t    *branches
	mu   sync.Mutex
	wake *sync.Cond

	leaves int     // of the tree
	all    *queue  // leaves whose parents were split, in the order of the policy
	idle   *queue  // those that no worker has taken, in the same order
	ahead  []*open // to be tried before it is known whether the leaves above are split; see batch
	ready  int     // leaves that were taken and not split yet
	done   bool
	err    error

	waiting int      // workers that have nothing to do
	shared  []helped // with which they may help
}

func newLeafWorkers(g *growth, t *branches) *leafWorkers {
	c := &leafWorkers{g: g, t: t, leaves: 1, all: newQueue(g.c.Policy), idle: newQueue(g.c.Policy)}
	c.wake = sync.NewCond(&c.mu)
	return c
}

// growOpen splits the leaves of a tree, which has a root, in the order of the policy until nothing
// is gained or a limit is reached. Large leaves are split by all workers together, the others by
// one worker each.
func growOpen(ctx context.Context, g *growth, t *branches) error {
	g.find.searchTogether(t.nodes[0])
	c := newLeafWorkers(g, t)
	c.push(t.nodes[0])
	switch {
	case g.ranks.several(): // all leaves are split together
		for c.splitLarge(ctx) {
		}
		c.err = cmp.Or(ctx.Err(), g.ranks.failed())
	case len(g.team) == 1:
		c.work(ctx, g.team[0])
	default:
		var wait sync.WaitGroup
		for c.splitLarge(ctx) {
		}
		for _, w := range g.team {
			wait.Go(func() { c.work(ctx, w) })
		}
		wait.Wait()
	}
	c.dropRest()
	return c.err
}

// dropRest drops the leaves that are not split.
func (c *leafWorkers) dropRest() {
	for l := c.all.pop(); l != nil; l = c.all.pop() {
		c.drop(l)
	}
}

// drop releases the histograms of a leaf that is not split, and of those that it was to have below.
func (c *leafWorkers) drop(l *open) {
	c.g.hist.release(l)
	if l.first != nil {
		c.drop(l.first)
		c.drop(l.last)
	}
}

// push adds a leaf that has a split.
func (c *leafWorkers) push(l *open) {
	if l.split.column < 0 {
		return
	}
	c.all.Push(l)
	if l.ahead = false; !l.ready {
		c.idle.Push(l)
	}
}

// full reports whether the tree has all leaves that it may have.
func (c *leafWorkers) full() bool { return c.g.c.Leaves > 0 && c.leaves >= c.g.c.Leaves }

// last reports whether the tree may have one more split only.
func (c *leafWorkers) last() bool { return c.g.c.Leaves > 0 && c.leaves == c.g.c.Leaves-1 }

// commit splits a leaf that is next and ready.
func (c *leafWorkers) commit(l *open) {
	c.leaves++
	c.t.commit(l)
	c.push(l.first)
	c.push(l.last)
}

// commitReady makes the splits whose turn has come.
func (c *leafWorkers) commitReady() {
	for l := c.all.peek(); l != nil && l.ready && !c.full(); l = c.all.peek() {
		c.all.pop()
		c.ready--
		c.commit(l)
	}
}

// large reports whether all workers should split a leaf together: if it has more rows than a
// worker's fraction of the tree's. Smaller leaves are given to one worker each, which then need not
// wait for each other. Several ranks split all leaves together, so that they add up a histogram at
// the same time.
func (c *leafWorkers) large(l *open) bool {
	return c.g.ranks.several() || c.g.hist.keepsAllBusy(l.len()) && l.len()*len(c.g.team) > len(c.g.rows.rows)
}

// splitLarge splits the next leaf on all workers if it is large. It reports whether it did.
func (c *leafWorkers) splitLarge(ctx context.Context) bool {
	l := c.all.peek()
	if l == nil || c.full() || !c.large(l) || cmp.Or(ctx.Err(), c.g.ranks.failed()) != nil {
		return false
	}
	c.splitNext()
	return true
}

// splitNext splits the next leaf on all workers.
func (c *leafWorkers) splitNext() {
	l := c.all.pop()
	c.idle.pop()
	l.final = c.last()
	if c.g.split.splitTogether(l) {
		c.g.find.searchTogether(l.first)
		c.g.find.searchTogether(l.last)
	}
	c.commit(l)
}

// work takes leaves and splits them, in turns with the other workers.
func (c *leafWorkers) work(ctx context.Context, w *worker) {
	fill := filler(c.fill)
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		l := c.take(ctx, w)
		if l == nil {
			return
		}
		c.mu.Unlock()
		if c.g.split.split(l, w, fill) {
			c.search(l.first, w)
			c.search(l.last, w)
		}
		c.mu.Lock()
		l.ready = true
	}
}

// take makes the splits whose turn has come and returns the next leaf for a worker to try; nil when
// the tree is grown.
func (c *leafWorkers) take(ctx context.Context, w *worker) *open {
	for {
		c.commitReady()
		switch {
		case c.done:
			return nil
		case ctx.Err() != nil:
			c.err = ctx.Err()
			c.finish()
			return nil
		case c.full() || c.all.peek() == nil:
			c.finish()
			return nil
		}
		// The leaf that is next must be tried; of others no more than there may still be splits.
		if l := c.idle.peek(); l != nil &&
			(l == c.all.peek() || c.g.c.Leaves == 0 || c.ready < c.g.c.Leaves-c.leaves) {
			c.idle.pop()
			c.ready++
			l.final = l == c.all.peek() && c.last()
			c.wake.Broadcast()
			return l
		}
		if s := c.unfinished(); s != nil {
			c.help(s, w)
			continue
		}
		c.waiting++
		c.wake.Wait()
		c.waiting--
	}
}

func (c *leafWorkers) finish() {
	c.done = true
	c.wake.Broadcast()
}
