// Package random grows trees of random thresholds: extremely randomised trees (Geurts, Ernst &
// Wehenkel 2006), and the trees of isolation forests, which use no labels. Nothing is sorted: a
// column costs two passes over the rows of a node.
package random

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Config describes how to grow. Of the Options, LevelFraction does not count.
type Config struct {
	exact.Options
	// random thresholds per column and node, of which the best is taken (Geurts et al. 2006), at
	// least 1
	Thresholds int
	// Splits are judged on the rows with a value, and the others go with the heavier child. Else
	// each side is tried for them, and the best split wins.
	Majority bool
	// leaves alone have values, and nodes no statistics but gains: see tree.NewLeafBuilder
	Leaves bool
}

// Prepared is a table for growing. All trees use it, whatever rows they are grown on. It is
// immutable.
type Prepared struct {
	rows    []int32 // ascending, distinct
	codes   []*scan.Codes
	numbers *numbers
}

// Prepare prepares the given rows (ascending and distinct; nil = all) for trees of random
// thresholds. Its memory is a copy of the numeric columns, row by row, if these are at most 512,
// and by column if they are stored in another precision. 0 workers are one for each processor.
func Prepare(
	ctx context.Context, f *data.Frame, rows []int32, workers int,
) (*Prepared, error) {
	if err := tree.CheckFeatures(len(f.Columns)); err != nil {
		return nil, err
	}
	n := len(f.Columns)
	p := &Prepared{rows: f.Chosen(rows), codes: make([]*scan.Codes, n)}
	columns, singles := make([][]float64, n), make([][]float32, n)
	for i := range f.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from, field := &f.Columns[i], &f.Schema.Fields[i]
		if field.Kind == data.Categorical {
			levels := len(field.Levels)
			p.codes[i] = &scan.Codes{Feature: i,
				Code: sorting.CleanCodes(from.Codes(), p.rows, levels), Levels: levels}
			continue
		}
		if len(p.rows) == f.Rows() {
			if singles[i] = from.Singles(); singles[i] == nil {
				columns[i] = from.Numbers()
			}
			continue
		}
		columns[i] = make([]float64, len(p.rows))
		from.PickNumbers(columns[i], p.rows)
	}
	p.numbers = newNumbers(columns, singles, len(p.rows), parallel.Workers(workers))
	return p, nil
}

// Rows returns the prepared frame rows, ascending.
func (p *Prepared) Rows() []int32 { return p.rows }

// Grow grows one tree on a population, whose rows are among the prepared ones. On a cancelled
// context it returns the tree so far, with the open nodes as leaves, and ctx.Err(); where leaves
// alone have values no tree.
func (p *Prepared) Grow(ctx context.Context, pop *grow.Population, cfg Config) (*tree.Tree, error) {
	return p.Series(cfg).Grow(ctx, pop, cfg.Seed)
}

// GrowUnlabeled grows one tree on all prepared rows, whose nodes choose a column and a threshold at
// random: no split is better than another (Liu et al. 2008). It returns as Grow does.
func (p *Prepared) GrowUnlabeled(
	ctx context.Context, limits grow.Limits, seed uint64,
) (*tree.Tree, error) {
	pop := &grow.Population{Rows: p.rows}
	t := scan.NewTask(growth.NewUnlabeled(pop), growth.Learned, limits.MinLeaf)
	g := newGrowth(p, t, &Config{Options: exact.Options{Limits: limits, Mtry: 1, Workers: 1},
		Thresholds: 1})
	return g.Grow(ctx, growth.RowsOf(pop, nil), seed)
}

// Series grows trees one after the other, in the same memory where it can: allocating memory is
// much of the cost of a small tree. It is not safe for concurrent use.
type Series struct {
	p    *Prepared
	cfg  Config
	g    *growthOf
	rows []uint32
}

// Series starts a series of trees, which differ in their populations and seeds.
func (p *Prepared) Series(cfg Config) *Series {
	cfg.Thresholds = max(cfg.Thresholds, 1)
	return &Series{p: p, cfg: cfg}
}

// Grow grows a tree as Prepared.Grow does, with a seed in place of that of the Config. The tree may
// be used until the next call.
func (s *Series) Grow(ctx context.Context, pop *grow.Population, seed uint64) (*tree.Tree, error) {
	pop = growth.Spread(pop, s.p.rows)
	s.rows = growth.RowsOf(pop, s.rows)
	if s.g == nil || !s.g.again(pop) {
		missing := growth.Learned
		if s.cfg.Majority {
			missing = growth.Majority
		}
		l := growth.NewLabels(pop, &s.cfg.Criterion, false, false)
		s.g = newGrowth(s.p, scan.NewTask(l, missing, s.cfg.Limits.MinLeaf), &s.cfg)
	}
	return s.g.Grow(ctx, s.rows, seed)
}

// WithPermutedCopies returns the table with a permuted copy of every column behind its p columns:
// column p + j is column j with its rows in another order, the same for all columns. See
// ranked.Prepared.WithPermutedCopies. It takes as much memory as the table.
func (p *Prepared) WithPermutedCopies(seed uint64) *Prepared {
	permutation, n := rng.New(seed).Perm(len(p.rows)), len(p.codes)
	s := &Prepared{rows: p.rows, codes: slices.Clone(p.codes)}
	columns, singles := make([][]float64, 2*n), make([][]float32, 2*n)
	for i, c := range p.codes {
		if c != nil {
			c = &scan.Codes{Feature: n + i, Code: growth.Reordered(c.Code, permutation),
				Levels: c.Levels}
		} else if x := p.numbers; x.singles != nil {
			singles[i], singles[n+i] = x.singles[i], growth.Reordered(x.singles[i], permutation)
		} else {
			columns[i], columns[n+i] = x.columns[i], growth.Reordered(x.columns[i], permutation)
		}
		s.codes = append(s.codes, c)
	}
	s.numbers = newNumbers(columns, singles, len(p.rows), 1)
	return s
}
