package boost

import (
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// watch is the stage that evaluates the metrics after a round and decides when a training ends:
//
//	early stopping    no improvement for that many rounds              boosting.Monitor
//	too little gain   where a validation set chooses the rounds        boosting.Flat
//	exhausted         nothing is split, and no later round would do    exhausted
//	flat              a loss of one's own has no curvature any more    training.curved
type watch struct {
	boosting.Monitor
	stubs int // last rounds that split nothing
	// another round may split where one did not: it samples rows, columns or thresholds
	retries bool
	slow    bool // a validation set chooses the number of rounds: too little gain ends them
	classes bool // the label is a class

	earlyStopping int // rounds
}

const overflowAdvice = "use a lower learning_rate, or max_delta_step; or divide labels by some " +
	"number if they are very large"

// newWatch looks up the metrics. columns is the number of columns in bins.
func newWatch(s *setup, sc *scores, columns int) (*watch, error) {
	c := &s.Config
	fraction := c.FractionOfColumns(columns) // 0 = all
	w := &watch{
		retries: c.Engine.ExtraRandom || s.dart() || c.Permutations > 0 || c.Noise > 0 ||
			c.samples() || fraction > 0 && fraction < 1 || c.Engine.ColumnsByLevel < 1 ||
			c.Engine.ColumnsByNode < 1,
		slow: s.Auto, classes: s.Target.Task.Classes(), earlyStopping: c.EarlyStopping,
	}
	return w, w.Open(boosting.Monitoring{Target: s.Target, Loss: s.loss, Metric: c.Metric,
		Own: c.Metrics, Train: sc.train, Valid: sc.valid,
		Compat: !c.Own(), Every: c.TrainingMetric, Rounds: c.Trees,
		EarlyStopping: c.EarlyStopping,
		Workers:       s.workers(), Advice: overflowAdvice})
}

// evaluate evaluates the metrics after a round, and decides whether it is the last one. It reports
// whether the round is the best so far on the validation set.
func (w *watch) evaluate() (best bool, err error) {
	k := &w.Monitor
	if err := k.Evaluate(); err != nil || k.Best == 0 {
		return false, err
	}
	if w.slow && w.earlyStopping > 0 &&
		boosting.Flat(k.First().Values, w.earlyStopping, boosting.FlatWindows, w.classes) {
		k.Stopped = true
	}
	return k.Best == k.Rounds, nil
}

// stubRounds is the number of rounds in which nothing is split that end a training.
const stubRounds = 20

// exhausted reports whether nothing is left to be split, and then takes back the rounds that split
// nothing. A round of single leaves may move scores to where something can be split again, as with
// hinge.
func (w *watch) exhausted(split bool, e *ensemble) bool {
	if w.Flat {
		w.Exhausted = true
		return true
	}
	if split {
		w.stubs = 0
		return false
	}
	w.stubs++
	if w.stubs < stubRounds && (w.retries || e.moved()) {
		return false
	}
	n := max(0, w.Rounds-w.stubs)
	if n == 0 && e.before == 0 {
		n = 1 // a model has a tree
	}
	e.keep(n)
	w.Rounds, w.Exhausted = n, true
	return true
}
