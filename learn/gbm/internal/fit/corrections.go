package fit

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// The folds that choose the number of rounds predict each row by trees that have not seen it. The
// final model is corrected by what these scores lack:
//
//	quantiles  too many new labels lie beyond them: of each level the quantile of labels minus
//	           scores is added to the start value (after Romano, Patterson & Candes, "Conformalized
//	           quantile regression", 2019)
//	classes    probabilities are over- or underconfident: all scores are divided by the temperature
//	           that makes the log loss least (Guo et al., "On calibration of modern neural networks", 2017)

// corrects reports whether scores will be corrected. A temperature needs several folds, which
// predict many rows, and scores that are of this training alone.
func (r *roundSearch) corrects(left *boost.Left) bool {
	if _, ok := r.trainings[0].ValidationSet().Objective.(loss.Quantiler); ok {
		return true
	}
	name, _, err := r.config.LossOf(r.target)
	return err == nil && (name == "logistic" || name == "softmax") && left.Temperature &&
		r.Folds > 1 && r.job.Start == nil && r.target.Offset == nil
}

// hold keeps the scores of the hold-out rows after the best round so far, if they are needed.
func (r *roundSearch) hold() {
	if r.Best == 0 || r.Best != len(r.Means) || !r.corrected {
		return
	}
	r.best = slices.Grow(r.best, len(r.trainings))[:len(r.trainings)]
	for i, set := range r.valid() {
		if r.trainings[i].Ahead(len(r.Means)) {
			r.best[i] = nil // which run gets
		} else {
			r.best[i] = append(r.best[i][:0], set.Raw...)
		}
	}
}

// corrections returns what corrects the scores of the best round.
func (r *roundSearch) corrections() (report.Correction, error) {
	switch {
	case r.best == nil:
		return r.known, nil
	case r.Classes:
		return report.Correction{Temperature: r.temperature()}, nil
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
		return report.Correction{}, err
	}
	all, err := l.Bind(r.target, rows)
	if err != nil {
		return report.Correction{}, err
	}
	shifts := make([]float64, outputs)
	for k := range shifts {
		shifts[k] = all.(loss.LeafRefiner).RefineLeaf(raw, k, data.AllRows(len(rows)))
	}
	return report.Correction{Shifts: shifts}, nil
}

// temperature returns what scores are divided by; 0 = they stay as they are.
func (r *roundSearch) temperature() float64 {
	return rounds.Temperature(func(t float64) (sum float64) {
		for i, set := range r.valid() {
			sum += set.Objective.Value(scaled(r.best[i], 1/t), r.job.Workers)
		}
		return sum
	}, func(t float64) (values []float64) {
		for i, b := range r.trainings {
			values = append(values, b.BlockValues(scaled(r.best[i], 1/t))...)
		}
		return values
	}, r.Higher)
}

// scaled returns numbers times a factor.
func scaled(all []float64, by float64) []float64 {
	to := make([]float64, len(all))
	for i, v := range all {
		to[i] = by * v
	}
	return to
}

// correct corrects the scores of a model by those of a choice.
func (p *decision) correct(m model.Model) {
	e, ok := m.(*model.Ensemble)
	if !ok || p.Choice == nil {
		return
	}
	for k, s := range p.Choice.Shifts[:min(len(e.Bias), len(p.Choice.Shifts))] {
		e.Bias[k] += s
	}
	if t := p.Choice.Temperature; t > 0 {
		*e = *boost.Scaled(e, 1/t)
	}
}
