package exact_test

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact"
	"github.com/coppice-ml/coppice/internal/rng"
)

// manyNumbers is the table of manyValues with numbers to predict: a step where the classes change,
// and noise, which is a number of either sign or an integer, so that cuts are worth the same.
func manyNumbers(t fataler, rows int, noise float64) *problem {
	p := manyValues(t, rows, noise)
	r := rng.New(12)
	p.pop.Y = make([]float64, rows)
	for i, class := range p.pop.Class {
		p.pop.Y[i] = 1000.1 + float64(class)
		if noise > 0 {
			p.pop.Y[i] += math.Exp(3 * r.Float64())
		}
	}
	p.pop.Class, p.pop.Classes = nil, 0
	p.row, _ = criterion.ByName("squared_error")
	return p
}

// TestSumsFindTheSameTrees: large nodes that are looked at by sums of buckets are split as those of
// presorted columns are, to the last bit of the gains, and for any number of workers.
func TestSumsFindTheSameTrees(t *testing.T) {
	var asked, told int
	for _, noise := range []float64{0, 0.3, 100} {
		for _, drawn := range []bool{false, true} {
			p := manyNumbers(t, 9000, noise)
			if drawn {
				bootstrap(p)
			}
			prepared, err := exact.PrepareFramed(context.Background(), p.frame, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(4) {
				cfg := exact.Config{Criterion: p.row, Workers: 1, Mtry: 3, Redraw: 10, Seed: seed, Limits: grow.Limits{Depth: 6, MinLeaf: 1 + 40*int(seed%2)}}
				want := growWith(t, p, cfg)
				got, n, m, err := prepared.GrowCounted(context.Background(), &p.pop, cfg)
				if err != nil || !sameTree(want, got) {
					t.Fatal("noise", noise, "drawn", drawn, "seed", seed, "sums of buckets find another tree", err)
				}
				asked, told = asked+n, told+m
				cfg.Workers = 3
				if !sameTree(want, growFramed(t, p, cfg)) {
					t.Fatal("noise", noise, "drawn", drawn, "seed", seed, "3 workers grow another tree")
				}
			}
		}
	}
	if 2*told < asked {
		t.Error("of", asked, "large nodes sums of buckets tell the split of", told)
	}
}
