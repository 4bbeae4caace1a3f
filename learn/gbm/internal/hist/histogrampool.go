package hist

import (
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/invariant"
)

// memory is the number of bytes that the histograms of open leaves may take. Leaves beyond them are
// open without one.
const memory = 256 << 20

// pool is the memory of histograms that trees use by turns.
type pool struct {
	budget int // bytes that histograms in use may take
	lends  int // bytes of histograms up to which a finished tree lends them to others

	mu   sync.Mutex
	free []*histogram // not in use
	few  []*histogram // those of few listed columns, which are less memory
	used int          // bytes in use

	// Of the tree that grows.
	double bool // the kind of all histograms
	size   int  // bytes of one
	none   bool // of float64: none are kept
}

// begin prepares for a tree whose histograms take up to size bytes each, and which has so many
// leaves at most.
//
// Differences of float64 are not what is added up from rows. So that trees do not depend on the
// order of workers, either all histograms of float64 are kept or none.
func (p *pool) begin(double bool, size, leaves int) {
	if p.double != double {
		p.free, p.double = nil, double
	}
	p.used, p.size = 0, size
	p.none = double && size > p.budget/max(1, leaves)
}

// take returns a histogram that is not in use, of any content.
func (p *pool) take(l *layout, outputs int) *histogram {
	h := p.next()
	h.fit(l, outputs, p.double)
	return h
}

func (p *pool) next() *histogram {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used += p.size
	n := len(p.free)
	if n == 0 {
		if !p.double {
			if h, _ := spare.Get().(*histogram); h != nil {
				return h
			}
		}
		return &histogram{}
	}
	h := p.free[n-1]
	p.free = p.free[:n-1]
	return h
}

// spare is histograms of words that no tree uses. Small trees of several trainings, as of folds,
// take turns with them, so that they stay in the cache of a processor.
var spare sync.Pool

// mostSpare is the number of bytes up to which the histograms of a tree are small.
const mostSpare = 64 << 20

// rest lends small histograms to other trees, after a tree that has given back all of its own.
func (p *pool) rest() {
	if p.double || p.size*len(p.free) > p.lends {
		return
	}
	for _, h := range p.free {
		spare.Put(h)
	}
	clear(p.free)
	p.free = p.free[:0]
}

// takeFew returns a histogram of few listed columns that is not in use, whose memory is counted
// when it is known.
func (p *pool) takeFew() *histogram {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.few)
	if n == 0 {
		return &histogram{}
	}
	h := p.few[n-1]
	p.few = p.few[:n-1]
	return h
}

// resizeFew gives a histogram of takeFew as many cells as there are, of any content.
func (p *pool) resizeFew(h *histogram, cells int) {
	h.packed, h.stride = resize(h.packed, cells), cells
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used += 8 * cells
}

// give takes a histogram back.
func (p *pool) give(h *histogram) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if invariant.On { // else two leaves would add up in the same cells
		invariant.Check(!slices.Contains(p.free, h) && !slices.Contains(p.few, h),
			"a histogram that is not in use is given back")
	}
	if h.few() {
		p.few = append(p.few, h)
		p.used -= 8 * len(h.packed)
		return
	}
	p.free = append(p.free, h)
	p.used -= p.size
}

// crowded reports whether the histograms in use take all the memory that they may.
func (p *pool) crowded() bool {
	if p.double {
		return p.none
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used > p.budget
}
