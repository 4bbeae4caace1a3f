package hist

import (
	"slices"
	"sync/atomic"
)

// sharedSearch is the search for the split of a leaf of one worker, with which idle workers may
// help. A free worker takes the next columns:
//
//	columns    some | some | some | ...
type sharedSearch struct {
	leaf    *open
	columns []int32
	able    []bool       // by place; see engine.look
	next    atomic.Int64 // part of the columns
	best    split        // of helpers that have finished; the rest is guarded by the lock of leafWorkers
	helpers int          // at work
}

const (
	// lookColumns is the number of columns that are looked at before others are.
	lookColumns = 64
	// lookLeast is the least number of columns with which help pays.
	lookLeast = 8 * lookColumns
)

// search is engine.search with the help of idle workers.
func (c *leafWorkers) search(l *open, w *worker) {
	if len(c.e.team) == 1 || len(c.e.columns.ofTree) < lookLeast || !c.e.c.mayBeSplit(l) ||
		l.hist.few() {
		c.e.search(l, w)
		return
	}
	columns := c.e.columns.ofLeaf(l)
	k := &sharedSearch{leaf: l, columns: columns, able: make([]bool, len(columns)), best: none()}
	c.mu.Lock()
	c.searches = append(c.searches, k)
	if c.waiting > 0 {
		c.wake.Broadcast()
	}
	c.mu.Unlock()
	best := k.at(c.e, w)
	c.mu.Lock()
	c.searches = slices.DeleteFunc(c.searches, func(o *sharedSearch) bool { return o == k })
	for k.helpers > 0 {
		c.wake.Wait()
	}
	c.mu.Unlock()
	l.split = best
	if k.best.better(&l.split) {
		l.split = k.best
	}
	c.e.inherit(l, columns, k.able)
	c.e.settle(l)
}

// unseen returns a search of which enough is left for a helper, nil if there is none.
func (c *leafWorkers) unseen() *sharedSearch {
	for _, k := range c.searches {
		if left := len(k.columns) - lookColumns*int(k.next.Load()); left >= lookLeast/2 {
			return k
		}
	}
	return nil
}

// helpSearch helps until no column is left.
func (c *leafWorkers) helpSearch(k *sharedSearch, w *worker) {
	k.helpers++
	c.mu.Unlock()
	best := k.at(c.e, w)
	c.mu.Lock()
	if best.better(&k.best) {
		k.best = best
	}
	k.helpers--
	c.wake.Broadcast()
}

// at returns the best split by the columns that a worker can get.
func (k *sharedSearch) at(e *engine, w *worker) split {
	w.looking, w.best = nil, none()
	parts := (len(k.columns) + lookColumns - 1) / lookColumns
	for i := int(k.next.Add(1)) - 1; i < parts; i = int(k.next.Add(1)) - 1 {
		e.look(k.leaf, k.columns, k.able, i*lookColumns,
			min(len(k.columns), (i+1)*lookColumns), w)
	}
	return w.best
}
