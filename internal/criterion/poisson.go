package criterion

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// poisson is half the Poisson deviance of counts or rates y >= 0 from their weighted mean m
// (Breiman et al. 1984 do not have it; rpart and scikit-learn do):
//
//	sum w (y log(y/m) - y + m) = sum w y log(y/m)
//
// The values have the weight h and the weighted sum g, and the parent has the mean M. Then that is
// -g log(g/h / M), but for a term that is the same for all ways to split one node. A mean of 0
// would rule out all other values in later predictions, so a child whose values are all 0 is
// refused: its impurity is infinite.
type poisson struct{}

func newPoisson(int) Criterion { return poisson{} }

func (poisson) Impurity(dst, stats, parent []float64) {
	mean, least := parent[1]/parent[0], leastFraction*parent[1]
	for i := range dst {
		h, g := stats[2*i], stats[2*i+1]
		switch {
		case h <= 0:
			dst[i] = 0
		case g <= least:
			dst[i] = math.Inf(1)
		default:
			dst[i] = -float64(g * kernel.Log(g/h/mean))
		}
	}
}

// leastMean stands for a predicted mean of 0, so that its loss is huge but not infinite.
const leastMean = 0x1p-1022

func (poisson) Loss(y, value float64) float64 {
	if y == 0 {
		return value
	}
	return max(0, float64(y*kernel.Log(y/max(value, leastMean)))-(y-value))
}

func (p poisson) Describe(stats []float64, s Sample) Node {
	h, g := 0.0, 0.0
	for i, y := range s.Y {
		w := s.weight(i)
		h += w
		g += float64(w * y)
	}
	n := Node{Value: g / h}
	for i, y := range s.Y {
		n.Impurity += float64(s.weight(i) * p.Loss(y, n.Value))
	}
	stats[0], stats[1] = h, g
	return n
}

// checkPoisson refuses values that no Poisson distribution gives.
func checkPoisson(y []float64) error {
	sum := 0.0
	for i, v := range y {
		if !(v >= 0) {
			return &LabelError{At: i, Reason: fmt.Sprintf("criterion=poisson needs labels of 0 "+
				"or more, this is %g", v)}
		}
		sum += v
	}
	if sum == 0 {
		return &LabelError{At: -1, Reason: "criterion=poisson needs a label above 0, all are 0"}
	}
	return nil
}
