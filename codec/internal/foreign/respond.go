package foreign

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/loss/link"
)

// responses are the kinds of links by their plain definitions and package math, so that references
// have answers of their own.
var responses = map[link.Link]func(v []float64){
	link.Identity(): func([]float64) {},
	link.Logistic(): each(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	link.Exp():      each(math.Exp),
	link.Step(): each(func(x float64) float64 {
		if x > 0 {
			return 1
		}
		return 0
	}),
	link.Softmax():   Softmax,
	link.Ascending(): slices.Sort[[]float64],
}

// Softmax makes probabilities of scores, by the plain definition.
func Softmax(v []float64) {
	top, sum := slices.Max(v), 0.0
	for i, x := range v {
		v[i] = math.Exp(x - top)
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

func each(f func(float64) float64) func(v []float64) {
	return func(v []float64) {
		for i, x := range v {
			v[i] = f(x)
		}
	}
}

// Respond overwrites the raw scores of a row by what a link makes of them, for references of tools
// whose objectives have the links identity, logistic, exp, hazard, step, softmax and ascending.
func Respond(of link.Link, v []float64) { responses[link.OrIdentity(of).Describe().Kind](v) }
