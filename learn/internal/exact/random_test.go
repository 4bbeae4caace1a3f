package exact_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/exact/random"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// TestRandom: both children have rows, the finished tree sends rows where growing did, and
// workers do not matter.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 40, 3)
		cfg := growtest.Config{Workers: 1, Mtry: rapid.IntRange(0, 2).Draw(t, "mtry"), Missing: growtest.Missing(rapid.IntRange(0, 1).Draw(t, "missing")),
			Thresholds: rapid.IntRange(1, 3).Draw(t, "thresholds"), Levels: rapid.IntRange(0, 3).Draw(t, "levels"), Seed: rapid.Uint64().Draw(t, "seed")}
		want := growRandom(t, &p, cfg)
		cfg.Workers = 3
		if !reflect.DeepEqual(growRandom(t, &p, cfg), want) {
			t.Fatal("3 workers grow another tree")
		}
		reaches(t, &p, want)
	})
	for _, name := range criterion.Names() {
		p := table(6000, name)
		growtest.Bootstrap(&p.pop)
		reaches(t, p, growRandom(t, p, growtest.Config{Thresholds: 1, Mtry: 2, Workers: 2}))
	}
}

// reaches checks that a finished tree sends as many rows to every node as growing did, which is at
// least one.
func reaches(t growtest.Fataler, p *problem, grown *tree.Tree) {
	rows := make([]int, grown.Len())
	for i, r := range p.pop.Rows {
		grown.Over(p.frame.Columns).Visit(r, func(n int32, _ float64, _ bool) {
			rows[n] += p.pop.Multiplicity(i)
		})
	}
	for n, got := range rows {
		if want := int(grown.Stats.Rows[n]); got == 0 || got != want {
			t.Fatal("node", n, "has", got, "rows, growing counted", want)
		}
	}
}

// TestRandomThresholdIsUniform: between 0 and 1, whatever lies between them.
func TestRandomThresholdIsUniform(t *testing.T) {
	frame, err := data.FromRows([][]float64{{0}, {0.9}, {0.95}, {1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(4), Class: []uint32{0, 1, 0, 1}, Classes: 2}}
	p.row, _ = criterion.ByName("gini")
	const random = 4000
	sum, low := 0.0, 0
	for seed := range uint64(random) {
		threshold := growRandom(t, p, growtest.Config{Thresholds: 1, Seed: seed, Limits: grow.Limits{Depth: 1}, Workers: 1}).SplitOf(0).SplitPoint
		if threshold < 0 || threshold >= 1 {
			t.Fatalf("threshold %g", threshold)
		}
		if sum += threshold; threshold < 0.25 {
			low++
		}
	}
	if mean, fraction := sum/random, float64(low)/random; math.Abs(mean-0.5) > 0.015 || math.Abs(fraction-0.25) > 0.022 {
		t.Errorf("mean %g, fraction below a quarter %g", mean, fraction)
	}
}

// TestRandomLevels: a column of more categories than the limit is split in the order of its codes,
// at each place with equal probability. Other columns split off a set of each size with equal
// probability, and each set of a size too.
func TestRandomLevels(t *testing.T) {
	frame, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d"}}}},
		[]data.Column{data.Codes([]uint32{0, 1, 2, 3})})
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(4), Class: []uint32{0, 1, 0, 1}, Classes: 2}}
	p.row, _ = criterion.ByName("gini")
	const random = 3000
	for levels, want := range map[int]map[string]float64{
		3: {"a": 1. / 3, "ab": 1. / 3, "abc": 1. / 3},
		4: {"a": 1. / 6, "ab": 1. / 9, "ac": 1. / 9, "ad": 1. / 9, "abc": 1. / 6, "abd": 1. / 6, "acd": 1. / 6},
	} {
		times := map[string]float64{}
		for seed := range uint64(random) {
			grown := growRandom(t, p, growtest.Config{Thresholds: 1, Levels: levels, Seed: seed, Limits: grow.Limits{Depth: 1}, Workers: 1})
			times[besideFirst(grown, p.frame)] += 1. / random
		}
		for set, fraction := range want {
			if math.Abs(times[set]-fraction) > 0.03 {
				t.Errorf("limit %d: %s on one side in %.3f of the trees, want %.3f", levels, set, times[set], fraction)
			}
		}
		if len(times) != len(want) {
			t.Errorf("limit %d: sides %v", levels, times)
		}
	}
}

// besideFirst returns the rows, as letters, that a tree of two leaves sends where it sends the
// first.
func besideFirst(grown *tree.Tree, f *data.Frame) string {
	leaf := func(row int32) (last int32) {
		grown.Over(f.Columns).Visit(row, func(n int32, _ float64, _ bool) { last = n })
		return last
	}
	set := ""
	for row := range int32(f.Rows()) {
		if leaf(row) == leaf(0) {
			set += string('a' + row)
		}
	}
	return set
}

// TestUnlabeled: without labels a tree separates all rows that differ, each split in a column that
// varies, and no column is preferred.
func TestUnlabeled(t *testing.T) {
	nan := math.NaN()
	schema := data.Schema{Fields: []data.Field{{Name: "constant"}, {Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}}
	frame, err := data.NewFrame(schema, []data.Column{data.Numbers([]float64{1, 1, 1, 1, 1, 1}), data.Numbers([]float64{1, 2, nan, 4, math.Inf(1), 4}),
		data.Codes([]uint32{0, 1, 2, data.MissingCode, 0, 0})})
	if err != nil {
		t.Fatal(err)
	}
	first := map[int32]int{}
	for seed := range uint64(600) {
		prepared, err := random.Prepare(context.Background(), frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		grown, err := prepared.GrowUnlabeled(context.Background(), grow.Limits{}, seed)
		if err != nil {
			t.Fatal(err)
		}
		if n := grown.NumLeaves(); n != 6 {
			t.Fatalf("seed %d: %d leaves, want one for each row", seed, n)
		}
		if s := grown.SplitOf(0); s.Kind == tree.Leaf || s.Feature == 0 {
			t.Fatalf("seed %d: the root splits column %d", seed, s.Feature)
		} else {
			first[s.Feature]++
		}
	}
	if n := first[1]; n < 250 || n > 350 {
		t.Errorf("of 600 roots %d split x", n)
	}
}
