package link

import "github.com/coppice-ml/coppice/internal/kernel"

// Logistic maps each score x by itself to the probability 1 / (1 + exp(-x)), the inverse of the log
// odds log(p / (1-p)). It maps -Inf to 0, +Inf to 1 and NaN to NaN.
type Logistic struct{}

// Name returns "logistic".
func (Logistic) Name() string { return "logistic" }

// Apply maps each element of v. The exponential is only ever taken of a number that is not
// positive, so it cannot overflow and small probabilities keep their leading digits.
func (Logistic) Apply(v []float64) {
	for i, x := range v {
		if x < 0 {
			e := kernel.Exp(x)
			v[i] = e / (1 + e)
		} else {
			v[i] = 1 / (1 + kernel.Exp(-x))
		}
	}
}
