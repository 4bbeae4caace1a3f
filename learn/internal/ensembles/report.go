package ensembles

import "github.com/coppice-ml/coppice/model/training"

// Report returns the report of the members so far. What it does not hold, whether the error is
// optimistic and has settled, is for the caller to fill in.
func (t *Accumulator) Report() *training.OutOfBag {
	return &training.OutOfBag{Estimate: t.Estimate(), Curve: t.Curve()}
}
