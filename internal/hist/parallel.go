package hist

import (
	"context"
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// together is the number of rows from which on a leaf keeps all workers busy by itself.
const together = 1 << 15

// shared reports whether all workers should split a leaf together: if it has more rows than a
// worker's fraction of the tree's. Smaller ones are given to one worker each: they need not wait
// for each other then.
func (r *Grower) shared(l *open) bool {
	return l.len() >= together && l.len()*len(r.workers) > len(r.order)
}

// each calls f with 0 to n-1, on all workers: each time with the one that calls.
func (r *Grower) each(n int, f func(i int, w *worker)) {
	parallel.Each(len(r.workers), n, func(w, i int) { f(i, r.workers[w]) })
}

// span returns part i of n parts of some elements.
func span(elements, i, n int) (int, int) {
	return elements * i / n, elements * (i + 1) / n
}

// fillTogether makes h the histogram of many rows on all workers. Words are added by parts of the
// rows, since the order of their sums does not matter; pairs by columns.
func (r *Grower) fillTogether(h *histogram, rows []int32) {
	k := len(r.workers)
	if k == 1 || len(rows) < together {
		h.fill(r.m, &r.lay, &r.sums, rows)
		return
	}
	if r.sums.double {
		clear(h.pairs)
		blocks := len(r.lay.blocks)
		r.each(min(k, blocks), func(i int, _ *worker) {
			lo, hi := span(blocks, i, min(k, blocks))
			a := kernel.AddPairs{Cells: h.pairs, Blocks: r.lay.blocks[lo:hi], Codes: r.m.Packed[kernel.ColumnsPerBlock*lo:],
				Stride: r.m.Stride, Pairs: r.sums.pairs}
			a.Rows(rows)
		})
		r.each(len(r.m.Groups), func(i int, _ *worker) {
			if g := &r.m.Groups[i]; g.Wide != nil && !g.Out {
				kernel.AddPairCodes(h.pairs[2*r.lay.at[i]:], r.sums.pairs, g.Wide, rows)
			}
		})
	} else {
		partials := make([]*histogram, k)
		partials[0] = h
		for i := 1; i < k; i++ {
			partials[i] = r.histogram()
		}
		r.each(k, func(i int, _ *worker) {
			lo, hi := span(len(rows), i, k)
			clear(partials[i].packed)
			partials[i].add(r.m, &r.lay, &r.sums, rows[lo:hi])
		})
		for _, p := range partials[1:] {
			h.plus(p)
			r.give(p)
		}
		h.splitJoints(&r.lay)
	}
}

// searchTogether finds the best split of a leaf, each worker looking at some columns.
func (r *Grower) searchTogether(l *open) {
	l.split = none()
	if r.mayBeSplit(l) {
		columns := r.columns(l)
		found := make([]split, len(columns))
		r.each(len(columns), func(i int, w *worker) {
			w.scan.begin(l)
			sofar := none()
			found[i] = w.scan.scan(int(columns[i]), &sofar)
		})
		for i := range found {
			r.able(l, &found[i], columns[i])
			if found[i].better(&l.split) {
				l.split = found[i]
			}
		}
	}
	r.settle(l)
}

// expandTogether is crew.expand on all workers.
func (r *Grower) expandTogether(l *open) {
	r.children(l, r.partitionTogether(l))
	if !r.keepHistograms(l) {
		return
	}
	r.fillChildren(l, r.fillTogether)
	r.searchTogether(l.first)
	r.searchTogether(l.last)
}

// crew is the workers that split leaves of their own, ahead of the order in which splits are made.
// A leaf may turn out not to be split; the tree is the same as if its turn had been waited for.
type crew struct {
	r    *Grower
	t    *Grown
	mu   sync.Mutex
	wake *sync.Cond

	leaves int    // of the tree
	all    *queue // leaves whose parents were split, in the order of the policy
	idle   *queue // those that nobody has taken, in the same order
	ready  int    // leaves that were taken and not split yet
	done   bool
	err    error

	waiting int       // workers that have nothing to do
	efforts []*effort // in which they may help
}

// grow splits leaves in the order of the policy until nothing is gained or a limit is reached.
func (r *Grower) grow(ctx context.Context, t *Grown, root *open) error {
	root.hist = r.histogram()
	r.fillTogether(root.hist, r.order)
	r.searchTogether(root)
	c := &crew{r: r, t: t, leaves: 1, all: newQueue(r.c.Policy), idle: newQueue(r.c.Policy)}
	c.wake = sync.NewCond(&c.mu)
	c.push(root)
	if len(r.workers) == 1 {
		c.work(ctx, r.workers[0])
	} else {
		var wait sync.WaitGroup
		for c.splitLarge(ctx) {
		}
		for _, w := range r.workers {
			wait.Go(func() { c.work(ctx, w) })
		}
		wait.Wait()
	}
	for l := c.all.pop(); l != nil; l = c.all.pop() {
		r.drop(l)
	}
	return c.err
}

// drop gives the histograms of a leaf that is not split back, and of the children that it was to
// have.
func (r *Grower) drop(l *open) {
	r.release(l)
	if l.first != nil {
		r.release(l.first)
		r.release(l.last)
	}
}

// push adds a leaf that has a split.
func (c *crew) push(l *open) {
	if l.split.column >= 0 {
		c.all.push(l)
		c.idle.push(l)
	}
}

// full reports whether the tree has all leaves that it may have.
func (c *crew) full() bool { return c.r.c.Leaves > 0 && c.leaves >= c.r.c.Leaves }

// last reports whether there is room for one split more only.
func (c *crew) last() bool { return c.r.c.Leaves > 0 && c.leaves == c.r.c.Leaves-1 }

// commit splits a leaf that is next and ready.
func (c *crew) commit(l *open) {
	c.leaves++
	c.t.commit(l)
	c.push(l.first)
	c.push(l.last)
}

// splitLarge splits the next leaf on all workers if they share it. It reports whether it did.
func (c *crew) splitLarge(ctx context.Context) bool {
	l := c.all.peek()
	if l == nil || c.full() || !c.r.shared(l) || ctx.Err() != nil {
		return false
	}
	c.all.pop()
	c.idle.pop()
	l.final = c.last()
	c.r.expandTogether(l)
	c.commit(l)
	return true
}

// work takes leaves and splits them, in turns with the other workers.
func (c *crew) work(ctx context.Context, w *worker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		l := c.take(ctx)
		if l == nil {
			return
		}
		c.mu.Unlock()
		c.expand(l, w)
		c.mu.Lock()
		l.ready = true
	}
}

// expand partitions the rows of a leaf and finds the best splits of its children.
func (c *crew) expand(l *open, w *worker) {
	r := c.r
	r.partitionRows(l, w)
	if !r.keepHistograms(l) {
		return
	}
	r.fillChildren(l, c.fill)
	r.search(l.first, w)
	r.search(l.last, w)
}

// take makes the splits whose turn has come and returns the next leaf to be tried; nil when the
// tree is grown.
func (c *crew) take(ctx context.Context) *open {
	for {
		for l := c.all.peek(); l != nil && l.ready && !c.full(); l = c.all.peek() {
			c.all.pop()
			c.ready--
			c.commit(l)
		}
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
		if l := c.idle.peek(); l != nil && (l == c.all.peek() || c.r.c.Leaves == 0 || c.ready < c.r.c.Leaves-c.leaves) {
			c.idle.pop()
			c.ready++
			l.final = l == c.all.peek() && c.last()
			c.wake.Broadcast()
			return l
		}
		if e := c.unfinished(); e != nil {
			c.help(e)
			continue
		}
		c.waiting++
		c.wake.Wait()
		c.waiting--
	}
}

func (c *crew) finish() {
	c.done = true
	c.wake.Broadcast()
}
