package dense

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Bind matches the model's columns by name to those of a table, and indexes the training rows.
// Response and Raw are the class probabilities, or the number. Label is the class that the decision
// chooses, the first of equally probable ones. There are no leaves and no quantiles. Options.Rounds
// is ignored.
func (m *Neighbours) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	index := newIndex(m.Rows, m.Len(), m.Encoding.Width())
	return m.Encoding.Bind(s, o, Scores{Spec: &m.Meta, Scores: m.Outputs(),
		Outputs: m.Outputs(), Apart: true,
		Start: func() func(scores, x []float64) {
			return (&vote{Neighbours: m, search: search{index: index}}).respond
		}})
}

// vote predicts rows, one at a time.
type vote struct {
	*Neighbours
	search search
	found  []neighbour // by the search
	counts []float64   // scratch memory
}

// respond writes the response of a vector. Sums run from the nearest neighbour to the farthest.
func (v *vote) respond(dst, x []float64) {
	v.found = v.search.nearest(x, v.K)
	v.counts = v.weigh(v.counts[:0])
	total := 0.0
	clear(dst)
	for i, n := range v.found {
		w := v.counts[i]
		if w == 0 {
			continue // too far to count
		}
		total += w
		if v.Class != nil {
			dst[v.Class[n.Number]] += w
		} else {
			dst[0] += float64(w * v.Y[n.Number])
		}
	}
	for i := range dst {
		dst[i] /= total
	}
}

// weigh appends the weight of each neighbour that was found. Inverse distances are taken as
// multiples of the nearest's, so that they neither overflow nor vanish all together. Of K rows the
// last ones are all that are as far as the K-th, and have equal parts of what the nearer ones
// leave.
func (v *vote) weigh(counts []float64) []float64 {
	nearest := v.found[0].root()
	closer, part := v.closer()
	for i, n := range v.found {
		w := 1.0
		if v.Weights == DistanceWeights {
			switch root := n.root(); {
			case nearest > 0 && !math.IsInf(nearest, 0):
				w = nearest / root
			case root > nearest:
				w = 0
			}
		}
		if v.Weight != nil {
			w *= v.Weight[n.Number]
		}
		if i >= closer {
			w *= part
		}
		counts = append(counts, w)
	}
	return counts
}

// closer returns the number of neighbours nearer than the K-th, and the part of a neighbour that
// each of the others counts for: 1 if they are not more than K.
func (v *vote) closer() (n int, part float64) {
	if len(v.found) <= v.K {
		return len(v.found), 1
	}
	least := v.found[v.K-1].Distance
	for n = v.K - 1; n > 0 && within(v.found[n-1].Distance) >= least; n-- {
	}
	return n, float64(v.K-n) / float64(len(v.found)-n)
}
