package ranked_test

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/exact/ranked"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// TestBucketsFindTheSameTrees: large nodes that are scanned by buckets are split as those of
// presorted columns are, and for any number of workers, whatever the labels owe to the columns.
func TestBucketsFindTheSameTrees(t *testing.T) {
	for _, noise := range []float64{0, 0.3, 100} {
		for _, sampled := range []bool{false, true} {
			p := growtest.ManyValues(t, 9000, noise)
			if sampled {
				growtest.Bootstrap(&p.Pop)
			}
			for seed := range uint64(4) {
				cfg := growtest.Config{Workers: 1, Mtry: 3, Redraw: 10, Seed: seed,
					Limits: grow.Limits{Depth: 6, MinLeaf: 1 + 40*int(seed%2)}}
				want := growtest.GrowPresorted(t, p, cfg)
				if !growtest.SameTree(want, growtest.GrowRanked(t, p, cfg)) {
					t.Fatal("noise", noise, "sampled", sampled, "seed", seed,
						"buckets find another tree")
				}
				cfg.Workers = 3
				if !growtest.SameTree(want, growtest.GrowRanked(t, p, cfg)) {
					t.Fatal("noise", noise, "sampled", sampled, "seed", seed,
						"3 workers grow another tree")
				}
			}
		}
	}
}

// manyNumbers is the table of manyValues with numbers to predict: a step where the classes change,
// and noise, which is a number of either sign or an integer, so that split points are worth the
// same.
func manyNumbers(t growtest.Fataler, rows int, noise float64) *growtest.Problem {
	p := growtest.ManyValues(t, rows, noise)
	r := rng.New(12)
	p.Pop.Y = make([]float64, rows)
	for i, class := range p.Pop.Class {
		p.Pop.Y[i] = 1000.1 + float64(class)
		if noise > 0 {
			p.Pop.Y[i] += math.Exp(3 * r.Float64())
		}
	}
	p.Pop.Class, p.Pop.Classes = nil, 0
	p.Criterion, _ = criterion.ByName("squared_error")
	return p
}

// TestSumsFindTheSameTrees: large nodes that are scanned by sums of buckets are split as those of
// presorted columns are, to the last bit of the gains, and for any number of workers.
func TestSumsFindTheSameTrees(t *testing.T) {
	var scanned, decided int
	for _, noise := range []float64{0, 0.3, 100} {
		for _, sampled := range []bool{false, true} {
			p := manyNumbers(t, 9000, noise)
			if sampled {
				growtest.Bootstrap(&p.Pop)
			}
			prepared, err := ranked.Prepare(context.Background(), p.Frame, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(4) {
				cfg := growtest.Config{Criterion: p.Criterion, Workers: 1, Mtry: 3, Redraw: 10,
					Seed: seed, Limits: grow.Limits{Depth: 6, MinLeaf: 1 + 40*int(seed%2)}}
				want := growtest.GrowPresorted(t, p, cfg)
				got, n, m, err := prepared.GrowCounted(context.Background(), &p.Pop, cfg.Ranked())
				if err != nil || !growtest.SameTree(want, got) {
					t.Fatal("noise", noise, "sampled", sampled, "seed", seed,
						"sums of buckets find another tree", err)
				}
				scanned, decided = scanned+n, decided+m
				cfg.Workers = 3
				if !growtest.SameTree(want, growtest.GrowRanked(t, p, cfg)) {
					t.Fatal("noise", noise, "sampled", sampled, "seed", seed,
						"3 workers grow another tree")
				}
			}
		}
	}
	if 2*decided < scanned {
		t.Error("of", scanned, "scanned nodes sums of buckets decide the split of", decided)
	}
}
