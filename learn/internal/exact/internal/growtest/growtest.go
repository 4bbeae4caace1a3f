// Package growtest holds what the tests of all strategies use: random problems, one configuration
// for all strategies, and the comparison of trees.
package growtest

import (
	"context"
	"reflect"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/presorted"
	"github.com/coppice-ml/coppice/learn/internal/exact/random"
	"github.com/coppice-ml/coppice/learn/internal/exact/ranked"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Missing is a rule for missing values of any strategy.
type Missing uint8

// The rules. All strategies but weighted have those up to Majority.
const (
	Learned Missing = iota
	Majority
	Fractional // weighted
	Surrogate  // presorted, as those below
	SurrogateStop
	Stop
)

// Config describes how any of the strategies grows. A field that a strategy does not have is
// ignored.
type Config struct {
	Criterion     criterion.Definition
	Limits        grow.Limits
	BestFirst     bool
	Missing       Missing
	Surrogates    int
	Chi2          float64
	C45           *weighted.C45
	Mtry          int
	Redraw        int
	Levels        int
	LevelFraction float64
	Thresholds    int
	Seed          uint64
	Directions    exact.Directions
	Workers       int
	Leaves        bool
}

func (c *Config) options() exact.Options {
	return exact.Options{Criterion: c.Criterion, Limits: c.Limits, BestFirst: c.BestFirst,
		Mtry: c.Mtry, Redraw: c.Redraw, Levels: c.Levels,
		LevelFraction: c.LevelFraction, Seed: c.Seed, Workers: c.Workers}
}

// Presorted returns the configuration of presorted columns.
func (c *Config) Presorted() presorted.Config {
	missing := map[Missing]presorted.Missing{Majority: presorted.Majority,
		Surrogate: presorted.Surrogate, SurrogateStop: presorted.SurrogateStop,
		Stop: presorted.Stop}
	return presorted.Config{Options: c.options(), Missing: missing[c.Missing],
		Surrogates: c.Surrogates, Chi2: c.Chi2, Directions: c.Directions}
}

// Ranked returns the configuration of ranks.
func (c *Config) Ranked() ranked.Config {
	return ranked.Config{Options: c.options(), Majority: c.Missing == Majority, Leaves: c.Leaves}
}

func (c *Config) random() random.Config {
	return random.Config{Options: c.options(), Thresholds: c.Thresholds,
		Majority: c.Missing == Majority, Leaves: c.Leaves}
}

func (c *Config) weighted() weighted.Config {
	return weighted.Config{Options: c.options(), Chi2: c.Chi2, Directions: c.Directions}
}

func (c *Config) c45() weighted.C45 {
	g := *c.C45
	g.Chi2, g.Limits, g.Workers = c.Chi2, c.Limits, c.Workers
	return g
}

// Prepared is a table that is prepared for one or more strategies.
type Prepared struct {
	columns *presorted.Prepared
	divided *weighted.Prepared
	ranks   *ranked.Prepared
	values  *random.Prepared
}

// Prepare prepares a table for presorted columns and divided rows.
func Prepare(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	columns, err := presorted.Prepare(ctx, f, rows, workers)
	if err != nil {
		return nil, err
	}
	divided, err := weighted.Prepare(ctx, f, rows, workers)
	return &Prepared{columns: columns, divided: divided}, err
}

// PrepareRanked prepares a table for ranks.
func PrepareRanked(
	ctx context.Context, f *data.Frame, rows []int32, workers int,
) (*Prepared, error) {
	p, err := ranked.Prepare(ctx, f, rows, workers)
	return &Prepared{ranks: p}, err
}

// PrepareRandom prepares a table for random thresholds.
func PrepareRandom(ctx context.Context, f *data.Frame, rows []int32) (*Prepared, error) {
	p, err := random.Prepare(ctx, f, rows, 2)
	return &Prepared{values: p}, err
}

// Grow grows a tree by the strategy that the table is prepared for.
func (p *Prepared) Grow(ctx context.Context, pop *grow.Population, cfg Config) (*tree.Tree, error) {
	switch {
	case p.ranks != nil:
		return p.ranks.Grow(ctx, pop, cfg.Ranked())
	case p.values != nil:
		return p.values.Grow(ctx, pop, cfg.random())
	case cfg.C45 != nil:
		return p.divided.GrowC45(ctx, pop, cfg.c45())
	case cfg.Missing == Fractional:
		return p.divided.Grow(ctx, pop, cfg.weighted())
	}
	return p.columns.Grow(ctx, pop, cfg.Presorted())
}

// Candidates returns the splits of a root.
func (p *Prepared) Candidates(
	ctx context.Context, pop *grow.Population, cfg Config,
) (*tree.Candidates, error) {
	if cfg.Missing == Fractional {
		return p.divided.Candidates(ctx, pop, cfg.weighted())
	}
	return p.columns.Candidates(ctx, pop, cfg.Presorted())
}

// Series grows trees one after the other.
type Series interface {
	Grow(ctx context.Context, pop *grow.Population, seed uint64) (*tree.Tree, error)
}

// Series starts a series of trees on ranks or values.
func (p *Prepared) Series(cfg Config) Series {
	if p.values != nil {
		return p.values.Series(cfg.random())
	}
	return p.ranks.Series(cfg.Ranked())
}

// WithPermutedCopies returns a table of ranks with permuted copies of its columns.
func (p *Prepared) WithPermutedCopies(seed uint64) *Prepared {
	return &Prepared{ranks: p.ranks.WithPermutedCopies(seed)}
}

// GrowPresorted grows a tree on presorted columns or divided rows.
func GrowPresorted(t Fataler, p *Problem, cfg Config) *tree.Tree {
	return grown(t, p, cfg, Prepare)
}

// GrowRanked grows a tree on ranks.
func GrowRanked(t Fataler, p *Problem, cfg Config) *tree.Tree {
	return grown(t, p, cfg, PrepareRanked)
}

// GrowRandom grows a tree by random thresholds.
func GrowRandom(t Fataler, p *Problem, cfg Config) *tree.Tree {
	return grown(t, p, cfg, func(ctx context.Context, f *data.Frame, rows []int32,
		_ int) (*Prepared, error) {
		return PrepareRandom(ctx, f, rows)
	})
}

func grown(
	t Fataler, p *Problem, cfg Config, prepare func(context.Context, *data.Frame, []int32,
		int) (*Prepared, error),
) *tree.Tree {
	prepared, err := prepare(context.Background(), p.Frame, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Criterion = p.Criterion
	grown, err := prepared.Grow(context.Background(), &p.Pop, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// SameTree reports whether two trees are equal but for the numbers of their nodes.
func SameTree(a, b *tree.Tree) bool {
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
		if !reflect.DeepEqual(x, y) || !slices.Equal(a.Value(n), b.Value(m)) ||
			a.Stats.Rows[n] != b.Stats.Rows[m] ||
			a.Stats.Weight[n] != b.Stats.Weight[m] || a.Stats.Impurity[n] != b.Stats.Impurity[m] {
			return false
		}
		return x.Kind == tree.Leaf || same(ca[n], cb[m]) && same(ca[n]+1, cb[m]+1)
	}
	return a.Len() == b.Len() && same(0, 0)
}
