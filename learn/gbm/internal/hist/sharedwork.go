package hist

import (
	"slices"
	"sync/atomic"
)

// sharedWork is work on a leaf of one worker, with which idle workers may help. A free worker takes
// the next piece:
//
//	rows or columns    piece | piece | piece | ...
type sharedWork struct {
	pieces  int
	least   int // pieces left from which on help pays
	next    atomic.Int64
	helpers int // at work; guarded by the lock of leafWorkers
}

// helped is work that may be shared.
type helped interface {
	shared() *sharedWork
	// help does pieces until none is left. join, which is called under the lock of leafWorkers,
	// adds what was made to the work.
	help(w *worker) (join func())
}

func (s *sharedWork) shared() *sharedWork { return s }

// take returns a piece that nobody has taken. It reports false if there is none.
func (s *sharedWork) take() (piece int, ok bool) {
	piece = int(s.next.Add(1)) - 1
	return piece, piece < s.pieces
}

// share lets idle workers help with work, while own does pieces too.
func (c *leafWorkers) share(s helped, own func()) {
	c.mu.Lock()
	c.shared = append(c.shared, s)
	if c.waiting > 0 {
		c.wake.Broadcast()
	}
	c.mu.Unlock()
	own()
	c.mu.Lock()
	c.shared = slices.DeleteFunc(c.shared, func(o helped) bool { return o == s })
	for s.shared().helpers > 0 {
		c.wake.Wait()
	}
	c.mu.Unlock()
}

// unfinished returns work of which enough is left for a helper, nil if there is none.
func (c *leafWorkers) unfinished() helped {
	for _, h := range c.shared {
		if s := h.shared(); s.pieces-int(s.next.Load()) >= s.least {
			return h
		}
	}
	return nil
}

// help helps until no piece is left.
func (c *leafWorkers) help(s helped, w *worker) {
	s.shared().helpers++
	c.mu.Unlock()
	join := s.help(w)
	c.mu.Lock()
	join()
	s.shared().helpers--
	c.wake.Broadcast()
}

// sharedHistogram is the histogram of the rows of a leaf. It is of words only, whose sums do not
// depend on the order. Helpers add to a histogram of their own.
type sharedHistogram struct {
	sharedWork
	hist     *builder
	rows     []int32
	partials []*histogram // of helpers that have finished
}

const (
	effortBlock = 2048 // rows of a piece
	effortLeast = 4    // pieces: fewer are added before a helper has woken up
)

func newSharedHistogram(hist *builder, rows []int32) *sharedHistogram {
	pieces := (len(rows) + effortBlock - 1) / effortBlock
	return &sharedHistogram{hist: hist, rows: rows,
		sharedWork: sharedWork{pieces: pieces, least: effortLeast / 2}}
}

// fill is a filler with the help of idle workers.
func (c *leafWorkers) fill(h *histogram, rows []int32) {
	hist := c.g.hist
	if len(c.g.team) == 1 || hist.pool.double || len(rows) < effortLeast*effortBlock {
		hist.fill(h, rows)
		return
	}
	s := newSharedHistogram(hist, rows)
	c.share(s, func() { s.add(h) })
	hist.plus(h, s.partials)
}

func (s *sharedHistogram) help(*worker) (join func()) {
	partial := s.hist.take()
	s.add(partial)
	return func() { s.partials = append(s.partials, partial) }
}

// add makes h the histogram of the pieces that it can get.
func (s *sharedHistogram) add(h *histogram) {
	clear(h.packed)
	for i, ok := s.take(); ok; i, ok = s.take() {
		s.hist.add(h, s.rows[i*effortBlock:min(len(s.rows), (i+1)*effortBlock)])
	}
}

// sharedSearch is the search for the split of a leaf.
type sharedSearch struct {
	sharedWork
	find    *searcher
	leaf    *open
	columns []int32
	able    []bool // by place; see searcher.look
	best    split  // of those that have finished
}

const (
	lookColumns = 64 // columns of a piece
	lookLeast   = 8  // pieces: the fewest with which help pays
)

// search is searcher.search with the help of idle workers.
func (c *leafWorkers) search(l *open, w *worker) {
	find := c.g.find
	if len(c.g.team) == 1 || len(find.columns.ofTree) < lookLeast*lookColumns ||
		!c.g.c.mayBeSplit(l) || l.hist.few() {
		find.search(l, w)
		return
	}
	columns := find.columnsOf(l)
	s := &sharedSearch{find: find, leaf: l, columns: columns, able: make([]bool, len(columns)),
		best: none(), sharedWork: sharedWork{least: lookLeast / 2,
			pieces: (len(columns) + lookColumns - 1) / lookColumns}}
	var own split
	c.share(s, func() { own = s.look(w) })
	if l.split = own; s.best.better(&l.split) {
		l.split = s.best
	}
	find.inherit(l, columns, s.able)
	find.settle(l)
}

func (s *sharedSearch) help(w *worker) (join func()) {
	found := s.look(w)
	return func() {
		if found.better(&s.best) {
			s.best = found
		}
	}
}

// look returns the best split by the columns that a worker can get.
func (s *sharedSearch) look(w *worker) split {
	by := s.find.seekers[w.number]
	by.looking, by.best = nil, none()
	for i, ok := s.take(); ok; i, ok = s.take() {
		s.find.look(s.leaf, s.columns, s.able, i*lookColumns,
			min(len(s.columns), (i+1)*lookColumns), w)
	}
	return by.best
}
