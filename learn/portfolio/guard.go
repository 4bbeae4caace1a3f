package portfolio

import (
	"math"

	"github.com/coppice-ml/coppice/data"
)

// Comparison is the ensemble against the first configuration, by out-of-fold predictions.
type Comparison struct {
	// Gain is the mean of how much lower the loss is: the log loss of classes, the squared error of
	// numbers, 1 less the metric of rankings and times.
	Gain  float64 `json:"gain"`
	Error float64 `json:"standard_error"` // of Gain
	// Lost is whether the gain does not exceed one standard error. Then the first configuration is
	// the model.
	Lost bool `json:"lost,omitempty"`
}

// guard compares what was selected with the first configuration, and gives that all weight unless
// the gain exceeds one standard error. The rows of the comparison are those of the selection: the
// gain is a little too high.
func (j *job) guard(able []*tried) {
	mean, total := make([]float64, len(j.tested)), 0.0
	for _, t := range able {
		total += float64(t.weight)
	}
	for _, t := range able {
		for i, v := range t.x {
			mean[i] += float64(float64(t.weight) / total * v)
		}
	}
	if len(able) > 1 {
		j.comparison = compared(j.gains(able[0].x, mean))
	}
	if j.comparison == nil || !j.comparison.Lost {
		return
	}
	for _, t := range able {
		t.weight = 0
	}
	able[0].weight = 1
}

// gains returns by how much lower the loss of predictions is than that of others: row by row, or
// fold by fold where the loss is no sum over rows, or rows of a group are alike.
func (j *job) gains(first, mean []float64) []float64 {
	p := j.pool([]*tried{{x: first}, {x: mean}}, nil)
	if p.evaluate == nil && j.target.Group == nil {
		return p.rowGains()
	}
	var gains []float64
	for _, f := range j.folds {
		rows := data.Distinct(f.Test)
		places := make([]int32, len(rows))
		for i, row := range rows {
			places[i] = j.at[row]
		}
		p := j.pool([]*tried{{x: first}, {x: mean}}, places)
		g := p.loss(p.x[0], nil, 1) - p.loss(p.x[1], nil, 1)
		gains = append(gains, g/p.total())
	}
	return gains
}

// rowGains returns by how much lower the loss of the second configuration is than that of the
// first, row by row, times the row's weight over the mean weight.
func (p *pool) rowGains() []float64 {
	gains, total := make([]float64, len(p.x[0])), p.total()
	for i := range gains {
		one := &pool{}
		if p.y != nil {
			one.y = p.y[i : i+1]
		}
		g := one.loss(p.x[0][i:i+1], nil, 1) - one.loss(p.x[1][i:i+1], nil, 1)
		gains[i] = float64(p.weightAt(i)*g) * float64(len(gains)) / total
	}
	return gains
}

// total returns the sum of the weights of the rows; 1 of losses that are no sum over rows.
func (p *pool) total() float64 {
	if p.evaluate != nil {
		return 1
	}
	sum := 0.0
	for i := range p.x[0] {
		sum += p.weightAt(i)
	}
	return sum
}

// compared returns the mean of gains with its standard error; nil of fewer than two, and where
// losses are infinite.
func compared(gains []float64) *Comparison {
	c, n := &Comparison{}, float64(len(gains))
	for _, g := range gains {
		c.Gain += g / n
	}
	sum := 0.0
	for _, g := range gains {
		sum += float64((g - c.Gain) * (g - c.Gain))
	}
	c.Error = math.Sqrt(sum / (n - 1) / n)
	if n < 2 || c.Gain-c.Gain != 0 || c.Error-c.Error != 0 {
		return nil
	}
	c.Lost = !(c.Gain > c.Error)
	return c
}
