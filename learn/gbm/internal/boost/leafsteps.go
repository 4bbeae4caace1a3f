package boost

import (
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/loss"
)

// CatBoostSteps is CatBoost's number of steps for the log loss of two classes.
const CatBoostSteps = 10

// leafStepsOf returns the number of steps for a loss.
func (c *Config) leafStepsOf(loss string) int {
	switch {
	case c.Steps > 0:
		return c.Steps
	case c.CatBoost() && (loss == "logistic" || loss == "cross_entropy"):
		return CatBoostSteps
	}
	return 1
}

// stepper computes values of leaves by steps on some rows, which stand at places:
//
//	value += -G / (H + l2)
//
// with sums over the rows of a leaf at their scores plus the value so far. H sums second
// derivatives, or weights (CatBoost's methods Newton and Gradient).
type stepper struct {
	objective loss.Objective // of the rows, by place
	weight    []float64      // by place, instead of second derivatives; nil: those
	steps     int
	most      float64 // max_delta_step, 0 = no limit
	workers   int
}

// newStepper returns a stepper of rows whose weights are given, for the loss of a setup.
func newStepper(s *setup, o loss.Objective, weight []float64, workers int) *stepper {
	c := &s.Config
	p := &stepper{objective: o, steps: c.leafStepsOf(s.loss), most: c.Engine.MaxDeltaStep,
		workers: workers}
	if c.Gradient {
		p.weight = weight
	}
	return p
}

// values returns the value of each leaf of a tree of an output. raw is the scores of the rows, g
// and h the derivatives there, all output-major; leaf is the index of each row's leaf.
func (p *stepper) values(t *hist.Grown, output int, raw, g, h []float64, leaf []int32) []float64 {
	n := len(leaf)
	from, to := output*n, (output+1)*n
	total := p.step(t, g[from:to], h[from:to], leaf)
	if p.steps > 1 {
		raw, g, h = slices.Clone(raw), make([]float64, len(raw)), make([]float64, len(raw))
		own := slices.Clone(raw[from:to])
		for range p.steps - 1 {
			for i, k := range leaf {
				raw[from+i] = own[i] + total[k]
			}
			p.objective.Gradients(g, h, raw, p.workers)
			for k, v := range p.step(t, g[from:to], h[from:to], leaf) {
				total[k] += v
			}
		}
	}
	for k := range total {
		total[k] = p.limit(t, k, total[k])
	}
	return total
}

// step returns one step of each leaf.
func (p *stepper) step(t *hist.Grown, g, h []float64, leaf []int32) []float64 {
	if p.weight != nil {
		h = p.weight
	}
	sums := make([]hist.LeafSum, len(t.Leaves))
	for i, k := range leaf {
		s := &sums[k]
		s.G += g[i]
		s.H += h[i]
		s.Rows++
	}
	return t.Values(sums)
}

// limit keeps the value of a leaf within max_delta_step and the limits of monotone columns.
func (p *stepper) limit(t *hist.Grown, leaf int, v float64) float64 {
	if p.most > 0 {
		v = min(max(v, -p.most), p.most)
	}
	l := &t.Leaves[leaf]
	return min(max(v, l.Lower), l.Upper)
}

// refined returns the value of each leaf of a tree of an output by a loss that computes those of
// least loss, 0 of leaves without rows.
func (p *stepper) refined(t *hist.Grown, output int, raw []float64, leaf []int32,
	by loss.LeafRefiner) []float64 {
	places := make([][]int32, len(t.Leaves))
	for i, k := range leaf {
		places[k] = append(places[k], int32(i))
	}
	values := make([]float64, len(t.Leaves))
	for k := range values {
		var rows []int32
		for _, u := range t.Under(k) {
			rows = append(rows, places[u]...)
		}
		v := 0.0
		if len(rows) > 0 {
			v = by.RefineLeaf(raw, output, rows)
		}
		values[k] = p.limit(t, k, v)
	}
	return values
}

// steppedLeaves gives leaves values by steps on all rows of the training set, whichever rows,
// scores and second derivatives their tree was grown by.
type steppedLeaves struct {
	*stepper
	scores *scores
	// of the round: the scores before it, and the derivatives there
	raw, g, h []float64
	leaf      []int32 // by matrix row, then by position
	byRow     []int32
}

// newSteppedLeaves returns nil where the values of the engine stay.
func newSteppedLeaves(s *setup, sc *scores) *steppedLeaves {
	c := &s.Config
	if c.leafStepsOf(s.loss) == 1 && !c.Gradient && !c.ByWeight && c.Permutations == 0 {
		return nil
	}
	k := len(sc.train.Raw)
	return &steppedLeaves{stepper: newStepper(s, sc.train.Objective, s.weights(), s.workers()),
		scores: sc, raw: make([]float64, k), g: make([]float64, k), h: make([]float64, k),
		byRow: make([]int32, sc.rows.rows), leaf: make([]int32, len(sc.train.Rows))}
}

// begin takes the scores before a round.
func (l *steppedLeaves) begin() {
	copy(l.raw, l.scores.train.Raw)
	l.objective.Gradients(l.g, l.h, l.raw, l.workers)
}

func (l *steppedLeaves) set(grown *hist.Grown, output, _ int) {
	rows := &l.scores.rows
	grown.LeafOf(l.byRow, rows.at)
	leaf := l.byRow
	if !rows.same() {
		leaf = l.leaf
		for i, r := range rows.at {
			leaf[i] = l.byRow[r]
		}
	}
	for k, v := range l.values(grown, output, l.raw, l.g, l.h, leaf) {
		grown.Leaves[k].Value[0] = v
	}
}

// weights returns the weight of each row of the training set, by position.
func (s *setup) weights() []float64 {
	weight := make([]float64, len(s.Rows))
	for i, r := range s.Rows {
		weight[i] = s.Target.WeightAt(r)
	}
	return weight
}
