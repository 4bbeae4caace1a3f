// Package weighting owns the weights of training rows: class weights, priors, the parameter costs,
// and the population of a job. It refuses weights whose squares would not add up.
package weighting

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// Gather makes the population of the given frame rows (see grow.Gather) and weighs its classes as a
// class_weight sets them. The factors of the classes, nil if all are 1, are returned too:
// validation rows are weighed by them. Weights that are so large, or so small, that their squares
// do not add up are an error: impurities are made of these.
func Gather(t *data.Target, rows []int32, classWeight data.ClassWeight) (*grow.Population, []float64, error) {
	p, err := grow.Gather(t, rows)
	if err != nil {
		return nil, nil, err
	}
	factors, err := ClassFactors(classWeight, t, p.Class, p.Count)
	if err != nil {
		return nil, nil, err
	}
	p.Scale(factors)
	p.Case = nil // class_weight is a weight of rows: surrogates count it, which priors do not
	return p, factors, checkHeaviest(p, classWeight)
}

// leastHeaviest is how much the heaviest row has to weigh. Its square is above the least float64 of
// full precision by 2^222, so that rows count which weigh far less.
const leastHeaviest = 0x1p-400

// checkHeaviest returns an error if squares of what rows weigh cannot be added up, though a bag
// sample one row every time.
func checkHeaviest(p *grow.Population, classWeight data.ClassWeight) error {
	if p.Weight == nil {
		return nil
	}
	most := slices.Max(p.Weight)
	if most >= leastHeaviest && most <= math.Sqrt(math.MaxFloat64)/2/float64(p.Copies()) {
		return nil
	}
	what, change := "rows weigh", "multiply"
	if classWeight.Given() {
		what = "with class_weight rows weigh"
	}
	if most > 1 {
		change = "divide"
	}
	return fmt.Errorf("%s up to %.3g, and squares of weights do not add up there: %s all weights "+
		"by one number", what, most, change)
}
