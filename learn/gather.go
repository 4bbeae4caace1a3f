package learn

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
)

// Gather makes the population of the given frame rows (see grow.Gather) and weighs its classes as a class_weight asks
// for. The factors of the classes, nil if all are 1, are returned too: validation rows are weighed by them.
func Gather(t *data.Target, rows []int32, classWeight string) (*grow.Population, []float64, error) {
	p, err := grow.Gather(t, rows)
	if err != nil {
		return nil, nil, err
	}
	factors, err := ClassFactors(classWeight, t, p.Class, p.Count)
	if err != nil {
		return nil, nil, err
	}
	p.Scale(factors)
	return p, factors, nil
}
