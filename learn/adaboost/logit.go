package adaboost

import (
	"context"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// leastWeight is what LogitBoost takes the weight p (1 - p) of a row for that is less: twice the
// spacing of numbers at 1.
const leastWeight = 0x1p-51

// logitBoost is LogitBoost: with the probabilities p of the scores so far, of each class a
// regression f of the working response z = (y - p) / w, y = 1 or 0, on the weights w = p (1 - p).
// Of two classes the log odds grow by f, of K each class's score by (K - 1) / K f; algorithm 6
// moves all scores of a row by the same number besides, which changes no probability (Friedman et
// al. 2000, algorithms 3 and 6).
type logitBoost struct{ additive }

func newLogit(j *job) booster { return &logitBoost{newAdditive(j, link.Softmax())} }

func (l *logitBoost) round(ctx context.Context, n int) (round, error) {
	step := l.learner.LearningRate
	if l.outputs > 1 {
		step = float64(step*float64(l.outputs-1)) / float64(l.outputs)
	}
	found := round{weight: step, stop: stopSilent}
	p := l.probabilities()
	weight, z := make([]float64, len(l.pop.Rows)), make([]float64, len(l.pop.Rows))
	clear(l.weight)
	predicted := make([][]float64, l.outputs)
	for o := range l.outputs {
		l.respond(z, weight, p, o)
		m, f, err := l.regress(ctx, func(i int) float64 { return z[i] }, weight, n, o)
		if err != nil {
			return round{}, err
		}
		if predicted[o] = f; predicts(f) {
			found.stop = ""
		}
		for i, w := range weight {
			l.weight[i] += w / float64(l.outputs)
		}
		kept, gain := compact(m)
		found.members = append(found.members, member{kept, step, int32(o), gain})
	}
	for o, f := range predicted {
		for i, v := range f {
			l.scores[i*l.outputs+o] += float64(step * v)
		}
	}
	found.error = l.logLoss()
	return found, nil
}

// respond writes the working responses of an output, and their weights, by the probabilities of all
// classes.
func (l *logitBoost) respond(z, weight, p []float64, output int) {
	class, k := output, l.pop.Classes
	if l.outputs == 1 {
		class = 1
	}
	for i := range weight {
		own := p[i*k+class]
		others := 1 - own
		if l.outputs == 1 {
			others = p[i*k] // keeps its digits
		}
		w := max(float64(own*others), leastWeight)
		if z[i] = others / w; l.is(i, output) < 0 {
			z[i] = -own / w
		}
		z[i] = max(-l.learner.Clip, min(l.learner.Clip, z[i]))
		weight[i] = float64(l.first[i] * w)
	}
	normalise(weight)
}

// replay leaves the weights that the next round starts with.
func (l *logitBoost) replay(vote float64, predicted [][]float64) float64 {
	for o, f := range predicted {
		for i, v := range f {
			l.scores[i*l.outputs+o] += float64(vote * v)
		}
	}
	p := l.probabilities()
	weight, z := make([]float64, len(l.pop.Rows)), make([]float64, len(l.pop.Rows))
	clear(l.weight)
	for o := range l.outputs {
		l.respond(z, weight, p, o)
		for i, w := range weight {
			l.weight[i] += w / float64(l.outputs)
		}
	}
	return l.logLoss()
}

// logLoss returns the mean negative logarithm of the probability of the row's class.
func (l *logitBoost) logLoss() float64 {
	p, k, loss := l.probabilities(), l.pop.Classes, 0.0
	for i, c := range l.pop.Class {
		loss -= float64(l.first[i] * kernel.Log(max(p[i*k+int(c)], leastWeight)))
	}
	return loss
}
