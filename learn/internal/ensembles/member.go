package ensembles

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Predict predicts frame rows of a table: Truth.Width values for each of rows into dst.
type Predict func(dst []float64, columns []data.Column, rows []int32) error

// Member returns the importances of one member, by unit: the increase of its mean loss (error rate,
// or squared error; by weight) over its out-of-bag positions when the unit is permuted, negative
// where that helps. used lists the features that predictions depend on, nil = all; units without
// them have exactly 0. stream gives the stream of a unit's permutation. Without out-of-bag rows of
// positive weight it returns nil.
func (p *Permuter) Member(
	predict Predict, used, out []int32, stream func(unit int) *rng.Stream,
) ([]float64, error) {
	total := p.weigh(out)
	if total == 0 {
		return nil, nil
	}
	rows := make([]int32, len(out))
	for i, position := range out {
		rows[i] = p.rows[position]
	}
	w := p.truth.Width()
	predictions := make([]float64, len(out)*w)
	if err := predict(predictions, p.columns, rows); err != nil {
		return nil, err
	}
	before := make([]float64, len(out))
	for i, position := range out {
		before[i] = p.loss(predictions[i*w:(i+1)*w], position)
	}
	result, from := make([]float64, p.Units()), make([]int32, len(out))
	for unit, seen := range p.units.Touched(used) {
		if !seen {
			continue
		}
		p.shuffle(out, stream(unit))
		for i, position := range p.order {
			from[i] = p.rows[position]
		}
		if err := predict(predictions, p.table.With(p.units.Columns(unit), rows, from),
			rows); err != nil {
			return nil, err
		}
		sum := 0.0
		for i, position := range out {
			sum += p.change(position, p.loss(predictions[i*w:(i+1)*w], position), before[i])
		}
		result[unit] = sum / total
	}
	return result, nil
}
