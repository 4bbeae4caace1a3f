package adaboost

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// r2 is AdaBoost.R2. With the errors d as fractions of the largest, their loss L(d), and the mean
// loss e of a member, which must be below 1/2:
//
//	beta = e / (1 - e)    alpha = ln(1 / beta)    w *= beta^(1 - L), then w /= sum of w
//
// The prediction is the median of the members' by their weights alpha (Drucker 1997). Drucker
// samples the rows of a member by weight; a base that uses weights gets these, unless
// resample=true.
type r2 struct {
	*job
	loss   func(d float64) float64
	losses []float64
}

func newR2(j *job) booster {
	r := &r2{job: j, losses: make([]float64, len(j.pop.Rows))}
	switch j.learner.Loss {
	case LossSquare:
		r.loss = func(d float64) float64 { return d * d }
	case LossExponential:
		r.loss = func(d float64) float64 { return 1 - kernel.Exp(-d) }
	default:
		r.loss = func(d float64) float64 { return d }
	}
	return r
}

func (r *r2) committee() *committee.Committee {
	return &committee.Committee{Combine: committee.Median}
}

func (r *r2) round(ctx context.Context, n int) (round, error) {
	t := *r.target
	for attempt := 0; ; attempt++ {
		m, err := r.train(ctx, &t, r.weight, n, attempt)
		if err != nil {
			return round{}, err
		}
		e, err := r.evaluate(m)
		if err != nil {
			return round{}, err
		}
		if r.resample && attempt+1 < attempts && e >= 0.5 {
			continue
		}
		return r.take(m, e, n), nil
	}
}

// evaluate returns the mean loss of a member. The largest error is one of a row that has weight.
func (r *r2) evaluate(m model.Model) (float64, error) {
	predicted, _, err := r.predictRows(m, model.Response)
	if err != nil {
		return 0, err
	}
	return r.lose(predicted), nil
}

// lose writes the losses of predictions, which it overwrites, and returns their mean.
func (r *r2) lose(predicted []float64) (e float64) {
	most := 0.0
	for i, v := range predicted {
		if predicted[i] = math.Abs(v - r.pop.Y[i]); r.weight[i] > 0 {
			most = max(most, predicted[i])
		}
	}
	for i, d := range predicted {
		if most > 0 {
			d /= most
		}
		r.losses[i] = r.loss(d)
		e += float64(r.weight[i] * r.losses[i])
	}
	return e
}

// reweigh changes the weights by a vote.
func (r *r2) reweigh(vote float64) {
	for i, w := range r.weight {
		if w > 0 {
			r.weight[i] = float64(w * kernel.Exp(-float64(vote*(1-r.losses[i]))))
		}
	}
	normalise(r.weight)
}

func (r *r2) replay(vote float64, predicted [][]float64) float64 {
	e := r.lose(predicted[0])
	r.reweigh(vote)
	return e
}

func (r *r2) take(m model.Model, e float64, n int) round {
	found := round{error: e}
	switch {
	case e >= 0.5 && n > 0:
		found.stop = stopLarge
		return found
	case e >= 0.5:
		found.stop, found.weight = stopLarge, 1
	case e == 0:
		// see discrete
		found.stop, found.weight = stopPerfect, kernel.Log(float64(len(r.pop.Rows))+1)
	default:
		found.weight = kernel.Log((1 - e) / e)
	}
	if found.weight = float64(found.weight * r.learner.LearningRate); found.weight == 0 {
		found.stop, found.weight = stopLarge, 1
	}
	r.reweigh(found.weight)
	kept, gain := compact(m)
	found.members = []member{{model: kept, weight: found.weight, gain: gain}}
	return found
}

// error and margins are those of classes.
func (r *r2) error() (float64, bool) { return 0, false }

func (r *r2) margins([]float64) bool { return false }
