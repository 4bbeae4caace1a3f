//go:build linux

package accuracy

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
)

// What a row is in a round, as rounds.i8 holds it for the peers.
const (
	forTraining int8 = 0
	forTest     int8 = 1
)

// round is one training and its test: what each row of the table is.
type round []int8

// rows returns the rows that are something, ascending.
func (r round) rows(what int8) []int32 {
	var rows []int32
	for i, v := range r {
		if v == what {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// smallSet is the number of rows below which a set gets twice the rounds: its test rows are few, so
// that one round is chance.
const smallSet = 2000

// split splits the rows into parts, stratified by class, again and again. A round tests on one of
// them, and trains on the others; with -train it trains on one, and there are as many parts as make
// these small enough.
func (b *bench) split(ds *data.Dataset) ([]round, error) {
	wanted, parts := b.Rounds, b.folds
	if ds.Rows() < smallSet {
		wanted *= 2
	}
	own, others := forTest, forTraining
	if b.most > 0 {
		parts, own, others = max(2, (ds.Rows()+b.most-1)/b.most), forTraining, forTest
	}
	var rounds []round
	for seed := b.seed; len(rounds) < wanted; seed++ {
		plan := split.Plan{Kind: split.Stratified, K: parts, Seed: seed}
		folds, err := plan.Folds(&ds.Target, data.AllRows(ds.Rows()))
		if err != nil {
			return nil, err
		}
		for _, f := range folds[:min(len(folds), wanted-len(rounds))] {
			r := make(round, ds.Rows())
			for i := range r {
				r[i] = others
			}
			for _, i := range f.Test {
				r[i] = own
			}
			rounds = append(rounds, r)
		}
	}
	return rounds, nil
}

// mostRounds returns the largest number of rounds of a problem.
func mostRounds(problems []*problem) int {
	n := 0
	for _, p := range problems {
		n = max(n, len(p.rounds))
	}
	return n
}

// head trains five times on the first rows, a fraction of all, and tests on the others: what
// changes is the seed.
func head(fraction float64) func(rows int) []round {
	return func(rows int) []round {
		r := make(round, rows)
		for i := int(math.Round(fraction * float64(rows))); i < rows; i++ {
			r[i] = forTest
		}
		return []round{r, r, r, r, r}
	}
}

// atRandom splits the rows at random ten times, a fraction of them for training.
func atRandom(fraction float64) func(rows int) []round {
	return func(rows int) []round {
		var rounds []round
		for seed := range uint64(10) {
			r := make(round, rows)
			for _, i := range rng.New(seed).Perm(rows)[int(math.Round(fraction*float64(rows))):] {
				r[i] = forTest
			}
			rounds = append(rounds, r)
		}
		return rounds
	}
}
