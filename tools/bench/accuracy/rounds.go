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

// folds deals all rows to two folds again and again, each of which is trained on once and tested on
// once. Classes are dealt evenly. Each dealing has a seed of its own, from the given one on.
func folds(ds *data.Dataset, repeats int, seed uint64) ([]round, error) {
	var rounds []round
	for i := range uint64(repeats) {
		plan := data.Plan{Kind: data.StratifiedPlan, K: 2, Seed: seed + i}
		dealt, err := plan.Folds(&ds.Target, data.AllRows(ds.Rows()))
		if err != nil {
			return nil, err
		}
		for _, f := range dealt {
			r := make(round, ds.Rows())
			for _, i := range f.Test {
				r[i] = forTest
			}
			rounds = append(rounds, r)
		}
	}
	return rounds, nil
}

// parted trains on the first share of the rows and tests on the others, n times: what changes is
// the seed.
func parted(rows, n int, share float64) []round {
	r := make(round, rows)
	for i := int(math.Round(share * float64(rows))); i < rows; i++ {
		r[i] = forTest
	}
	var rounds []round
	for range n {
		rounds = append(rounds, r)
	}
	return rounds
}

// drawn parts the rows at random, n times, a share of them for training.
func drawn(rows, n int, share float64) []round {
	var rounds []round
	for seed := range uint64(n) {
		r := make(round, rows)
		for _, i := range rng.New(seed).Perm(rows)[int(math.Round(share*float64(rows))):] {
			r[i] = forTest
		}
		rounds = append(rounds, r)
	}
	return rounds
}
