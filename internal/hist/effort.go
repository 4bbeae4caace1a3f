package hist

import (
	"slices"
	"sync/atomic"
)

// effort is the histogram of the rows of a leaf that one worker splits and those may help with who
// have no leaf themselves. Words only: the order of their sums does not matter. Who helps adds to a
// histogram of his own:
//
//	rows    block | block | block | block | ...     whoever is free takes the next one
type effort struct {
	rows     []int32
	next     atomic.Int64 // block
	helpers  int          // at work; the rest is guarded by the crew's lock
	partials []*histogram // of those that have finished
}

const (
	effortBlock = 2048            // rows
	effortLeast = 4 * effortBlock // fewer rows are added before a helper has woken up
)

// fill makes h the histogram of some rows of a leaf, with the help of whoever is free.
func (c *crew) fill(h *histogram, rows []int32) {
	r := c.r
	if len(r.workers) == 1 || r.sums.double || len(rows) < effortLeast {
		h.fill(r.m, &r.lay, &r.sums, rows)
		return
	}
	e := &effort{rows: rows}
	c.mu.Lock()
	c.efforts = append(c.efforts, e)
	if c.waiting > 0 {
		c.wake.Broadcast()
	}
	c.mu.Unlock()
	e.add(r, h)
	c.mu.Lock()
	c.efforts = slices.DeleteFunc(c.efforts, func(o *effort) bool { return o == e })
	for e.helpers > 0 {
		c.wake.Wait()
	}
	c.mu.Unlock()
	for _, partial := range e.partials {
		h.plus(partial)
		r.give(partial)
	}
	h.splitJoints(&r.lay)
}

// unfinished returns an effort of which enough is left for a helper, nil if there is none.
func (c *crew) unfinished() *effort {
	for _, e := range c.efforts {
		if left := len(e.rows) - effortBlock*int(e.next.Load()); left >= effortLeast/2 {
			return e
		}
	}
	return nil
}

// help helps until nothing is left to be taken.
func (c *crew) help(e *effort) {
	e.helpers++
	c.mu.Unlock()
	partial := c.r.histogram()
	e.add(c.r, partial)
	c.mu.Lock()
	e.helpers--
	e.partials = append(e.partials, partial)
	c.wake.Broadcast()
}

// add makes h the histogram of the blocks that it can get.
func (e *effort) add(r *Grower, h *histogram) {
	clear(h.packed)
	blocks := (len(e.rows) + effortBlock - 1) / effortBlock
	for i := int(e.next.Add(1)) - 1; i < blocks; i = int(e.next.Add(1)) - 1 {
		h.add(r.m, &r.lay, &r.sums, e.rows[i*effortBlock:min(len(e.rows), (i+1)*effortBlock)])
	}
}
