package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/param"
)

// xeNDCGLoss is the cross entropy of the order of a group's rows, a bound of NDCG (Bruch 2021,
// equation 5). With f = 2^y - Gamma divided by its sum over the group, and r = e^x divided by its
// sum, it is the sum of -f log r. Bruch, and LightGBM's rank_xendcg, sample gammas for every row
// and tree. Here they have their mean, so that the loss is a fixed function of the scores.
//
// Rows of a group may be anywhere in the table. All have one weight: a group of weight 2 counts as
// two groups. The start value is 0.
type xeNDCGLoss struct {
	Gamma float64 // between 0 and 1; 1 leaves rows of label 0 without relevance
}

// Params declares gamma.
func (l *xeNDCGLoss) Params() param.Set {
	return param.Set{param.Float(&l.Gamma, "gamma", 0.5, 0, 1,
		"subtracted from 2^label, so that rows of label 0 have a relevance of 1 minus this")}
}

// Bind needs groups and grades from 0 to 31.
func (l *xeNDCGLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	q, err := bindQueries(l, t, rows, domain{"xe_ndcg", "from 0 to 31", isGrade})
	if err != nil {
		return nil, err
	}
	o := &xeNDCG{q, make([]float64, len(q.y))}
	for k := range q.weights {
		at := q.at[q.from[k]:q.from[k+1]]
		sum := 0.0
		for _, p := range at {
			o.fraction[p] = kernel.Exp2(q.y[p]) - l.Gamma
			sum += o.fraction[p]
		}
		for _, p := range at {
			if sum > 0 {
				o.fraction[p] /= sum
			}
		}
	}
	return o, nil
}

type xeNDCG struct {
	*queries
	fraction []float64 // f by position; of a group they add up to 1, or all are 0
}

// softmax writes e^(x - highest) of a query into m.odds and returns their sum and the highest
// score.
func (o *xeNDCG) softmax(m *ranking, at []int32, raw []float64) (sum, top float64) {
	top = math.Inf(-1)
	for _, p := range at {
		top = max(top, raw[p])
	}
	m.odds = resize(m.odds, len(at))
	for i, p := range at {
		m.odds[i] = raw[p] - top
	}
	kernel.Exps(m.odds, m.odds)
	for _, e := range m.odds {
		sum += e
	}
	return sum, top
}

// probabilities returns the sum of f of a query: 1 or 0.
func (o *xeNDCG) probabilities(at []int32) float64 {
	for _, p := range at {
		if o.fraction[p] > 0 {
			return 1
		}
	}
	return 0
}

func (o *xeNDCG) Gradients(g, h, raw []float64, workers int) {
	clear(g[:len(o.rows)])
	clear(h[:len(o.rows)])
	o.each(workers, func(k int, at []int32, m *ranking) {
		w := float64(o.weights[k] * o.probabilities(at))
		sum, _ := o.softmax(m, at, raw)
		for i, p := range at {
			r := m.odds[i] / sum
			rest := (sum - m.odds[i]) / sum
			g[p], h[p] = w*(r-o.fraction[p]), w*r*rest
		}
	})
}

func (o *xeNDCG) Value(raw []float64, workers int) float64 {
	return o.perQuery(workers, func(_ int, at []int32, m *ranking) float64 {
		sum, top := o.softmax(m, at, raw)
		norm := top + kernel.Log(sum)
		v := 0.0
		for _, p := range at {
			v += float64(o.fraction[p] * (norm - raw[p]))
		}
		return v
	})
}
