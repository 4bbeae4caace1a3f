//go:build linux

package main

import "github.com/coppice-ml/coppice/data"

// smallSet is the number of rows below which a set gets four times the rounds: its test rows are
// few, so that one round is chance.
const smallSet = 2000

// budgetRounds makes the rounds of the comparison budget. The rows are split into parts, stratified
// by class, of at most the rows that -train allows, and at least two. A round trains on one part
// and tests on all others. -repeats is the number of rounds of all but small sets; 0 = 2.
func (b *bench) budgetRounds(ds *data.Dataset) ([]round, error) {
	wanted, parts := b.repeats, 2
	if wanted == 0 {
		wanted = 2
	}
	if ds.Rows() < smallSet {
		wanted *= 4
	}
	if b.most > 0 {
		parts = max(parts, (ds.Rows()+b.most-1)/b.most)
	}
	var rounds []round
	for seed := b.seed; len(rounds) < wanted; seed++ {
		plan := data.Plan{Kind: data.StratifiedPlan, K: parts, Seed: seed}
		split, err := plan.Folds(&ds.Target, data.AllRows(ds.Rows()))
		if err != nil {
			return nil, err
		}
		for _, s := range split[:min(len(split), wanted-len(rounds))] {
			r := make(round, ds.Rows())
			for i := range r {
				r[i] = forTest
			}
			for _, i := range s.Test {
				r[i] = forTraining
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
