package gbm

import (
	"context"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
)

// While candidates are compared a state is a head with the trials so far. There are no scores: a
// trial is repeated unless it has ended. The model beside it has trees that predict 0.

// checkpoint returns what the rehearsal can be resumed from.
func (r *rehearsal) checkpoint() (*learn.Checkpoint, error) {
	h := head{Version: stateVersion, Seed: r.job.Seed, Data: r.sum}
	for _, c := range r.tried {
		for fold, t := range c.trials {
			if t.done {
				h.Trials = append(h.Trials, knownTrial{c.settings, fold, t})
			}
		}
	}
	state, err := h.append(nil)
	return &learn.Checkpoint{Model: r.blank, State: state}, err
}

// take takes the trials of a state over; it has none: nothing.
func (r *rehearsal) take(h *head) error {
	for _, t := range h.Trials {
		if t.Fold < 0 || t.Fold >= len(r.folds) || t.Rounds < 0 || t.Best < 0 ||
			t.Best > t.Rounds || !(t.Work >= 0) {
			return errState
		}
	}
	r.known, r.sum = h.Trials, h.Data
	return nil
}

// resume checks that the trials of a checkpoint are of this table.
func (r *rehearsal) resume(ctx context.Context, usual *candidate) error {
	if len(r.known) == 0 {
		return nil
	}
	was := r.sum
	r.shared[r.sharing(usual, 0)] = &sharedTable{}
	b, err := r.begin(ctx, usual, 0, mostTrialRound, parallel.Workers(r.job.Workers))
	if err == nil {
		err = r.refer(b)
	}
	if err == nil && r.sum != was {
		err = errOtherData
	}
	r.spent += r.statisticsWork(usual, 0)
	return err
}
