package boost

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// resume returns to a checkpoint with its state. All is ready for the first round.
func (b *Training) resume(m *model.Ensemble, state []byte) error {
	h := &Head{}
	rest, err := ReadHead(state, h)
	if err != nil {
		return err
	}
	if err := b.sameTraining(h); err != nil {
		return err
	}
	if !b.ensemble.matches(h, len(m.Trees)) || !sameCurves(b.watch.Curves, h.Curves) {
		return ErrState
	}
	if rest, err = b.readState(rest); err != nil {
		return err
	}
	if len(rest) > 0 {
		return ErrState
	}
	b.scores.collect()
	b.watch.Log, b.watch.stubs = h.Log, h.Stub
	e := b.ensemble
	e.before, e.first, e.bestWeights = h.Before, h.First, h.AtBest
	e.model.Trees, e.model.Output = slices.Clip(m.Trees), slices.Clip(m.Output)
	e.model.Bias, e.model.Weights = m.Bias, h.Weights
	return nil
}

// matches reports whether the counts of a head are those of a model of so many trees.
func (e *ensemble) matches(h *Head, trees int) bool {
	switch {
	case h.Before < 0 || h.First < 0 || h.Best < 0 || h.Best > h.Rounds || h.Stub < 0 ||
		h.Stub > h.Rounds:
		return false
	case h.First+h.Rounds*e.width != trees:
		return false
	case (h.Weights == nil) != (e.model.Weights == nil):
		return false
	case h.Weights == nil:
		return true
	}
	return len(h.Weights) == trees && (h.Best == 0 || len(h.AtBest) == h.First+h.Best*e.width)
}

// sameCurves checks that curves are of the same metrics as these.
func sameCurves(these, read []report.LearningCurve) bool {
	if len(these) != len(read) {
		return false
	}
	for i, c := range read {
		if c.Set != these[i].Set || c.Metric != these[i].Metric ||
			len(c.Rounds) != len(c.Values) || len(c.Rounds) == 0 && c.Set == "validation" {
			return false
		}
	}
	return true
}

// ErrOtherData is the error of a state that was made on other data.
var ErrOtherData = error(option.Error("the checkpoint was trained on other rows, columns, labels " +
	"or weights: use the same tables and flags, or {continue} to add to its model"))

// OtherSeed returns the error of a state that was made with another seed.
func OtherSeed(was, is uint64) error {
	return fmt.Errorf("the checkpoint was trained with seed %d, not %d: use the same, or "+
		option.Expand("{continue} to add to its model"), was, is)
}

// sameTraining checks that a checkpoint with the same parameters is of this training.
func (b *Training) sameTraining(h *Head) error {
	if h.Seed != b.setup.Job.Seed {
		return OtherSeed(h.Seed, b.setup.Job.Seed)
	}
	if h.Rounds > b.setup.Config.Trees {
		return fmt.Errorf("the checkpoint has %d rounds, more than trees=%d", h.Rounds,
			b.setup.Config.Trees)
	}
	if h.Data != b.Checksum() {
		return ErrOtherData
	}
	return nil
}
