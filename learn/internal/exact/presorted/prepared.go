// Package presorted grows single trees: every numeric column is sorted once, in Prepare, and stays
// in order through all splits by stable partition, so that no node sorts again.
//
//	column f, sorted:    | 3 1 5 | 0 4 2 |        positions of rows, by value
//	split on g sends 1, 4, 2 to the first child
//	column f, after:     | 1 | 3 5 | ...    each node owns one segment [lo, hi) of every column
//
// It owns the rules for missing values with surrogate splits and rows that stop, too. Forests,
// whose nodes scan few columns, grow faster on package ranked.
package presorted

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Missing is where the rows of a node go that have no value in the column of its split.
type Missing uint8

// The rules for missing values.
const (
	// Learned tries each side for the rows without a value, and separates them from the others; the
	// best split wins.
	Learned Missing = iota

	// The other rules judge splits on the rows with a value. They differ in where those without one
	// go.

	Majority // with the heavier child
	// where the first surrogate split that has a value sends them, else with the heavier child
	Surrogate
	// where the first surrogate split that has a value sends them, else nowhere: they stop at the
	// node
	SurrogateStop
	Stop // nowhere: they stop at the node
)

// rule is the engine's name of the rule.
func (m Missing) rule() growth.Rule {
	return []growth.Rule{growth.Learned, growth.Majority, growth.Surrogate, growth.SurrogateStop,
		growth.Stop}[m]
}

// Config describes how to grow.
type Config struct {
	exact.Options
	Missing Missing // where missing values go
	// surrogate columns of a node, at most, if Missing names them
	Surrogates int
	// classes: greatest p-value of the chi-squared test that class and branch of a split are
	// independent (Quinlan 1986); 0 = no test
	Chi2       float64
	Directions exact.Directions // splits on several columns

	plain bool // judge candidates in batches even where the criterion scans itself, for tests
}

// Prepared is a table for growing: sorted once, grown on many times. It is immutable.
type Prepared struct{ table *sorting.Table }

// Prepare prepares the given rows (ascending and distinct; nil = all) for trees whose nodes scan
// all columns, or most of them. It sorts the numeric columns, on as many workers as given, 0 = one
// per processor.
func Prepare(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	t, err := sorting.Sort(ctx, f, rows, workers)
	if err != nil {
		return nil, err
	}
	return &Prepared{t}, nil
}

// Rows returns the prepared frame rows, ascending.
func (p *Prepared) Rows() []int32 { return p.table.Rows }

// Grow grows one tree on a population, whose rows are among the prepared ones. On a cancelled
// context it returns the tree so far, with the open nodes as leaves, and ctx.Err(). A tree of one
// split on weights is found by bins, if the rows are many: see stumps.
func (p *Prepared) Grow(ctx context.Context, pop *grow.Population, cfg Config) (*tree.Tree, error) {
	pop = pop.Present()
	if p.byBins(pop, &cfg) {
		return newStumpGrowth(p.table, pop, &cfg.Options).Grow(ctx, growth.RowsOf(pop, nil), 0)
	}
	g, err := newGrowth(p.table, pop, &cfg)
	if err != nil {
		return nil, err
	}
	return g.Grow(ctx, growth.RowsOf(pop, nil), cfg.Seed)
}

// binFrom is the number of rows from which a tree of one split is found by bins.
const binFrom = 16 * sorting.MostBins

// byBins reports whether what is requested is a tree of one split on weights, of all columns and
// all the rows that were prepared.
func (p *Prepared) byBins(pop *grow.Population, cfg *Config) bool {
	columns := len(p.table.Columns)
	return cfg.Limits.Depth == 1 && len(pop.Rows) >= binFrom && cfg.Missing == Learned &&
		cfg.Chi2 <= 0 && !cfg.Directions.Any() &&
		(cfg.Mtry <= 0 || cfg.Mtry >= columns) && !cfg.plain &&
		p.servesStumps(pop, &cfg.Criterion)
}

// servesStumps reports whether a tree of one split can be grown by bins. It takes all the rows that
// were prepared, which have weights and no multiplicities, of at most 256 classes. The criterion
// must bound the gain of the split points within a bin.
func (p *Prepared) servesStumps(pop *grow.Population, d *criterion.Definition) bool {
	if len(pop.Rows) != len(p.table.Rows) || pop.Weight == nil || pop.Count != nil ||
		pop.Class != nil && pop.Classes > 1<<8 || d.New == nil {
		return false
	}
	_, bounds := d.New(d.Family.Width(pop.Classes)).(criterion.Bounder)
	return bounds
}

// Candidates returns every split that Grow would try at a node of the given population: those that
// leave MinLeaf rows on both sides. The other limits, Mtry and MinGain do not count. A node whose
// rows all have one label has none.
func (p *Prepared) Candidates(
	ctx context.Context, pop *grow.Population, cfg Config,
) (*tree.Candidates, error) {
	pop = pop.Present()
	cfg.plain, cfg.Workers, cfg.Mtry = true, 1, 0
	g, err := newGrowth(p.table, pop, &cfg)
	if err != nil {
		return nil, err
	}
	s := g.Strategy.(*strategy)
	return s.Candidates(ctx, growth.RowsOf(pop, nil), s.sortedColumns())
}
