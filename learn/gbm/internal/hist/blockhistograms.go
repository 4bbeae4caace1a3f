package hist

import (
	"context"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// partials are the histograms of leaves while their rows are added up, by leaf and worker.
type partials struct {
	b  *builder
	of [][]*histogram
}

func (b *builder) partials(leaves int) *partials {
	p := &partials{b, make([][]*histogram, leaves)}
	for i := range p.of {
		p.of[i] = make([]*histogram, len(b.team))
	}
	return p
}

// at returns the histogram of a leaf that a worker adds to.
func (p *partials) at(leaf int, w *worker) *histogram {
	worker := w.number
	if p.b.pool.double {
		worker = 0 // one worker adds at a time
	}
	h := p.of[leaf][worker]
	if h == nil {
		h = p.b.take()
		clear(h.packed)
		clear(h.pairs)
		p.of[leaf][worker] = h
	}
	return h
}

// finish returns the histogram of all rows of a leaf.
func (p *partials) finish(leaf int) *histogram {
	h := p.at(leaf, p.b.team[0])
	for _, o := range p.of[leaf][1:] {
		if o != nil {
			h.plus(o)
			p.b.pool.give(o)
		}
	}
	if !p.b.pool.double {
		for k := range p.b.sums {
			p.b.splitJoints(h, k)
		}
	}
	return h
}

// release takes the histograms back, after an error.
func (p *partials) release() {
	for _, of := range p.of {
		for _, h := range of {
			if h != nil {
				p.b.pool.give(h)
			}
		}
	}
}

// fillLeaves gives leaves their histograms, from their rows. Of a stored matrix one walk makes
// those of many leaves, else all workers make one after the other.
func (b *builder) fillLeaves(ctx context.Context, leaves []*open) error {
	if !b.tables.stored() {
		for _, l := range leaves {
			l.hist = b.take()
			b.fillTogether(l.hist, b.rows.of(l))
		}
		return nil
	}
	for len(leaves) > 0 {
		n := min(len(leaves), b.mostTogether())
		if err := b.fillInWalk(ctx, leaves[:n]); err != nil {
			return err
		}
		leaves = leaves[n:]
	}
	return nil
}

// mostTogether returns how many leaves may have histograms of all workers at a time.
func (b *builder) mostTogether() int {
	return max(1, memory/2/max(1, b.pool.size*len(b.team)))
}

func (b *builder) fillInWalk(ctx context.Context, leaves []*open) error {
	w, p := &walker{inputs: b.inputs, rows: b.rows, leaves: leaves}, b.partials(len(leaves))
	err := w.walk(ctx, bins.Need{Packed: true}, b.pool.double,
		func(of *bins.Block, c *chunk, by *worker) {
			by.local = resize(by.local, c.hi-c.lo)
			for i, r := range b.rows.rows[c.lo:c.hi] {
				by.local[i] = r - of.First
			}
			b.addBlock(p.at(c.leaf, by), of, by.local)
		}, nil)
	if err != nil {
		p.release()
		return err
	}
	for k, l := range leaves {
		l.hist = p.finish(k)
	}
	return nil
}
