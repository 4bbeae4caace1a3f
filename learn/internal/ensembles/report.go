package ensembles

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model/training"
)

// Report returns the report of the members so far. What it does not hold, whether the error is
// optimistic and has settled, is for the caller to fill in.
func (t *Accumulator) Report() *training.OutOfBag {
	return &training.OutOfBag{Estimate: t.Estimate(), Curve: t.Curve()}
}

// Unseen returns the predictions so far with what they are compared with. They are those at the
// time that each is requested.
func (t *Accumulator) Unseen() *learn.Unseen {
	u := &learn.Unseen{Width: t.truth.Width(), Predict: t.mean}
	u.Target = data.Target{Task: t.truth.Task, Class: t.truth.Class, Weight: t.truth.Weight}
	if t.truth.Y != nil {
		u.Target.Y = [][]float64{t.truth.Y}
	}
	return u
}
