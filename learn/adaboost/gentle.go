package adaboost

import (
	"context"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// gentle is gentle AdaBoost: with y = +1 and -1, a regression f of y on the weights, then w *=
// exp(-y f) and w /= sum of w; the log odds are 2 sum of f (Friedman et al. 2000, algorithm 4). Of
// more than two classes each is boosted against the rest.
type gentle struct {
	additive
	weights [][]float64 // by output
}

func newGentle(j *job) booster {
	g := &gentle{additive: newAdditive(j, link.OneVsAll())}
	for range g.outputs {
		g.weights = append(g.weights, append([]float64(nil), j.first...))
	}
	return g
}

func (g *gentle) round(ctx context.Context, n int) (round, error) {
	rate := g.learner.LearningRate
	found := round{weight: rate, stop: stopSilent}
	clear(g.weight)
	for k := range g.outputs {
		w := g.weights[k]
		m, f, err := g.regress(ctx, func(i int) float64 { return g.is(i, k) }, w, n, k)
		if err != nil {
			return round{}, err
		}
		if predicts(f) {
			found.stop = ""
		}
		for i := range w {
			g.scores[i*g.outputs+k] += float64(2 * float64(rate*f[i]))
		}
		e, z := g.reweigh(rate, k, f)
		if g.outputs == 1 {
			found.z = z
		}
		found.error += e / float64(g.outputs)
		kept, gain := compact(m)
		found.members = append(found.members, member{kept, 2 * rate, int32(k), gain})
	}
	return found, nil
}

// reweigh changes the weights of an output by what its member predicts. It returns the member's
// weighted error, and what the weights added up to before they were divided by it.
func (g *gentle) reweigh(rate float64, output int, f []float64) (e, z float64) {
	w := g.weights[output]
	for i := range w {
		y := g.is(i, output)
		e += only((f[i] > 0) != (y > 0), w[i])
		w[i] = float64(w[i] * kernel.Exp(-float64(float64(rate*y)*f[i])))
	}
	z = normalise(w)
	for i := range w {
		g.weight[i] += w[i] / float64(g.outputs)
	}
	return e, z
}

func (g *gentle) replay(vote float64, predicted [][]float64) (mean float64) {
	clear(g.weight)
	for k, f := range predicted {
		e, _ := g.reweigh(vote, k, f)
		mean += e / float64(g.outputs)
	}
	return mean
}
