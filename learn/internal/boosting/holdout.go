package boosting

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// ReportHoldOut hands a job with the function HoldOut or Folds the predictions for the validation
// sets that choose the number of rounds, as they are after the last round. Those of the best round
// would be better than chance by the choice alone: by about 0.01 of the AUC, on shuffled labels of
// pima and titanic. No row may be in two sets.
func ReportHoldOut(job *learn.Job, t *data.Target, sets ...*Set) error {
	if job.HoldOut == nil && job.Folds == nil {
		return nil
	}
	h := &learn.HoldOut{}
	for _, p := range sets {
		h.Rows = append(h.Rows, p.Rows...)
	}
	slices.Sort(h.Rows)
	for _, p := range sets {
		width, values := p.responses(t)
		if h.Values == nil {
			h.Width, h.Values = width, make([]float64, width*len(h.Rows))
		}
		for i, row := range p.Rows {
			at, _ := slices.BinarySearch(h.Rows, row)
			copy(h.Values[at*width:(at+1)*width], values[i*width:])
		}
	}
	if job.Folds != nil {
		if err := job.Folds(h); err != nil || job.HoldOut == nil {
			return err
		}
	}
	return job.HoldOut("choice of rounds", h)
}

// responses returns the predictions by the scores of a set, width numbers for each row.
func (p *Set) responses(t *data.Target) (width int, values []float64) {
	n, k := len(p.Rows), p.Objective.Outputs()
	// an ensemble without trees has the link and the classes
	head := &model.Ensemble{Meta: model.Spec{Task: t.Task, Classes: t.Classes},
		Bias: make([]float64, k), Link: p.Objective.Link()}
	width = head.Outputs()
	values = make([]float64, n*width)
	respond, raw := head.Responder(), make([]float64, k)
	for i := range n {
		for o := range k {
			raw[o] = p.Raw[o*n+i]
		}
		respond(values[i*width:(i+1)*width], raw)
	}
	return width, values
}
