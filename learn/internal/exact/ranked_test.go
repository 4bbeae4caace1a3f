package exact_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// TestRanksAgree: ranks of all rows and blocks of subtrees grow the trees of presorted columns, to
// the last bit, with multiplicities and weights, whatever the number of workers.
func TestRanksAgree(t *testing.T) {
	tier.NotShort(t, "grows the trees of several ranks many times")
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t, 60, 3)
		cfg := growtest.Config{Workers: 1, Mtry: rapid.IntRange(0, 2).Draw(t, "mtry"), Missing: growtest.Missing(rapid.IntRange(0, 1).Draw(t, "missing")),
			BestFirst: rapid.Bool().Draw(t, "best first"), Levels: rapid.IntRange(0, 3).Draw(t, "levels"), LevelFraction: float64(rapid.IntRange(0, 2).Draw(t, "fraction")) / 4,
			Seed: rapid.Uint64().Draw(t, "seed")}
		if want := growWith(t, &p, cfg); !growtest.SameTree(want, growRanked(t, &p, cfg)) {
			t.Fatal("ranks grow another tree")
		}
	})
	for _, name := range criterion.Names() {
		p := table(6000, name)
		for _, counted := range []bool{false, true} {
			if counted {
				growtest.Bootstrap(&p.pop)
			}
			for k, cfg := range []growtest.Config{{}, {Mtry: 1}, {Mtry: 3}, {Mtry: 1, Levels: 1, LevelFraction: 0.5}} {
				if !tier.Night() && (k%2 == 0) == counted { // by day half of the combinations
					continue
				}
				cfg.Workers = 1
				want := growWith(t, p, cfg)
				for _, cfg.Workers = range []int{2, 1, 7}[tier.Count(1, 1, 0):] {
					if got := growRanked(t, p, cfg); !growtest.SameTree(got, want) {
						t.Errorf("%s, mtry %d, fraction of levels %g, counted %t, %d workers: ranks grow another tree", name, cfg.Mtry, cfg.LevelFraction, counted, cfg.Workers)
					}
				}
			}
		}
	}
}

// TestRedraw: a node whose sampled column has one value is a leaf if it is small, and samples
// further if it is not.
func TestRedraw(t *testing.T) {
	rows := make([][]float64, 40)
	p := &problem{pop: grow.Population{Rows: data.AllRows(40), Class: make([]uint32, 40), Classes: 2}}
	for i := range rows {
		rows[i] = []float64{1, float64(i)}
		p.pop.Class[i] = uint32(i / 20)
	}
	var err error
	if p.frame, err = data.FromRows(rows, nil); err != nil {
		t.Fatal(err)
	}
	p.row, _ = criterion.ByName("gini")
	leaves := 0
	for seed := range uint64(50) {
		cfg := growtest.Config{Mtry: 1, Seed: seed, Redraw: 39, Workers: 1}
		if got := growRanked(t, p, cfg); got.Len() != 3 || got.SplitPoint(0) != 19.5 {
			t.Fatalf("40 rows: %d nodes", got.Len())
		}
		cfg.Redraw = 40
		if growRanked(t, p, cfg).Len() == 1 {
			leaves++
		}
	}
	if leaves < 15 || leaves > 35 {
		t.Errorf("%d of 50 nodes sampled the constant column, about half should", leaves)
	}
}

// TestLevelFractionOfTwoClasses: subtrees of two classes, which read codes as bytes, sample
// categories as presorted columns do.
func TestLevelFractionOfTwoClasses(t *testing.T) {
	p := table(6000, "gini")
	p.pop.Classes = 2
	for i := range p.pop.Class {
		p.pop.Class[i] %= 2
	}
	p.pop.Weight = nil
	growtest.Bootstrap(&p.pop)
	cfg := growtest.Config{Mtry: 1, Levels: 1, LevelFraction: 0.5, Workers: 1}
	want := growWith(t, p, cfg)
	for _, cfg.Workers = range []int{1, 3} {
		if got := growRanked(t, p, cfg); !growtest.SameTree(got, want) {
			t.Errorf("%d workers: ranks grow another tree", cfg.Workers)
		}
	}
}

// TestLevelFraction: a column has more categories than the limit, of labels 0 to 3. Each is left
// out of a node with probability 1/2, and those left out go the same way. Of what remains the best
// split is taken: ab and cd if it may be, the first of two equal ones else.
func TestLevelFraction(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d"}}}}
	frame, err := data.NewFrame(schema, []data.Column{data.Codes([]uint32{0, 1, 2, 3})})
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(4), Y: []float64{0, 1, 2, 3}}}
	p.row, _ = criterion.ByName("squared_error")
	const trees = 2000
	times := map[string]float64{}
	for seed := range uint64(trees) {
		cfg := growtest.Config{Levels: 3, LevelFraction: 0.5, Seed: seed, Limits: grow.Limits{Depth: 1}, Workers: 1}
		times[besideFirst(growRanked(t, p, cfg), frame)] += 16. / trees
	}
	// of the 16 sets of categories that may be sampled
	want := map[string]float64{"ab": 7, "a": 3, "abc": 2, "acd": 2, "abd": 1, "abcd": 1}
	for set, n := range want {
		if math.Abs(times[set]-n) > 0.6 {
			t.Errorf("%s on one side in %.2f of 16 trees, want %g", set, times[set], n)
		}
	}
	if len(times) != len(want) {
		t.Errorf("sides %v", times)
	}
}

// TestLevels: a column of more categories than the limit is split in the order of its codes.
func TestLevels(t *testing.T) {
	codes := []uint32{0, 0, 1, 1, 2, 2, 3, 3}
	schema := data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d"}}}}
	frame, err := data.NewFrame(schema, []data.Column{data.Codes(codes)})
	if err != nil {
		t.Fatal(err)
	}
	// Classes of a b c d are 0 1 0 1: two sets separate them in one split, split points of codes in
	// three.
	for _, name := range []string{"gini", "absolute_error"} {
		p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(8)}}
		if p.row, _ = criterion.ByName(name); p.row.Family == criterion.Classes {
			p.pop.Class, p.pop.Classes = []uint32{0, 0, 1, 1, 0, 0, 1, 1}, 2
		} else {
			p.pop.Y = []float64{0, 0, 1, 1, 0, 0, 1, 1}
		}
		for levels, leaves := range map[int]int{0: 2, 4: 2, 3: 4} {
			if got := growRanked(t, p, growtest.Config{Levels: levels, Workers: 1}); got.NumLeaves() != leaves {
				t.Errorf("%s: %d leaves with a limit of %d, want %d", name, got.NumLeaves(), levels, leaves)
			}
		}
	}
}
