package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// pointLoss is the loss of one row as a function of one raw score, computed for many rows at once.
type pointLoss interface {
	// derive writes the derivatives by raw.
	derive(g, h, y, raw []float64)
	// evaluate writes the losses.
	evaluate(v, y, raw []float64)
	// start returns the score of least loss for all rows, at least one of positive weight.
	start(c *cases, y []float64) float64
}

// rowwise is an objective whose loss is a sum over rows and outputs: output k has a pointLoss and
// labels of its own.
type rowwise struct {
	cases
	losses []pointLoss
	y      [][]float64
	link   link.Link
}

// newRowwise makes an objective of one pointLoss for all outputs.
func newRowwise(c cases, f pointLoss, y [][]float64, l link.Link) *rowwise {
	losses := make([]pointLoss, len(y))
	for k := range losses {
		losses[k] = f
	}
	return &rowwise{c, losses, y, l}
}

// bindNumbers binds a loss of one pointLoss to labels of a domain.
func bindNumbers(
	l Loss, f pointLoss, t *data.Target, rows []int32, d domain, response link.Link,
) (Objective, error) {
	o, err := numbersByRow(l, f, t, rows, d, response)
	if err != nil {
		return nil, err // an Objective that holds a nil pointer is not nil
	}
	return o, nil
}

// numbersByRow is bindNumbers for losses that add something to the objective.
func numbersByRow(
	l Loss, f pointLoss, t *data.Target, rows []int32, d domain, response link.Link,
) (*rowwise, error) {
	c, err := gather(l, t, rows)
	if err != nil {
		return nil, err
	}
	y, err := c.numbers(t, d)
	if err != nil {
		return nil, err
	}
	return newRowwise(c, f, y, response), nil
}

// bindClasses binds a loss of one pointLoss to labels of two classes.
func bindClasses(
	l Loss, f pointLoss, name string, t *data.Target, rows []int32, response link.Link,
) (Objective, error) {
	c, err := gather(l, t, rows)
	if err != nil {
		return nil, err
	}
	y, err := c.twoClasses(t, name)
	if err != nil {
		return nil, err
	}
	return newRowwise(c, f, y, response), nil
}

func (o *rowwise) Outputs() int    { return len(o.losses) }
func (o *rowwise) Link() link.Link { return o.link }
func (o *rowwise) Weight() float64 { return o.total }

func (o *rowwise) Init(start []float64) {
	for k, f := range o.losses {
		start[k] = f.start(&o.cases, o.y[k])
	}
}

func (o *rowwise) Gradients(g, h, raw []float64, workers int) {
	n := len(o.rows)
	for k := range o.losses {
		g, h := g[k*n:], h[k*n:]
		inBlocks(n, workers,
			func(_, from, to int) { o.Derive(g[from:to], h[from:to], raw, k, from, to) })
	}
}

func (o *rowwise) Derive(g, h, raw []float64, output, from, to int) {
	o.losses[output].derive(g, h, o.y[output][from:to], raw[output*len(o.rows):][from:to])
	o.weigh(g, h, from)
}

func (o *rowwise) Value(raw []float64, workers int) float64 { return valueOf(o, raw, workers) }

// Sums returns those of an output after those of the one before, block by block.
func (o *rowwise) Sums(raw []float64, from, to, workers int) []float64 {
	outputs := len(o.losses)
	all := make([]float64, outputs*((to-from+SumRows-1)/SumRows))
	for k, f := range o.losses {
		raw, y := raw[k*len(o.rows):], o.y[k]
		for b, sum := range o.sums(from, to, workers,
			func(v []float64, from, to int) { f.evaluate(v, y[from:to], raw[from:to]) }) {
			all[b*outputs+k] = sum
		}
	}
	return all
}

// Mean returns the sum of the means of all outputs.
func (o *rowwise) Mean(sums []float64) float64 {
	outputs, mean := len(o.losses), 0.0
	of := make([]float64, len(sums)/outputs)
	for k := range outputs {
		for b := range of {
			of[b] = sums[b*outputs+k]
		}
		mean += o.cases.Mean(of)
	}
	return mean
}

// shifting is a rowwise objective of losses that depend on label minus score alone: the best value
// of a leaf is the start value of its residuals.
type shifting struct{ *rowwise }

func (o shifting) RefineLeaf(raw []float64, output int, positions []int32) float64 {
	raw, y := raw[output*len(o.rows):], o.y[output]
	leaf := cases{rows: positions, weight: make([]float64, len(positions))}
	rest := make([]float64, len(positions))
	for i, p := range positions {
		rest[i] = y[p] - raw[p]
		leaf.weight[i] = o.weightAt(int(p))
		leaf.total += leaf.weight[i]
	}
	if leaf.total == 0 {
		return 0
	}
	return o.losses[output].start(&leaf, rest)
}
