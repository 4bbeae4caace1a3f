package exact_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// TestSeries: trees that are grown one after the other in the same memory are those that are grown
// alone, and those whose leaves alone have values are the same trees.
func TestSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomCounted(t)
		cfg := growtest.Config{Criterion: p.row, Mtry: 1,
			Workers:   rapid.IntRange(1, 3).Draw(t, "workers"),
			BestFirst: rapid.Bool().Draw(t, "best first"),
			Limits:    grow.Limits{Leaves: rapid.SampledFrom([]int{0, 0, 5}).Draw(t, "leaves")}}
		prepared, err := growtest.PrepareRanked(t.Context(), p.frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		slim := cfg
		slim.Leaves = true
		series, slims := prepared.Series(cfg), prepared.Series(slim)
		random := rng.New(5)
		for seed := range uint64(3) {
			pop := p.pop
			pop.Count = make([]uint32, len(pop.Rows))
			for i := range pop.Count {
				pop.Count[i] = uint32(random.Intn(3))
			}
			pop.Count[seed%2] = 1
			alone := cfg
			alone.Seed = seed
			want, err := prepared.Grow(t.Context(), &pop, alone)
			if err != nil {
				t.Fatal(err)
			}
			got, err := series.Grow(t.Context(), &pop, seed)
			if err != nil {
				t.Fatal(err)
			}
			if !growtest.SameTree(got, want) {
				t.Fatalf("tree %d of the series is another", seed)
			}
			if got, err = slims.Grow(t.Context(), &pop, seed); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Compact(), want.Compact()) ||
				!reflect.DeepEqual(got.Stats.Gain, want.Stats.Gain) {
				t.Fatalf("tree %d whose leaves alone have values is another", seed)
			}
			first := func(value []float64) int { return int(value[0]) % len(value) }
			if !reflect.DeepEqual(votes(got, first), votes(want, first)) ||
				!reflect.DeepEqual(got.Votes(first).Compact(), got.Votes(first)) {
				t.Fatalf("tree %d votes otherwise", seed)
			}
		}
	})
}

// votes returns what each leaf of a tree votes for.
func votes(t *tree.Tree, label func([]float64) int) [][]float64 {
	var all [][]float64
	v := t.Votes(label)
	for n := range int32(v.Len()) {
		if v.Kind(n) == tree.Leaf {
			all = append(all, v.Value(n))
		}
	}
	return all
}
