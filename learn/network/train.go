package network

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss/link"
)

// examples are rows that are trained on or measured: vectors with what they are to give. Of row i
// the class is class[i], or the number y[i].
type examples struct {
	x      []float64 // vectors, one after the other
	width  int
	class  []int
	y      []float64
	weight []float64 // of mean 1; nil: all 1
}

func (e *examples) len() int { return len(e.class) + len(e.y) }

func (e *examples) vector(i int) []float64 { return e.x[i*e.width : (i+1)*e.width] }

func (e *examples) weightAt(i int) float64 {
	if e.weight == nil {
		return 1
	}
	return e.weight[i]
}

// weights are all numbers of a network in one slice, the biases last, with the layers as its parts.
type weights struct {
	all    []float64
	layers dense.Layers
	decay  int // all[:decay] are what l2 holds for: no biases
}

func newWeights(width, hidden, outputs int, a dense.Activation) *weights {
	w := &weights{all: make([]float64, hidden*(width+1)+outputs*(hidden+1)),
		decay: hidden * (width + outputs)}
	rest := w.all
	take := func(n int) []float64 {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	w.layers = dense.Layers{Activation: a, In: take(hidden * width), Out: take(outputs * hidden),
		InBias: take(hidden), OutBias: take(outputs)}
	return w
}

// initialise sets the weights of each layer to random numbers between -b and b, b^2 = 6 / (units
// before + units behind). The sigmoid has 2 in place of 6 (Glorot & Bengio 2010). Biases are 0.
// Each unit's inputs get theirs in the given order.
func (w *weights) initialise(width, hidden, outputs int, order []int, stream *rng.Stream) {
	factor := 6.0
	if w.layers.Activation == ActivationSigmoid {
		factor = 2
	}
	for _, layer := range []struct {
		weights []float64
		units   int
		order   []int // of each unit's inputs; nil: as they are
	}{{w.layers.In, width + hidden, order}, {w.layers.Out, hidden + outputs, nil}} {
		bound := math.Sqrt(factor / float64(layer.units))
		for i := range layer.weights {
			to := i
			if layer.order != nil {
				to = i - i%width + layer.order[i%width]
			}
			layer.weights[to] = bound * (2*stream.Float64() - 1)
		}
	}
}

// pass goes forward and backward through a network, row by row.
type pass struct {
	now       *weights
	grad      *weights
	h, scores []float64
	back      []float64 // what the loss falls by with each hidden unit
	keep      float64   // fraction of the hidden units that stay; 1: no dropout
	mask      []float64 // 0, or 1 / keep
}

func newPass(now *weights, width, hidden, outputs int, dropout float64) *pass {
	return &pass{now: now, grad: newWeights(width, hidden, outputs, now.layers.Activation),
		h: make([]float64, hidden), scores: make([]float64, outputs),
		back: make([]float64, hidden), keep: 1 - dropout, mask: make([]float64, hidden)}
}

// add adds the gradient of the loss of row i, times factor, and returns the loss: minus the log of
// the probability of its class, or half of the squared error.
func (p *pass) add(e *examples, i int, factor float64, stream *rng.Stream) float64 {
	x, l, g := e.vector(i), &p.now.layers, &p.grad.layers
	n := len(p.h)
	for j := range p.h {
		p.h[j] = kernel.Dot(x, l.In[j*len(x):]) + l.InBias[j]
	}
	l.Activation.Apply(p.h)
	p.drop(stream)
	for k := range p.scores {
		sum := l.OutBias[k]
		for j, h := range p.h {
			sum += float64(l.Out[k*n+j] * float64(h*p.mask[j]))
		}
		p.scores[k] = sum
	}
	loss := e.loss(p.scores, i)
	clear(p.back)
	for k, d := range p.scores { // the loss falls by -d with score k
		d = float64(d * factor)
		g.OutBias[k] += d
		for j, h := range p.h {
			g.Out[k*n+j] += float64(d * float64(h*p.mask[j]))
			p.back[j] += float64(d * l.Out[k*n+j])
		}
	}
	for j, b := range p.back {
		if d := float64(float64(b*p.mask[j]) * l.Activation.Slope(p.h[j])); d != 0 {
			g.InBias[j] += d
			kernel.AddScaled(g.In[j*len(x):], d, x)
		}
	}
	return loss
}

// drop chooses the hidden units that stay.
func (p *pass) drop(stream *rng.Stream) {
	for j := range p.mask {
		p.mask[j] = 1
		if p.keep == 1 {
			continue
		}
		p.mask[j] = 0
		if stream.Float64() < p.keep {
			p.mask[j] = 1 / p.keep
		}
	}
}

// loss returns the loss of row i, and makes its derivatives of the scores.
func (e *examples) loss(scores []float64, i int) float64 {
	if e.y != nil {
		scores[0] -= e.y[i]
		return float64(scores[0]*scores[0]) / 2
	}
	link.Softmax().Apply(scores)
	fraction := scores[e.class[i]]
	scores[e.class[i]]--
	return -kernel.Log(max(fraction, 0x1p-1022))
}

// evaluate returns the mean loss of a network, without penalty.
func (e *examples) evaluate(l *dense.Layers) float64 {
	h, scores := make([]float64, len(l.InBias)), make([]float64, len(l.OutBias))
	sum, total := 0.0, 0.0
	for i := range e.len() {
		l.Forward(scores, h, e.vector(i))
		sum += float64(e.weightAt(i) * e.loss(scores, i))
		total += e.weightAt(i)
	}
	return sum / total
}

// training is the training of a network on its way.
type training struct {
	learner *Learner
	rows    *examples
	valid   *examples // nil: no early stopping
	stream  *rng.Stream
	*pass
	rule

	epochs   int     // that were trained
	loss     float64 // of the last one, on the way
	best     []float64
	bestAt   int
	bestLoss float64
}

// errDiverged is the end of a training whose weights become too large.
type errDiverged int

func (e errDiverged) Error() string {
	return fmt.Sprintf("network: the weights became too large in epoch %d: use a lower "+
		"learning_rate", int(e))
}

// errUneven is the end of a training where the label of a row of next to no weight is so many
// deviations from the mean that its square overflows.
var errUneven = errors.New("network: the loss of a row is too large: leave rows out whose " +
	"weight is next to nothing")

// run trains epoch by epoch. Each goes through the rows in an order of its own. An error of the
// context or the observer leaves the weights so far.
func (t *training) run(ctx context.Context, observe func(learn.Round) error) error {
	order := make([]int32, t.rows.len())
	for i := range order {
		order[i] = int32(i)
	}
	for t.epochs < t.learner.Epochs {
		if t.learner.Batch > 0 { // with all rows at once the order is nothing but another rounding
			t.stream.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		if err := t.epoch(ctx, order); err != nil {
			return err
		}
		t.epochs++
		if !t.sound() {
			return errDiverged(t.epochs)
		}
		if math.IsInf(t.loss, 0) {
			return errUneven
		}
		round := learn.Round{Stage: "train", N: t.epochs, Of: t.learner.Epochs,
			Metrics: []learn.Metric{{Set: "training", Name: t.lossName(), Value: t.loss}}}
		stop := false
		if t.valid != nil {
			loss := t.valid.evaluate(&t.now.layers)
			round.Metrics = append(round.Metrics,
				learn.Metric{Set: "validation", Name: t.lossName(), Value: loss})
			if t.best == nil || loss < t.bestLoss {
				t.best, t.bestAt, t.bestLoss = append(t.best[:0], t.now.all...), t.epochs, loss
			}
			stop = t.epochs-t.bestAt >= t.learner.EarlyStopping
		}
		if observe != nil {
			if err := observe(round); err != nil {
				return err
			}
		}
		if stop {
			break
		}
	}
	return nil
}

// lossName names what is minimised.
func (t *training) lossName() string {
	if t.rows.y != nil {
		return "half squared error"
	}
	return "logloss"
}

// sound reports whether all weights are numbers of a size that a model may have.
func (t *training) sound() bool {
	for _, w := range t.now.all {
		if !(math.Abs(w) <= dense.LargestWeight) {
			return false
		}
	}
	return true
}

// epoch goes through all rows once, in batches.
func (t *training) epoch(ctx context.Context, order []int32) error {
	size := t.learner.Batch
	if size == 0 || size > len(order) {
		size = len(order)
	}
	sum := 0.0
	for rest := order; len(rest) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := rest[:min(size, len(rest))]
		rest = rest[len(batch):]
		clear(t.grad.all)
		for _, i := range batch {
			w := t.rows.weightAt(int(i))
			sum += float64(w * t.add(t.rows, int(i), w/float64(len(batch)), t.stream))
		}
		kernel.AddScaled(t.grad.all, t.learner.L2, t.now.all[:t.now.decay])
		t.step(t.now.all, t.grad.all)
	}
	t.loss = sum / float64(len(order))
	return nil
}
