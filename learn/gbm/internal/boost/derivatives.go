package boost

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
)

// derivatives is the stage of the first and second derivatives of the loss, g and h, at the scores
// before a round.
type derivatives interface {
	// update evaluates them before a round.
	update(r *roundPlan) error
	// all returns those of all rows, output-major by position; nil where none are stored.
	all() (g, h []float64)
	// scale multiplies those of sampled rows by the factors of the sample.
	scale(sampled *roundRows)
	// grow grows a tree of an output on them.
	grow(ctx context.Context, by *hist.Grower, output int, sampled *roundRows,
		seed uint64) (*hist.Grown, error)
	// fault returns an error that names the first row whose derivative is not finite; nil: all are.
	fault(round int) error
}

// storedDerivatives has those of all rows at once. It serves every loss and every grower.
type storedDerivatives struct {
	train    *boosting.Set
	rows     *rowMap
	loss     string // its name
	workers  int
	checked  bool      // update looks for faults, which growers would not find
	supports *supports // whose scores are taken; nil: those of the model
	weight   []float64 // by position, in place of second derivatives; nil: those
	raw      []float64 // the scores of the last update
	// of each output, the root of the mean square of g; nil: not needed
	deviation []float64

	g, h     []float64 // output-major, by position
	byG, byH []float64 // one output's, by matrix row, where that is another number
}

func newStoredDerivatives(s *setup, sc *scores) *storedDerivatives {
	d := &storedDerivatives{train: sc.train, rows: &sc.rows, loss: s.loss, workers: s.workers()}
	d.g, d.h = make([]float64, len(d.train.Raw)), make([]float64, len(d.train.Raw))
	if !d.rows.same() {
		d.byG, d.byH = make([]float64, d.rows.rows), make([]float64, d.rows.rows)
	}
	return d
}

// update takes all outputs at once, since those of softmax depend on each other. Weights in place
// of second derivatives are written each round, as sampling scales them where they are.
func (d *storedDerivatives) update(r *roundPlan) error {
	if d.raw = d.train.Raw; d.supports != nil {
		d.raw = d.supports.before(r.n)
	}
	d.train.Objective.Gradients(d.g, d.h, d.raw, d.workers)
	n := len(d.train.Rows)
	if d.weight != nil {
		for at := 0; at < len(d.h); at += n {
			copy(d.h[at:at+n], d.weight)
		}
	}
	for o := range d.deviation {
		d.deviation[o] = deviationOf(d.g[o*n:(o+1)*n], d.workers)
	}
	if !d.checked {
		return nil
	}
	return d.fault(r.number)
}

func (d *storedDerivatives) all() (g, h []float64) { return d.g, d.h }

func (d *storedDerivatives) scale(sampled *roundRows) {
	if sampled.Factor == nil {
		return
	}
	n := len(d.train.Rows)
	for at := 0; at < len(d.g); at += n {
		for i, r := range sampled.Rows {
			d.g[at+int(r)] *= sampled.Factor[i]
			d.h[at+int(r)] *= sampled.Factor[i]
		}
	}
}

func (d *storedDerivatives) grow(ctx context.Context, by *hist.Grower, output int,
	sampled *roundRows,
	seed uint64) (*hist.Grown, error) {
	n := len(d.train.Rows)
	g, h := d.g[output*n:(output+1)*n], d.h[output*n:(output+1)*n]
	if d.rows.same() {
		return by.Grow(ctx, g, h, sampled.matrix, seed)
	}
	pick := func(dg, dh []float64, from, to int) {
		if sampled.All {
			copy(dg, g[from:to])
			copy(dh, h[from:to])
			return
		}
		for i, r := range sampled.Rows[from:to] {
			dg[i], dh[i] = g[r], h[r]
		}
	}
	return by.GrowDerived(ctx, pick, sampled.matrix, seed)
}

// byMatrixRow returns those of an output, valid until the next call.
func (d *storedDerivatives) byMatrixRow(output int) (g, h []float64) {
	n := len(d.train.Rows)
	g, h = d.g[output*n:(output+1)*n], d.h[output*n:(output+1)*n]
	if d.rows.same() {
		return g, h
	}
	for i, r := range d.rows.at {
		d.byG[r], d.byH[r] = g[i], h[i]
	}
	return d.byG, d.byH
}

// allByMatrixRow returns those of all outputs, output-major.
func (d *storedDerivatives) allByMatrixRow() (g, h []float64) {
	if d.rows.same() {
		return d.g, d.h
	}
	n, m := len(d.train.Rows), d.rows.rows
	k := len(d.g) / n
	g, h = make([]float64, k*m), make([]float64, k*m)
	for o := range k {
		for i, r := range d.rows.at {
			g[o*m+int(r)], h[o*m+int(r)] = d.g[o*n+i], d.h[o*n+i]
		}
	}
	return g, h
}

// fault multiplies by 0, which makes 0 of what is finite and NaN of all else: a block is right if
// its sum is 0, without a branch for each number. The error is looked for by one worker, from the
// first row on, so that it names the same row for any number of them.
func (d *storedDerivatives) fault(round int) error {
	const block = 1 << 14
	finite := make([]bool, (len(d.g)+block-1)/block)
	parallel.Each(d.workers, len(finite), func(_, i int) {
		lo, hi := i*block, min(len(d.g), (i+1)*block)
		a, c := 0.0, 0.0
		for j, g := range d.g[lo:hi] {
			a += float64(g * 0)
			c += float64(d.h[lo+j] * 0)
		}
		finite[i] = a == 0 && c == 0
	})
	if !slices.Contains(finite, false) {
		return nil
	}
	n := len(d.train.Rows)
	for i := range d.g {
		if math.IsNaN(d.g[i]-d.g[i]) || math.IsNaN(d.h[i]-d.h[i]) {
			return &loss.LabelError{Row: int(d.train.Rows[i%n]), Reason: fmt.Sprintf(
				"round %d: the derivatives of loss=%s are not finite at this row's score, %g: use "+
					"a lower learning_rate, or max_delta_step; or divide labels by some number if "+
					"they are very large",
				round, d.loss, d.raw[i])}
		}
	}
	return nil
}

// rowwiseDerivatives stores none: a grower takes those of some rows at a time from the loss, while
// it sums the root's histogram. That spares a pass over memory in each round.
type rowwiseDerivatives struct {
	setup     *setup
	scores    *scores
	objective loss.Rowwise
}

// rowwise reports whether the derivatives of all rows need not be known before a tree is grown, but
// for a sampling by them.
func (c *Config) rowwise(o loss.Objective) bool {
	_, ok := o.(loss.Rowwise)
	return ok && c.unstored(o)
}

// unstored reports whether nothing but the growth of trees needs derivatives. Trees of several
// outputs, linear leaves, ordered boosting, other scores of splits and noise need those of all
// rows.
func (c *Config) unstored(o loss.Objective) bool {
	several := c.MultiOutput && o.Outputs() > 1
	return !several && !c.Linear && c.Permutations == 0 && !c.ByWeight && c.Noise == 0
}

// newDerivatives chooses the way.
func newDerivatives(s *setup, t *table.Table, sc *scores, sampler *rowSampler, u *supports,
	several bool) derivatives {
	c := &s.Config
	if !c.LocalPoints { // whose weights are second derivatives of all rows
		if o, ok := sc.train.Objective.(loss.Rowwise); ok && s.rowwise && sampler.gradientFree() {
			return &rowwiseDerivatives{s, sc, o}
		}
	}
	d := newStoredDerivatives(s, sc)
	d.checked, d.supports = several || c.samples() || c.LocalPoints || u != nil, u
	if c.ByWeight {
		d.weight = s.weights()
	}
	if c.Noise > 0 {
		d.deviation = make([]float64, sc.train.Objective.Outputs())
	}
	return d
}

func (d *rowwiseDerivatives) update(*roundPlan) error { return nil }
func (d *rowwiseDerivatives) all() (g, h []float64)   { return nil, nil }
func (d *rowwiseDerivatives) scale(*roundRows)        {}

func (d *rowwiseDerivatives) grow(ctx context.Context, by *hist.Grower, output int,
	sampled *roundRows, seed uint64) (*hist.Grown, error) {
	raw := d.scores.train.Raw
	derive := func(g, h []float64, from, to int) { d.objective.Derive(g, h, raw, output, from, to) }
	if !sampled.All {
		derive = func(g, h []float64, from, to int) {
			d.deriveSampled(g, h, output, sampled, from, to)
		}
	}
	return by.GrowDerived(ctx, derive, sampled.matrix, seed)
}

// derivativeBlock is derivatives of as many positions, one after the other, as the first cache
// holds.
type derivativeBlock struct{ g, h [1 << 10]float64 }

var derivativeBlocks = sync.Pool{New: func() any { return new(derivativeBlock) }}

// deriveSampled writes the derivatives of an output for the sampled rows from ... to-1, times their
// factors. It evaluates the rows between them too: vector instructions do several in the time that
// one takes.
func (d *rowwiseDerivatives) deriveSampled(g, h []float64, output int, sampled *roundRows,
	from, to int) {
	all := derivativeBlocks.Get().(*derivativeBlock)
	defer derivativeBlocks.Put(all)
	rows := sampled.Rows[from:to]
	end := int(rows[len(rows)-1]) + 1
	for i := 0; i < len(rows); {
		first := int(rows[i])
		n := min(len(all.g), end-first)
		d.objective.Derive(all.g[:n], all.h[:n], d.scores.train.Raw, output, first, first+n)
		for ; i < len(rows) && int(rows[i]) < first+n; i++ {
			g[i], h[i] = all.g[int(rows[i])-first], all.h[int(rows[i])-first]
		}
	}
	if sampled.Factor == nil {
		return
	}
	for i, f := range sampled.Factor[from:to] {
		g[i] *= f
		h[i] *= f
	}
}

func (d *rowwiseDerivatives) fault(round int) error {
	stored := newStoredDerivatives(d.setup, d.scores)
	stored.raw = stored.train.Raw
	stored.train.Objective.Gradients(stored.g, stored.h, stored.raw, stored.workers)
	return stored.fault(round)
}
