package hist

import (
	"slices"
	"sync/atomic"
)

// sharedHistogram is the histogram of the rows of a leaf that one worker splits, and with which
// idle workers may help. It is of words only, whose sums do not depend on the order. Helpers add to
// a histogram of their own:
//
//	rows    block | block | block | block | ...     a free worker takes the next one
type sharedHistogram struct {
	rows     []int32
	next     atomic.Int64 // block
	helpers  int          // at work; the rest is guarded by the lock of leafWorkers
	partials []*histogram // of those that have finished
}

const (
	effortBlock = 2048            // rows
	effortLeast = 4 * effortBlock // fewer rows are added before a helper has woken up
)

// fill is a filler with the help of idle workers.
func (c *leafWorkers) fill(h *histogram, rows []int32) {
	hist := &c.e.hist
	if len(c.e.team) == 1 || hist.pool.double || len(rows) < effortLeast {
		hist.fill(h, rows)
		return
	}
	e := &sharedHistogram{rows: rows}
	c.mu.Lock()
	c.histograms = append(c.histograms, e)
	if c.waiting > 0 {
		c.wake.Broadcast()
	}
	c.mu.Unlock()
	e.add(hist, h)
	c.mu.Lock()
	c.histograms = slices.DeleteFunc(c.histograms, func(o *sharedHistogram) bool { return o == e })
	for e.helpers > 0 {
		c.wake.Wait()
	}
	c.mu.Unlock()
	hist.plus(h, e.partials)
}

// unfinished returns a histogram of which enough is left for a helper, nil if there is none.
func (c *leafWorkers) unfinished() *sharedHistogram {
	for _, e := range c.histograms {
		if left := len(e.rows) - effortBlock*int(e.next.Load()); left >= effortLeast/2 {
			return e
		}
	}
	return nil
}

// help helps until no block is left.
func (c *leafWorkers) help(e *sharedHistogram) {
	e.helpers++
	c.mu.Unlock()
	partial := c.e.hist.take()
	e.add(&c.e.hist, partial)
	c.mu.Lock()
	e.helpers--
	e.partials = append(e.partials, partial)
	c.wake.Broadcast()
}

// add makes h the histogram of the blocks that it can get.
func (e *sharedHistogram) add(b *builder, h *histogram) {
	clear(h.packed)
	blocks := (len(e.rows) + effortBlock - 1) / effortBlock
	for i := int(e.next.Add(1)) - 1; i < blocks; i = int(e.next.Add(1)) - 1 {
		b.add(h, e.rows[i*effortBlock:min(len(e.rows), (i+1)*effortBlock)])
	}
}
