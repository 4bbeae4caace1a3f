package exact_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

func growFramed(t fataler, p *problem, cfg exact.Config) *tree.Tree {
	prepared, err := exact.PrepareFramed(context.Background(), p.frame, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Criterion = p.row
	grown, err := prepared.Grow(context.Background(), &p.pop, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// sameTree reports whether two trees are equal but for the numbers of their nodes.
func sameTree(a, b *tree.Tree) bool {
	first := func(t *tree.Tree) []int32 { // child of each node
		child := make([]int32, t.Len())
		for n, p := range slices.Backward(t.Parents()) {
			if p >= 0 {
				child[p] = int32(n)
			}
		}
		return child
	}
	ca, cb := first(a), first(b)
	var same func(n, m int32) bool
	same = func(n, m int32) bool {
		x, y := a.SplitOf(n), b.SplitOf(m)
		if !reflect.DeepEqual(x, y) || !slices.Equal(a.Value(n), b.Value(m)) || a.Stats.Rows[n] != b.Stats.Rows[m] ||
			a.Stats.Weight[n] != b.Stats.Weight[m] || a.Stats.Impurity[n] != b.Stats.Impurity[m] {
			return false
		}
		return x.Kind == tree.Leaf || same(ca[n], cb[m]) && same(ca[n]+1, cb[m]+1)
	}
	return a.Len() == b.Len() && same(0, 0)
}

// TestFramesAgree: frames of all rows and of subtrees grow the trees of presorted columns, to the
// last bit, with multiplicities and weights, whatever the number of workers.
func TestFramesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 60, 3)
		cfg := exact.Config{Workers: 1, Mtry: rapid.IntRange(0, 2).Draw(t, "mtry"), Missing: exact.Missing(rapid.IntRange(0, 1).Draw(t, "missing")),
			BestFirst: rapid.Bool().Draw(t, "best first"), Levels: rapid.IntRange(0, 3).Draw(t, "levels"), LevelFraction: float64(rapid.IntRange(0, 2).Draw(t, "share")) / 4,
			Seed: rapid.Uint64().Draw(t, "seed")}
		if want := growWith(t, &p, cfg); !sameTree(want, growFramed(t, &p, cfg)) {
			t.Fatal("frames grow another tree")
		}
	})
	for _, name := range criterion.Names() {
		p := table(6000, name)
		for _, counted := range []bool{false, true} {
			if counted {
				bootstrap(p)
			}
			for _, cfg := range []exact.Config{{}, {Mtry: 1}, {Mtry: 3}, {Mtry: 1, Levels: 1, LevelFraction: 0.5}} {
				cfg.Workers = 1
				want := growWith(t, p, cfg)
				for _, cfg.Workers = range []int{1, 2, 7} {
					if got := growFramed(t, p, cfg); !sameTree(got, want) {
						t.Errorf("%s, mtry %d, share of levels %g, counted %t, %d workers: frames grow another tree", name, cfg.Mtry, cfg.LevelFraction, counted, cfg.Workers)
					}
				}
			}
		}
	}
}

// bootstrap draws as many rows of a population as it has, with replacement.
func bootstrap(p *problem) {
	r := rng.New(3)
	p.pop.Count = make([]uint32, len(p.pop.Rows))
	for range p.pop.Rows {
		p.pop.Count[r.Intn(len(p.pop.Rows))]++
	}
	for i := range p.pop.Weight {
		p.pop.Weight[i] *= float64(p.pop.Count[i])
	}
}

// TestRedraw: a node whose drawn column has one value is a leaf if it is small, and draws on if it
// is not.
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
		cfg := exact.Config{Mtry: 1, Seed: seed, Redraw: 39, Workers: 1}
		if got := growFramed(t, p, cfg); got.Len() != 3 || got.Cut(0) != 19.5 {
			t.Fatalf("40 rows: %d nodes", got.Len())
		}
		cfg.Redraw = 40
		if growFramed(t, p, cfg).Len() == 1 {
			leaves++
		}
	}
	if leaves < 15 || leaves > 35 {
		t.Errorf("%d of 50 nodes drew the constant column, about half should", leaves)
	}
}

// TestLevelFractionOfTwoClasses: subtrees of two classes, which read codes as bytes, draw
// categories as presorted columns do.
func TestLevelFractionOfTwoClasses(t *testing.T) {
	p := table(6000, "gini")
	p.pop.Classes = 2
	for i := range p.pop.Class {
		p.pop.Class[i] %= 2
	}
	p.pop.Weight = nil
	bootstrap(p)
	cfg := exact.Config{Mtry: 1, Levels: 1, LevelFraction: 0.5, Workers: 1}
	want := growWith(t, p, cfg)
	for _, cfg.Workers = range []int{1, 3} {
		if got := growFramed(t, p, cfg); !sameTree(got, want) {
			t.Errorf("%d workers: frames grow another tree", cfg.Workers)
		}
	}
}

// TestLevelFraction: categories of a column of more than the limit, of labels 0 to 3, that a node
// does not draw, each with probability 1/2, go the same way, and of what is left the best split is
// taken: ab and cd if it may be, the first of two equal ones else.
func TestLevelFraction(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d"}}}}
	frame, err := data.NewFrame(schema, []data.Column{{Code: []uint32{0, 1, 2, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(4), Y: []float64{0, 1, 2, 3}}}
	p.row, _ = criterion.ByName("squared_error")
	const trees = 2000
	times := map[string]float64{}
	for seed := range uint64(trees) {
		cfg := exact.Config{Levels: 3, LevelFraction: 0.5, Seed: seed, Limits: grow.Limits{Depth: 1}, Workers: 1}
		times[besideFirst(growFramed(t, p, cfg), frame)] += 16. / trees
	}
	// of the 16 sets of categories that may be drawn
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

// TestLevels: a column of more categories than the limit is cut in the order of its codes.
func TestLevels(t *testing.T) {
	codes := []uint32{0, 0, 1, 1, 2, 2, 3, 3}
	schema := data.Schema{Fields: []data.Field{{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b", "c", "d"}}}}
	frame, err := data.NewFrame(schema, []data.Column{{Code: codes}})
	if err != nil {
		t.Fatal(err)
	}
	// Classes of a b c d are 0 1 0 1: two sets part them in one split, cuts of codes in three.
	for _, name := range []string{"gini", "absolute_error"} {
		p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(8)}}
		if p.row, _ = criterion.ByName(name); p.row.Family == criterion.Classes {
			p.pop.Class, p.pop.Classes = []uint32{0, 0, 1, 1, 0, 0, 1, 1}, 2
		} else {
			p.pop.Y = []float64{0, 0, 1, 1, 0, 0, 1, 1}
		}
		for levels, leaves := range map[int]int{0: 2, 4: 2, 3: 4} {
			if got := growFramed(t, p, exact.Config{Levels: levels, Workers: 1}); got.NumLeaves() != leaves {
				t.Errorf("%s: %d leaves with a limit of %d, want %d", name, got.NumLeaves(), levels, leaves)
			}
		}
	}
}
