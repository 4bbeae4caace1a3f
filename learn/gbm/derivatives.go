package gbm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/internal/hist"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/loss"
)

// derives returns the objective if growers can take derivatives from it, some rows at a time; nil
// if those of all rows are needed first: to draw rows by, for trees of several outputs, or for
// equations in leaves.
func (b *boost) derives() loss.Rowwise {
	o, ok := b.train.Objective.(loss.Rowwise)
	if !ok || b.vector() || b.learner.LinearTree || !sample.Blind(b.sampler) {
		return nil
	}
	return o
}

// makeDerivatives makes room for those of all rows.
func (b *boost) makeDerivatives() {
	b.g, b.h = make([]float64, len(b.train.Raw)), make([]float64, len(b.train.Raw))
	if b.at != nil {
		b.gm, b.hm = make([]float64, b.matrix.Len()), make([]float64, b.matrix.Len())
	}
}

// grow grows the tree of an output.
func (b *boost) grow(ctx context.Context, on *hist.Grower, output int, rows []int32, seed uint64) (*hist.Grown, error) {
	if b.rowwise == nil {
		g, h := b.derivatives(output)
		return on.Grow(ctx, g, h, rows, seed)
	}
	derive := func(g, h []float64, from, to int) { b.deriveDrawn(g, h, output, from, to) }
	if b.drawn.All {
		derive = func(g, h []float64, from, to int) { b.rowwise.Derive(g, h, b.train.Raw, output, from, to) }
	}
	return on.GrowDerived(ctx, derive, rows, seed)
}

// stretch is derivatives of as many positions, one after the other, as the first cache holds.
type stretch struct{ g, h [1 << 10]float64 }

var stretches = sync.Pool{New: func() any { return new(stretch) }}

// deriveDrawn writes the derivatives of an output for the drawn rows from ... to-1, times their
// factors. Those of the rows between them are worked out too: vectors do several in the time that
// one takes.
func (b *boost) deriveDrawn(g, h []float64, output, from, to int) {
	all := stretches.Get().(*stretch)
	defer stretches.Put(all)
	rows := b.drawn.Rows[from:to]
	end := int(rows[len(rows)-1]) + 1
	for i := 0; i < len(rows); {
		first := int(rows[i])
		n := min(len(all.g), end-first)
		b.rowwise.Derive(all.g[:n], all.h[:n], b.train.Raw, output, first, first+n)
		for ; i < len(rows) && int(rows[i]) < first+n; i++ {
			g[i], h[i] = all.g[int(rows[i])-first], all.h[int(rows[i])-first]
		}
	}
	if b.drawn.Factor == nil {
		return
	}
	for i, f := range b.drawn.Factor[from:to] {
		g[i] *= f
		h[i] *= f
	}
}

// nameGradients is checkGradients after a grower found derivatives that have overflowed.
func (b *boost) nameGradients() error {
	if b.rowwise != nil {
		b.makeDerivatives()
		b.rowwise.Gradients(b.g, b.h, b.train.Raw, b.workers())
	}
	return b.checkGradients()
}

// derivatives returns those of an output by matrix row.
func (b *boost) derivatives(output int) (g, h []float64) {
	n := len(b.train.Rows)
	g, h = b.g[output*n:(output+1)*n], b.h[output*n:(output+1)*n]
	if b.at == nil {
		return g, h
	}
	for i, r := range b.at {
		b.gm[r], b.hm[r] = g[i], h[i]
	}
	return b.gm, b.hm
}

// squared is the loss whose derivatives are as large as labels.
const squared = "squared"

// checkGradients finds derivatives that have overflowed.
func (b *boost) checkGradients() error {
	const block = 1 << 14
	finite := make([]bool, (len(b.g)+block-1)/block)
	parallel.Each(b.workers(), len(finite), func(_, i int) {
		lo, hi := i*block, min(len(b.g), (i+1)*block)
		a, c := 0.0, 0.0
		for j, g := range b.g[lo:hi] {
			a += float64(g * 0)
			c += float64(b.h[lo+j] * 0)
		}
		finite[i] = a == 0 && c == 0
	})
	if !slices.Contains(finite, false) {
		return nil
	}
	n := len(b.train.Rows)
	for i := range b.g {
		if math.IsNaN(b.g[i]-b.g[i]) || math.IsNaN(b.h[i]-b.h[i]) {
			return &loss.LabelError{Entry: int(b.train.Rows[i%n]), Reason: fmt.Sprintf(
				"round %d: the derivatives of loss=%s are not finite at this row's score, %g: use a lower learning_rate, or max_delta_step; or divide labels by some number if they are very large",
				b.history.Rounds+1, b.loss, b.train.Raw[i])}
		}
	}
	return nil
}
