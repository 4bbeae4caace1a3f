package presorted

import (
	"context"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// TestStumps: a tree of one split that is found by bins is the one that the plain walk over all
// split points finds: of classes and numbers, of columns with few values and with many, with
// missing values and categories.
func TestStumps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, cfg := randomStump(t, rapid.IntRange(2, 900).Draw(t, "rows"))
		got := growByBins(t, p, cfg)
		cfg.plain = true
		same(t, got, growStump(t, p, cfg))
	})
}

// TestStumpsOnWorkers: of as many rows as bins are used for, the tree is the same for any number of
// workers, to the last bit.
func TestStumpsOnWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if rapid.IntRange(0, 9).Draw(t, "one in ten") > 0 {
			return
		}
		p, cfg := randomStump(t, binFrom+rapid.IntRange(0, 99).Draw(t, "rows"))
		cfg.Workers = 1
		one := growStump(t, p, cfg)
		cfg.Workers = 3
		if three := growStump(t, p, cfg); !reflect.DeepEqual(one, three) {
			t.Fatalf("%+v and %+v", one, three)
		}
	})
}

// growByBins grows a stump by bins, however few rows there are.
func growByBins(t *rapid.T, p problemOf, cfg Config) *tree.Tree {
	sorted, err := sorting.Sort(context.Background(), p.frame, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	prepared := &Prepared{sorted}
	if !prepared.servesStumps(p.pop, &cfg.Criterion) {
		return growStump(t, p, cfg)
	}
	grown, err := newStumpGrowth(sorted, p.pop, &cfg.Options).Grow(context.Background(),
		growth.RowsOf(p.pop, nil), 0)
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

func growStump(t *rapid.T, p problemOf, cfg Config) *tree.Tree {
	prepared, err := Prepare(context.Background(), p.frame, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	grown, err := prepared.Grow(context.Background(), p.pop, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// problemOf is a table with weights and labels.
type problemOf struct {
	frame *data.Frame
	pop   *grow.Population
}

// randomStump makes a problem of so many rows, and how a stump is grown on it.
func randomStump(t *rapid.T, n int) (problemOf, Config) {
	seed := rapid.Uint64().Draw(t, "seed")
	chance := func() float64 { // of few bits, which rapid would generate one by one
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed>>40) / (1 << 24)
	}
	pop := &grow.Population{Rows: data.AllRows(n)}
	classes := rapid.IntRange(0, 4).Draw(t, "classes")
	row, _ := criterion.ByName("squared_error")
	if classes > 1 {
		row, _ = criterion.ByName("gini")
		pop.Classes = classes
	}
	missing := rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, "missing")
	some := func(x float64) float64 {
		if chance() < missing {
			return math.NaN()
		}
		return x
	}
	few, many, mixed, code := make([]float64, n), make([]float64, n), make([]float64, n), make([]uint32, n)
	slope := rapid.Float64Range(0, 2).Draw(t, "slope")
	for i := range few {
		few[i], many[i], mixed[i], code[i] = math.Floor(7*chance()), some(chance()), some(max(0.5, chance())), uint32(3*chance())
		y := chance() + slope*few[i]/7
		if many[i] > 0.7 {
			y += slope
		}
		pop.Weight = append(pop.Weight, 0.01+chance())
		if classes > 1 {
			pop.Class = append(pop.Class, uint32(min(float64(classes-1), y*float64(classes)/3)))
		} else {
			pop.Y = append(pop.Y, y)
		}
	}
	frame, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "few"}, {Name: "many"}, {Name: "mixed"}, {Name: "code", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}},
		[]data.Column{data.Numbers(few), data.Numbers(many), data.Numbers(mixed), data.Codes(code)})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Options: exact.Options{Criterion: row, Workers: 2, Limits: grow.Limits{Depth: 1, MinLeaf: rapid.SampledFrom([]int{1, 2, 20, 300}).Draw(t, "least")}}}
	return problemOf{frame, pop}, cfg
}
