package adaboost

import (
	"context"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// real is boosting by the class probabilities p of members:
//
//	f_k = ln p_k - mean of ln p_j      w *= exp(-f_y) for a row of class y, then w /= sum of w
//
// which for two classes is f = 1/2 ln(p / (1 - p)) (Friedman et al. 2000, algorithm 2), for more
// SAMME.R (Zhu et al. 2009, algorithm 4) but for its factor K - 1, which changes neither weights
// nor classes. Members multiply their probabilities: see committee.Product. Training ends with a
// member that makes no error, as SAMME.R's does in scikit-learn, or where no weight changes any
// more.
type real struct {
	*job
	scores []float64 // sum of f, rows x classes
}

func newReal(j *job) booster {
	return &real{job: j, scores: make([]float64, len(j.pop.Rows)*j.pop.Classes)}
}

func (r *real) committee() *committee.Committee {
	return &committee.Committee{Combine: committee.Product}
}

func (r *real) round(ctx context.Context, n int) (round, error) {
	t := *r.target
	m, err := r.train(ctx, &t, r.weight, n, 0)
	if err != nil {
		return round{}, err
	}
	probabilities, k, err := r.predictRows(m, model.Response)
	if err != nil {
		return round{}, err
	}
	rate := r.learner.LearningRate
	found := round{weight: rate}
	changes := false
	for i, y := range r.pop.Class {
		p := probabilities[i*k : (i+1)*k]
		if uint32(model.ArgMax(p)) != y {
			found.error += r.weight[i]
		}
		f := centred(p, y)
		changes = changes || f != centred(probabilities[:k], r.pop.Class[0])
		r.weight[i] = float64(r.weight[i] * kernel.Exp(-float64(rate*f)))
	}
	z := normalise(r.weight)
	switch {
	case found.error == 0:
		found.stop = stopPerfect
	case !changes:
		if found.stop = stopSilent; n > 0 {
			return found, nil
		}
	}
	for i := range r.pop.Class {
		for c := range k {
			r.scores[i*k+c] += float64(rate * centred(probabilities[i*k:(i+1)*k], uint32(c)))
		}
	}
	if k == 2 {
		found.z = z
	}
	kept, gain := compact(m)
	found.members = []member{{model: kept, weight: rate, gain: gain}}
	return found, nil
}

func (r *real) replay(vote float64, predicted [][]float64) (e float64) {
	k := r.pop.Classes
	for i, y := range r.pop.Class {
		f := predicted[0][i*k : (i+1)*k]
		e += only(uint32(model.ArgMax(f)) != y, r.weight[i])
		r.weight[i] = float64(r.weight[i] * kernel.Exp(-float64(vote*f[y])))
	}
	normalise(r.weight)
	return e
}

// centred returns ln p_y - mean of ln p_j, as committee.Product adds it up.
func centred(p []float64, y uint32) float64 {
	mean, own := 0.0, 0.0
	for c, v := range p {
		l := kernel.Log(max(v, committee.SmallestProbability))
		if mean += l; uint32(c) == y {
			own = l
		}
	}
	return own - mean/float64(len(p))
}

// compact returns a member as ensembles keep it.
func compact(m model.Model) (model.Model, []float64) { return ensembles.CompactMember(m) }

func (r *real) error() (float64, bool) { return errorOf(r.job, r.scores), true }

// margins are differences of class probabilities.
func (r *real) margins(dst []float64) bool {
	k := r.pop.Classes
	probabilities := make([]float64, k)
	for i, c := range r.pop.Class {
		copy(probabilities, r.scores[i*k:(i+1)*k])
		link.Softmax().Apply(probabilities)
		dst[i] = margin(probabilities, c)
	}
	return true
}

// errorOf returns the fraction of the rows' first weight whose largest score, of equal ones the
// first, is not their class's.
func errorOf(j *job, scores []float64) float64 {
	k, e := j.pop.Classes, 0.0
	for i, c := range j.pop.Class {
		own := scores[i*k : (i+1)*k]
		if k == 2 {
			e += only((own[1] > own[0]) != (c == 1), j.first[i])
		} else {
			e += only(uint32(model.ArgMax(own)) != c, j.first[i])
		}
	}
	return e
}
