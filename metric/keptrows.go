package metric

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/scratch"
)

// passes calls a function for consecutive rows of a sample, in their order, as often as it is
// called itself. The function must not change them, nor use them later.
type passes func(f func(s *Sample))

// keptRows is the largest number of rows of a block of kept.
const keptRows = 1 << 14

// kept is labels, predictions and weights of numbers, for metrics that go over them again. As soon
// as they outgrow the memory of the store, all full blocks are in its file.
type kept struct {
	*store
	like   Sample // of no rows
	rows   int    // of a block
	memory int    // blocks that fit into it
	full   []*Sample
	stored []scratch.Piece // of the blocks before those in memory
	now    *Sample
}

// keep returns the rows that are kept, those of the block among them.
func (c *common) keep(s *Sample) *kept {
	if c.kept == nil {
		c.kept = newKept(c.store, s)
	}
	if !c.again {
		c.again = true
		c.kept.add(s, c.whole)
	}
	return c.kept
}

func newKept(t *store, s *Sample) *kept {
	k := &kept{store: t, like: *s}
	k.like.Y, k.like.Pred, k.like.Weight = nil, nil, nil
	numbers := 1 + s.Width
	if s.Weight != nil {
		numbers++
	}
	k.rows = t.limit(4, 8*numbers, keptRows)
	k.memory = int(t.in.Bytes / int64(8*numbers*k.rows))
	return k
}

// add appends rows. They are referred to if they stay as they are, else copied.
func (k *kept) add(s *Sample, stay bool) {
	if stay {
		k.full = append(k.full, s)
		return
	}
	for from := 0; from < len(s.Y); {
		if k.now == nil {
			k.now = k.empty()
		}
		to := min(len(s.Y), from+k.rows-len(k.now.Y))
		k.now.Y = append(k.now.Y, s.Y[from:to]...)
		k.now.Pred = append(k.now.Pred, s.Pred[from*s.Width:to*s.Width]...)
		if s.Weight != nil {
			k.now.Weight = append(k.now.Weight, s.Weight[from:to]...)
		}
		if from = to; len(k.now.Y) == k.rows {
			k.end()
		}
	}
}

func (k *kept) empty() *Sample {
	s := k.like
	s.Y = slices.Grow(s.Y, k.rows)
	return &s
}

// end puts a full block behind the others.
func (k *kept) end() {
	k.full, k.now = append(k.full, k.now), nil
	if k.in.Bytes == 0 || len(k.stored) == 0 && len(k.full) < k.memory {
		return
	}
	for _, s := range k.full {
		k.stored = append(k.stored, k.write(s.Y, s.Pred, s.Weight))
		s.Y, s.Pred, s.Weight = s.Y[:0], s.Pred[:0], s.Weight[:0]
		k.now = s // whose memory the next rows take
	}
	k.full = nil
}

// each is a passes of all rows.
func (k *kept) each(f func(s *Sample)) {
	block := k.like
	var all []float64
	for _, p := range k.stored {
		all = k.readNumbers(p, all[:0])
		n := k.rows * (1 + block.Width)
		block.Y, block.Pred = all[:k.rows], all[k.rows:n]
		if len(all) > n {
			block.Weight = all[n:]
		}
		f(&block)
	}
	for _, s := range k.full {
		f(s)
	}
	if k.now != nil && len(k.now.Y) > 0 {
		f(k.now)
	}
}
