package rounds

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/invariant"
)

// leastRows is the number of rows of a table from which rows are held out.
const leastRows = 20

// FewFolds is the number of folds that choose as well as all, of groups and times too.
const FewFolds = 3

// HoldOutFraction is that of the one validation set of large tables.
const HoldOutFraction = 0.15

// Folds that choose the number of rounds.
const (
	// The best round of one small validation set varies: so up to many rows there are several
	// folds, whose metrics are averaged. Those of few rows are fifths, which leave more rows to
	// train on than thirds. MostFolds of them choose as well as all.
	leastSmall, tinyRows, fewRows, manyRows = 300, 1000, 5000, 40_000
	fewRankedRows                           = 10_000 // of rankings, whose metrics vary more

	// The folds learn faster than the final training. With few rows the best round at a high rate
	// is a worse guide. A round of several classes grows a tree for each, which is why theirs learn
	// fast there, too.
	fewRowsFoldRate, fastFoldRate = 0.1, 0.2
)

// FoldRate returns the learning rate of some folds, of so many rows in all, for the final
// training's own rate. Where training chooses that rate, the same for all rounds, the folds have a
// high one: it needs fewer rounds, and fewer without improvement stop it.
func FoldRate(own float64, chosen bool, task data.Task, folds, rows int) float64 {
	switch {
	case !chosen:
		return own
	case task == data.Multiclass:
		return fastFoldRate
	case folds == 1 || !SmoothCurve(task, rows):
		if rows < fewRows {
			return own
		}
		return max(own, fewRowsFoldRate)
	case rows < fewRows:
		return fewRowsFoldRate
	}
	return fastFoldRate
}

// SmoothCurve reports whether the metric of some rows varies so little from round to round that few
// rounds of few folds find the best one. It is a mean over rows, not over queries or pairs of rows.
func SmoothCurve(task data.Task, rows int) bool {
	return task == data.Multiclass ||
		rows >= tinyRows && (task == data.Binary || task == data.Regression)
}

// MostFolds returns how many folds of n rows are trained at most. All of those that the caller
// chose are, and all where training does not choose the learning rate, or the metric is rough. On
// tables of 80 and 100 rows three are worse than four, which are as good as five.
func MostFolds(rateChosen bool, t *data.Target, plan *split.Plan, n int) int {
	kind := plan.KindFor(t)
	switch {
	case !rateChosen || !freePlan(plan) || !SmoothCurve(t.Task, max(n, tinyRows)):
		return math.MaxInt
	case n < leastSmall && t.Task != data.Multiclass:
		return 4
	case n < tinyRows || kind == split.Grouped || kind == split.ByTime:
		return FewFolds
	}
	return 2
}

// freePlan reports whether a plan leaves the folds to training.
func freePlan(p *split.Plan) bool { return p == nil || p.K == 0 && p.Assign == nil }

// Folds assigns rows to the folds that choose the number of rounds; nil where no rows can be held
// out. By time they are the latest expanding ones.
func Folds(t *data.Target, plan *split.Plan, rows []int32, seed uint64) []split.Fold {
	n := len(data.Distinct(rows))
	if n < leastRows {
		return nil
	}
	if plan.KindFor(t) == split.ByTime {
		if n <= manyRows {
			if folds := expanding(t, rows, seed); folds != nil {
				return folds
			}
		}
		return HoldOut(t, plan, rows, seed)
	}
	if freePlan(plan) && n > manyRows {
		return HoldOut(t, plan, rows, seed)
	}
	k := 5
	if n >= fewRows && SmoothCurve(t.Task, n) || n > fewRankedRows {
		k = 3
	}
	return planned(plan, t, rows, k, seed)
}

// HoldOut returns one fold, whose validation set is some of the rows, by time the latest ones; nil
// where no rows can be held out.
func HoldOut(t *data.Target, plan *split.Plan, rows []int32, seed uint64) []split.Fold {
	if len(data.Distinct(rows)) < leastRows {
		return nil
	}
	once := split.HoldOut{Kind: plan.KindFor(t), Seed: seed, Valid: HoldOutFraction}
	train, valid, _, err := once.Sets(t, rows)
	if err != nil {
		return nil
	}
	return apart([]split.Fold{{Train: train, Test: valid}})
}

// Expanding folds train on all rows before their test set. Of so many the latest three choose the
// number of rounds, which train on 70, 80 and 90 % of the rows. Earlier ones have too few.
const mostExpanding, leastExpanding = 9, 5

// expanding returns the latest expanding folds, the latest one first; nil where there are too few
// times.
func expanding(t *data.Target, rows []int32, seed uint64) []split.Fold {
	plan := (&split.Plan{Kind: split.ByTime}).For(t, rows, mostExpanding, seed)
	if plan == nil || plan.K < leastExpanding {
		return nil
	}
	folds, err := plan.Folds(t, rows)
	if err != nil {
		return nil
	}
	folds = folds[len(folds)-FewFolds:]
	slices.Reverse(folds)
	return apart(folds)
}

// TrainedFraction returns the fraction of some rows that folds train on: of expanding ones the
// mean, since their mean metric chooses the rounds.
func TrainedFraction(t *data.Target, plan *split.Plan, folds []split.Fold, rows int) float64 {
	if plan.KindFor(t) != split.ByTime {
		return float64(len(folds[0].Train)) / float64(rows)
	}
	sum := 0
	for _, f := range folds {
		sum += len(f.Train)
	}
	return float64(sum) / float64(len(folds)) / float64(rows)
}

// planned assigns rows to k folds, or as many as the plan has; nil where it has none.
func planned(p *split.Plan, t *data.Target, rows []int32, k int, seed uint64) []split.Fold {
	plan := p.For(t, rows, k, seed)
	if plan == nil {
		return nil
	}
	folds, err := plan.Folds(t, rows)
	if err != nil {
		return nil
	}
	return apart(folds)
}

// apart checks that no fold tests on a row that it trains on.
func apart(folds []split.Fold) []split.Fold {
	if invariant.On {
		for _, f := range folds {
			invariant.Check(len(f.Train) > 0 && len(f.Test) > 0, "a fold trains on %d rows and tests "+
				"on %d", len(f.Train), len(f.Test))
			trained := map[int32]bool{}
			for _, r := range f.Train {
				trained[r] = true
			}
			for _, r := range f.Test {
				invariant.Check(!trained[r], "a fold trains and tests on row %d", r)
			}
		}
	}
	return folds
}
