package fit

import (
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
)

// While candidates are compared a state is a head with the trials so far. There are no scores: a
// trial is repeated unless it has ended. The model beside it has trees that predict 0.

// checkpoint returns what the rehearsal can be resumed from.
func (r *rehearsal) checkpoint() (*learn.Checkpoint, error) {
	h := searchHead{Head: boost.Head{Seed: r.job.Seed, Data: r.sum}, Trials: r.race.Ended()}
	state, err := boost.AppendHead(nil, &h)
	return &learn.Checkpoint{Model: r.blank, State: state}, err
}

// take takes the trials of a state over; it has none: nothing.
func (r *rehearsal) take(h *searchHead) error {
	for _, t := range h.Trials {
		if t.Fold < 0 || t.Fold >= len(r.race.Folds) || t.Rounds < 0 || t.Best < 0 ||
			t.Best > t.Rounds || !(t.Work >= 0) {
			return boost.ErrState
		}
	}
	r.race.Known, r.sum, r.resumed = h.Trials, h.Data, len(h.Trials) > 0
	return nil
}
