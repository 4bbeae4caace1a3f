//go:build linux

package main

import (
	"math"

	"github.com/coppice-ml/coppice/data"
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

// folds splits all rows into two folds several times; each is trained on once and tested on once.
// The folds are stratified by class. Each repetition has a seed of its own, from the given one on.
func folds(ds *data.Dataset, repeats int, seed uint64) ([]round, error) {
	var rounds []round
	for i := range uint64(repeats) {
		plan := data.Plan{Kind: data.StratifiedPlan, K: 2, Seed: seed + i}
		folded, err := plan.Folds(&ds.Target, data.AllRows(ds.Rows()))
		if err != nil {
			return nil, err
		}
		for _, f := range folded {
			r := make(round, ds.Rows())
			for _, i := range f.Test {
				r[i] = forTest
			}
			rounds = append(rounds, r)
		}
	}
	return rounds, nil
}

// headSplit trains on the first fraction of the rows and tests on the others, n times: what changes
// is the seed.
func headSplit(rows, n int, fraction float64) []round {
	r := make(round, rows)
	for i := int(math.Round(fraction * float64(rows))); i < rows; i++ {
		r[i] = forTest
	}
	var rounds []round
	for range n {
		rounds = append(rounds, r)
	}
	return rounds
}

// randomSplit splits the rows at random, n times, a fraction of them for training.
func randomSplit(rows, n int, fraction float64) []round {
	var rounds []round
	for seed := range uint64(n) {
		r := make(round, rows)
		for _, i := range rng.New(seed).Perm(rows)[int(math.Round(fraction*float64(rows))):] {
			r[i] = forTest
		}
		rounds = append(rounds, r)
	}
	return rounds
}
