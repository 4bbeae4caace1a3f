package portfolio

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/metric"
)

// leastProbability bounds probabilities of a class away from 0, as package metric does.
const leastProbability = 0x1p-52

// pool is what the selection is from: numbers of each configuration by hold-out row, and what they
// are compared with.
type pool struct {
	x      [][]float64 // by configuration
	y      []float64   // labels of a regression; nil: x are the probabilities of the rows' classes
	weight []float64   // nil = all 1
	// evaluate returns the loss of predictions, of rankings and times; nil: it is a sum over rows
	evaluate func(predicted []float64) float64
	workers  int
}

// pool makes the pool of configurations, of the hold-out rows at some places; nil = all.
func (j *job) pool(of []*tried, places []int32) *pool {
	p, rows := &pool{workers: j.workers}, j.tested
	if places != nil {
		rows = data.Pick(j.tested, places)
	}
	for _, t := range of {
		x := t.x
		if places != nil {
			x = data.Pick(x, places)
		}
		p.x = append(p.x, x)
	}
	if !j.additive() {
		p.evaluate = func(predicted []float64) float64 { return j.evaluated(rows, predicted) }
		return p
	}
	for _, row := range rows {
		if !j.target.Task.Classes() {
			p.y = append(p.y, j.target.Y[0][row])
		}
		if j.target.Weight != nil {
			p.weight = append(p.weight, j.target.Weight[row])
		}
	}
	return p
}

// additive reports whether the loss is a sum over rows: the log loss of classes, the squared error
// of numbers. That of rankings and of times is 1 less the metric.
func (j *job) additive() bool { return j.target.Task == data.Regression || j.target.Task.Classes() }

// evaluated returns 1 less the main metric of predictions for rows, which is from 0 to 1, infinite
// where it is undefined.
func (j *job) evaluated(rows []int32, predicted []float64) float64 {
	s := metric.SampleOf(j.target, rows)
	s.Width, s.Pred, s.Risk = 1, predicted, j.risk
	v, err := metric.Of(j.metric(), s)
	if err != nil {
		return math.Inf(1)
	}
	return 1 - v
}

// loss returns the weighted sum over rows of the loss of (x + sum) / n: the log loss of classes,
// the squared error of numbers. A nil sum is 0. What is no number counts as infinite.
func (p *pool) loss(x, sum []float64, n float64) float64 {
	total := 0.0
	switch {
	case p.evaluate != nil:
		mean := make([]float64, len(x))
		for i, v := range x {
			if sum != nil {
				v += sum[i]
			}
			mean[i] = v / n
		}
		total = p.evaluate(mean)
	case p.y == nil:
		total = p.logLoss(x, sum, n)
	default:
		for i, v := range x {
			if sum != nil {
				v += sum[i]
			}
			d := v/n - p.y[i]
			total += float64(p.weightAt(i) * float64(d*d))
		}
	}
	if math.IsNaN(total) {
		return math.Inf(1)
	}
	return total
}

func (p *pool) weightAt(i int) float64 {
	if p.weight == nil {
		return 1
	}
	return p.weight[i]
}

// logLoss is loss for classes. Without weights it takes the logarithm of products of many
// probabilities, as long as these are far from the least number.
func (p *pool) logLoss(x, sum []float64, n float64) float64 {
	total, product := 0.0, 1.0
	for i, v := range x {
		if sum != nil {
			v += sum[i]
		}
		v = max(v/n, leastProbability)
		if p.weight != nil {
			total -= float64(p.weight[i] * kernel.Log(v))
			continue
		}
		if product *= v; product < 1e-200 {
			total -= kernel.Log(product)
			product = 1
		}
	}
	return total - kernel.Log(product)
}

// selected returns how often each configuration is selected, by forward selection with replacement
// (Caruana et al. 2004, section 2.2): the mean of those so far gets the one more with which its
// loss is least, of equal ones the first, again and again. It starts from the first configuration,
// some times, so that others need more than luck to replace it. Of all sizes from there up to most
// that of the least loss counts, which is returned, too.
//
//	start   0 0              loss 0.310
//	3       0 0 4                 0.302
//	4       0 0 4 4               0.299   -> weights 2 for 0, 2 for 4
//	5       0 0 4 4 1             0.300
func (p *pool) selected(start, most int) (weights []int, loss float64) {
	losses := make([]float64, len(p.x))
	sum := make([]float64, len(p.x[0]))
	var order []int
	size, loss := 0, math.Inf(1)
	for len(order) < most {
		n := float64(len(order) + 1)
		among := len(p.x)
		if len(order) < start {
			among = 1
		}
		parallel.Each(p.workers, among, func(_, c int) { losses[c] = p.loss(p.x[c], sum, n) })
		best := 0
		for c, l := range losses[:among] {
			if l < losses[best] {
				best = c
			}
		}
		order = append(order, best)
		if len(order) >= start && (size == 0 || losses[best] < loss) {
			size, loss = len(order), losses[best]
		}
		for i, v := range p.x[best] {
			sum[i] += v
		}
	}
	weights = make([]int, len(p.x))
	for _, c := range order[:size] {
		weights[c]++
	}
	return weights, loss
}

// startPart is the part of the selection that starts it with the first configuration: one in five.
const startPart = 5

// choose sets the weights of configurations, and returns those that have predictions.
func (j *job) choose(among []*tried) (able []*tried) {
	for _, t := range among {
		if t.weight = 0; t.x != nil {
			able = append(able, t)
		}
	}
	if len(able) == 1 {
		able[0].weight = 1
		return able
	}
	most := j.learner.Selection
	weights, _ := j.pool(able, nil).selected(max(1, most/startPart), most)
	for i, w := range weights {
		able[i].weight = w
	}
	return able
}
