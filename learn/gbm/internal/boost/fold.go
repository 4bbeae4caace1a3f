package boost

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// Fold is a training on some rows that shows by others how well it goes: one of those by which
// rounds and settings are chosen. Its work is counted, and its state is a part of the choice's.
type Fold struct {
	*Training
	meter *meter
}

// NewFold makes a training that has trained no round yet one of a fold.
func NewFold(b *Training) *Fold { return &Fold{b, newMeter(b)} }

// Round trains round n, unless it was trained before, and returns the first metric of the
// validation set after it. Where nothing is left to be split that stays as it is.
func (f *Fold) Round(ctx context.Context, n int) (float64, error) {
	if !f.Exhausted() && !f.Ahead(n-1) {
		trees, err := f.round(ctx)
		if err != nil {
			return 0, err
		}
		if trees != nil {
			f.meter.round(trees)
		}
		f.watch.exhausted(isSplit(trees), f.ensemble)
		if err := f.evaluate(); err != nil {
			return 0, err
		}
	}
	values := f.FirstCurve().Values
	return values[min(n, len(values))-1], nil
}

// Ahead reports whether more than n rounds were trained.
func (f *Fold) Ahead(n int) bool { return len(f.FirstCurve().Values) > n }

// Return gives the validation set the raw scores that it had after n rounds, to the last bit. The
// trees stay, which is no model with dropout.
func (f *Fold) Return(ctx context.Context, n int) error {
	e, set := f.ensemble, f.scores.valid
	clear(set.Raw)
	blank := e.empty()
	blank.Bias = e.model.Bias
	if err := f.table.AddScores(ctx, set.Raw, set.Rows, blank, e.roundOf); err != nil {
		return err
	}
	if err := set.AddStart(f.setup.Target.Offset, f.setup.Frame.Rows(), f.setup.loss); err != nil {
		return err
	}
	by := &validByModel{table: f.table}
	for i := range n {
		if err := by.addRound(f.scores, e, e.model.Trees[e.from(i):e.from(i+1)], 1); err != nil {
			return err
		}
	}
	return nil
}

// Work returns the work of the rounds that Round trained, in nanoseconds of a usual machine.
func (f *Fold) Work() float64 { return f.meter.sum }

// Keep removes the trees of all rounds behind the first n, unless rounds drop earlier ones: these
// change the weights of the trees before them.
func (f *Fold) Keep(n int) {
	if !f.setup.dart() {
		f.ensemble.keep(min(n, f.Rounds()))
	}
}

// Head returns what the head of a choice of rounds has of a fold: Data, Stub and Log.
func (f *Fold) Head() Head {
	return Head{Data: f.Checksum(), Stub: f.watch.stubs, Log: f.watch.Log}
}

// Resume returns the fold to its head, of so many rounds at most, and to the scores that a state
// begins with. It returns what follows these.
func (f *Fold) Resume(h *Head, rounds int, state []byte) ([]byte, error) {
	if h.Data != f.Checksum() {
		return nil, ErrOtherData
	}
	if h.Rounds > rounds || h.Stub < 0 || h.Stub > h.Rounds ||
		!sameCurves(f.watch.Curves, h.Curves) {
		return nil, ErrState
	}
	rest, err := f.readState(state)
	if err != nil {
		return nil, err
	}
	f.scores.collect()
	f.watch.Log, f.watch.stubs = h.Log, h.Stub
	m, trees := f.ensemble.model, h.Rounds*f.ensemble.width
	m.Trees = append(slices.Clip(m.Trees), make([]*tree.Tree, trees)...) // which nothing reads
	m.Output = append(slices.Clip(m.Output), make([]int32, trees)...)
	return rest, nil
}
