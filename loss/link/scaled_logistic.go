package link

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// ScaledLogistic maps each score x by itself to the probability 1 / (1 + exp(-k x)) with the factor
// k, as Logistic does with k = 1. LightGBM calls the factor `sigmoid` and applies the link to each
// class of its one-vs-all models, whose probabilities need not add up to 1. The factor is finite
// and greater than 0.
func ScaledLogistic(factor float64) Link { return scaledLogistic{factor} }

type scaledLogistic struct{ Factor float64 }

// Name returns the link with its factor, such as "logistic(0.7)". The digits are the fewest that
// make up the factor.
func (l scaledLogistic) Name() string {
	return scaledPrefix + strconv.FormatFloat(l.Factor, 'g', -1, 64) + ")"
}

// Apply maps each element of v. The factor is multiplied first, and the product is rounded.
func (l scaledLogistic) Apply(v []float64) {
	for i, x := range v {
		v[i] = kernel.Sigmoid(float64(l.Factor * x))
	}
}

// Describe returns the kind Logistic with the factor.
func (l scaledLogistic) Describe() Description {
	return Description{Kind: logistic{}, Factor: l.Factor, Monotone: 1, Symmetric: true}
}

const scaledPrefix = "logistic("

// readScaled reads a name that Name returns. A factor out of range is an error, and so is another
// way to write it, because a link has one name.
func readScaled(name string) (Link, error) {
	digits := strings.TrimSuffix(strings.TrimPrefix(name, scaledPrefix), ")")
	k, err := strconv.ParseFloat(digits, 64)
	l := scaledLogistic{k}
	if err != nil || !(k > 0 && k <= math.MaxFloat64) || l.Name() != name {
		return nil, fmt.Errorf("link %q: want a finite factor above 0, such as logistic(0.7)", name)
	}
	return l, nil
}
