// Package weighted grows trees whose rows enter several children by fractions. A row without a
// value in the column of a split goes to every child, with the child's fraction of the known weight
// (Quinlan 1993). Each node has a list of its rows with the fraction of each. Splits are chosen by
// a criterion, by gain ratio as in C4.5, or by gain as in ID3.
package weighted

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

// Config describes how to grow by a criterion. Splits are judged on the rows with a value.
type Config struct {
	exact.Options
	// classes: greatest p-value of the chi-squared test that class and branch of a split are
	// independent (Quinlan 1986); 0 = no test
	Chi2       float64
	Directions exact.Directions // splits on several columns

	plain bool // judge candidates in batches even where the criterion scans itself, for tests
}

// Prepared is a table for growing: sorted once, grown on many times. It is immutable.
type Prepared struct{ table *sorting.Table }

// Prepare prepares the given rows (ascending and distinct; nil = all) for trees whose rows are
// divided. It ranks the values of the numeric columns, on as many workers as given, 0 = one per
// processor.
func Prepare(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	t, err := sorting.Sort(ctx, f, rows, workers)
	if err != nil {
		return nil, err
	}
	return &Prepared{t}, nil
}

// Rows returns the prepared frame rows, ascending.
func (p *Prepared) Rows() []int32 { return p.table.Rows }

// Grow grows one tree by a criterion on a population, whose rows are among the prepared ones. On a
// cancelled context it returns the tree so far, with the open nodes as leaves, and ctx.Err().
func (p *Prepared) Grow(ctx context.Context, pop *grow.Population, cfg Config) (*tree.Tree, error) {
	pop = pop.Present()
	g, err := newDivided(p.table, pop, &cfg)
	if err != nil {
		return nil, err
	}
	return g.Grow(ctx, growth.RowsOf(pop, nil), cfg.Seed)
}

// Candidates returns every split that Grow would try at a node of the given population: those that
// leave MinLeaf rows on both sides. The other limits, Mtry and MinGain do not count. A node whose
// rows all have one label has none.
func (p *Prepared) Candidates(
	ctx context.Context, pop *grow.Population, cfg Config,
) (*tree.Candidates, error) {
	pop = pop.Present()
	cfg.plain, cfg.Workers, cfg.Mtry = true, 1, 0
	g, err := newDivided(p.table, pop, &cfg)
	if err != nil {
		return nil, err
	}
	s := g.Strategy.(*divided)
	return s.Candidates(ctx, growth.RowsOf(pop, nil), s.splitPoints())
}

// GrowC45 grows one tree by gain ratio, or by gain, on a population of classes, whose rows are
// among the prepared ones. On a cancelled context it returns the tree so far, with the open nodes
// as leaves, and ctx.Err().
func (p *Prepared) GrowC45(ctx context.Context, pop *grow.Population, cfg C45) (*tree.Tree, error) {
	pop = pop.Present()
	entropy, _ := criterion.ByName("entropy")
	g, err := newC45(p.table, pop, &entropy, &cfg)
	if err != nil {
		return nil, err
	}
	return g.Grow(ctx, growth.RowsOf(pop, nil), 0)
}
