package fit

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
)

// Trees fit quantiles closer to their own rows than to others, so that too many new labels lie
// beyond them. The folds that choose the number of rounds predict each row by trees that have not
// seen it. What these predictions need to be quantiles is added to the start values of the final
// model: of each level the quantile of labels minus scores (after Romano, Patterson & Candes,
// "Conformalized quantile regression", 2019).

// hold keeps the scores of the hold-out rows after the best round so far, of quantiles.
func (r *roundSearch) hold() {
	if r.Best == 0 || r.Best != len(r.Means) {
		return
	}
	if _, ok := r.trainings[0].ValidationSet().Objective.(loss.Quantiler); !ok {
		return
	}
	r.best = slices.Grow(r.best, len(r.trainings))[:len(r.trainings)]
	for i, set := range r.valid() {
		r.best[i] = append(r.best[i][:0], set.Raw...)
	}
}

// shifts returns what is to be added to the scores of each level; nil for other losses.
func (r *roundSearch) shifts() ([]float64, error) {
	if r.best == nil {
		return r.known, nil
	}
	var rows []int32
	var raw []float64
	outputs := r.trainings[0].ValidationSet().Objective.Outputs()
	for k := range outputs {
		for i, set := range r.valid() {
			n := len(set.Rows)
			raw = append(raw, r.best[i][k*n:(k+1)*n]...)
			if k == 0 {
				rows = append(rows, set.Rows...)
			}
		}
	}
	_, l, err := r.config.LossOf(r.target)
	if err != nil {
		return nil, err
	}
	all, err := l.Bind(r.target, rows)
	if err != nil {
		return nil, err
	}
	shifts := make([]float64, outputs)
	for k := range shifts {
		shifts[k] = all.(loss.LeafRefiner).RefineLeaf(raw, k, data.AllRows(len(rows)))
	}
	return shifts, nil
}

// shift adds the shifts of a choice to the start values of a model.
func (p *decision) shift(m model.Model) {
	if e, ok := m.(*model.Ensemble); ok && p.Choice != nil && len(p.Choice.Shifts) == len(e.Bias) {
		for k, s := range p.Choice.Shifts {
			e.Bias[k] += s
		}
	}
}
