package rounds

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Rows of a rehearsal. A gain that counts shows on a part of a large table, too.
const (
	FewestRehearsed = 500    // of a table that rehearses: differences on fewer are chance
	mostRehearsed   = 50_000 // of any table
	// Rows that a table of more rehearses on: half of its rows up to 20,000, a fifth of more. With
	// these the budget, which is what the choice of rounds costs, is enough for all candidates.
	allRehearsed, halfRehearsed = 10_000, 20_000
	rehearsedFraction           = 0.2
	leastValid                  = 2000 // where there is a validation set
)

// Compares reports whether a table of so many rows has enough for a race.
func Compares(rows int) bool { return rows >= FewestRehearsed }

// TrainingRows returns the number of rows that a training of n rows rehearses on. A validation set
// leaves little work for that, because one training chooses the rounds.
func TrainingRows(n int, valid bool) int {
	all := allRehearsed
	if valid {
		all = leastValid
	}
	return min(n, mostRehearsed, max(all, min(n/2, halfRehearsed),
		int(float64(rehearsedFraction*float64(n)))))
}

// SampleValid returns the rows of a validation set that a race uses.
func SampleValid(t *data.Target, plan *split.Plan, valid []int32, seed uint64) []int32 {
	return Sample(t, plan, valid, halfRehearsed, seed)
}

// RaceFolds assigns rows to the folds of a race that drops losers after some; nil where no rows can
// be held out. By time it is one: on a few the race has less work for each candidate, and misses
// winners.
func RaceFolds(t *data.Target, plan *split.Plan, rows []int32, first int, seed uint64) []split.Fold {
	switch {
	case plan.KindFor(t) == split.ByTime:
		return HoldOut(t, plan, rows, seed)
	case first > 1:
		return Folds(t, plan, rows, seed)
	}
	return planned(plan, t, rows, 3, seed)
}

// fewSteps is how many times the rate of the choice a race's is at most, where the choice of rounds
// costs too little for five folds of a race.
const fewSteps = 4

// FirstFolds returns after how many folds a race of n rows drops losers, where steps rounds of the
// choice take the place of one of its own.
func FirstFolds(n int, steps float64) int {
	if steps > fewSteps && n < fewRows {
		return 2
	}
	return 1
}

// fiveCounted is the number of rows up to which the choice of rounds is counted as five folds.
const fiveCounted = 10_000

// Choice is what the cost of choosing the number of rounds follows from.
type Choice struct {
	Rows     int
	Folds    float64
	Fraction float64 // of the rows that a fold trains on
	Steps    float64 // rounds of the choice that take the place of one of a trial
}

// ChoiceOf returns how the number of rounds of n rows is chosen, for the cost of that: a validation
// set is given, is a fraction of the rows, or neither. steps returns how many rounds of so many
// folds take the place of one of a trial.
func ChoiceOf(n int, given bool, fraction float64, steps func(folds int) float64) Choice {
	c := Choice{Rows: n, Folds: 5, Fraction: 0.8}
	switch {
	case given:
		c.Folds, c.Fraction = 1, 1
	case fraction > 0:
		c.Folds, c.Fraction = 1, 1-fraction
	case n > manyRows:
		c.Folds, c.Fraction = 1, 1-HoldOutFraction
	case n > fiveCounted:
		c.Folds, c.Fraction = 3, 2.0/3
	}
	c.Steps = steps(int(c.Folds))
	return c
}

// Sample returns some of the rows at random, ascending; all of them if there are no more. Rows
// of a group stay together.
func Sample(t *data.Target, plan *split.Plan, rows []int32, most int, seed uint64) []int32 {
	distinct := data.Distinct(rows)
	n := len(distinct)
	if n <= most {
		return rows
	}
	kind := plan.KindFor(t)
	if kind == split.Grouped || kind == split.Stratified {
		once := split.HoldOut{Kind: kind, Seed: seed, Valid: float64(most) / float64(n)}
		if _, sample, _, err := once.Sets(t, distinct); err == nil {
			return sample
		}
	}
	sample := make([]int32, most)
	for i, at := range rng.New(seed).Perm(n)[:most] {
		sample[i] = distinct[at]
	}
	slices.Sort(sample)
	return sample
}
