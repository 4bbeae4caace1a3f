// Package ranked grows the trees of forests, whose nodes scan few columns each. Prepare replaces
// the values of the numeric columns by ranks, which lie row by row in one rank store for all trees.
// A node sorts its rows by the ranks of the columns that it scans.
//
//	large node      bounds by buckets of ranks: few rows are sorted (classBuckets, momentBuckets)
//	node            radix sort of the ranks (allRows)
//	small subtree   places in a block of its own, read from a set of bits (block)
//	the same, Gini  nothing but counts of classes (classCounts)
package ranked

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Config describes how to grow.
type Config struct {
	exact.Options
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
	columns []column
	num     []data.Column // by column, by frame row; empty of categories
	store   *rankStore
	workers int
}

// column is a column of a prepared table, as far as it is not in the rank store.
type column struct {
	categorical bool
	// few values or categories: rank or code by prepared row; see sorting.Bytes
	few    []uint8
	values []float64 // numeric, few values: by rank
	code   []uint32  // categorical: by prepared row
	levels int
}

// betterUpTo is the fraction of columns scanned per node up to which ranks are faster than
// presorted columns: see the measurement in docs/adr/0011-grow-forests-on-one-shared-rank-store.md.
const betterUpTo = 0.25

// Faster reports whether trees whose nodes scan mtry columns of a table grow faster on ranks than
// on presorted columns.
func Faster(mtry, columns int) bool {
	return mtry > 0 && float64(mtry) <= betterUpTo*float64(columns)
}

// Prepare prepares the given rows (ascending and distinct; nil = all) for trees whose nodes scan
// few columns. It ranks the values of the numeric columns, on as many workers as given, 0 = one per
// processor.
func Prepare(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	if err := tree.CheckFeatures(len(f.Columns)); err != nil {
		return nil, err
	}
	n := len(f.Columns)
	p := &Prepared{rows: f.Chosen(rows), columns: make([]column, n), num: make([]data.Column, n),
		workers: parallel.Workers(workers)}
	memory, dense := make([]sorting.Sorter, p.workers), make([][]float64, p.workers)
	many := make([]bool, n)
	err := parallel.EachUntil(ctx, p.workers, n, func(worker, i int) {
		c, from := &p.columns[i], &f.Columns[i]
		if f.Schema.Fields[i].Kind == data.Categorical {
			levels := len(f.Schema.Fields[i].Levels)
			*c = column{categorical: true, code: sorting.CleanCodes(from.Codes(), p.rows, levels),
				levels: levels}
			c.setCodeBytes()
			return
		}
		p.num[i] = *from
		num := sorting.Dense(from, &dense[worker])
		if many[i] = !sorting.HasFew(num, p.rows); !many[i] {
			c.setFew(memory[worker].Column(num, p.rows), num, p.rows)
		}
	})
	if err != nil {
		return nil, err
	}
	return p, p.rank(ctx, many, memory, dense)
}

// wave is the number of columns, if there are no more workers, whose ranks are made before they
// move to where they lie row by row: those of all, twice, would be the most memory that preparation
// and growing ever need.
const wave = 4

// rank makes the ranks of the columns of many values, in memory of each worker's.
func (p *Prepared) rank(
	ctx context.Context, many []bool, memory []sorting.Sorter, dense [][]float64,
) error {
	var columns []int32
	for i, is := range many {
		if is {
			columns = append(columns, int32(i))
		}
	}
	f := &rankStore{columns: make([]ranks, len(p.columns))}
	p.store = f
	f.layOut(columns, len(p.rows))
	made := make([]ranks, max(wave, p.workers))
	for at := 0; at < len(columns); at += len(made) {
		some := columns[at:min(at+len(made), len(columns))]
		err := parallel.EachUntil(ctx, p.workers, len(some), func(worker, i int) {
			made[i].fill(memory[worker].Column(
				sorting.Dense(&p.num[some[i]], &dense[worker]), p.rows))
		})
		if err != nil {
			return err
		}
		f.layDown(made[:len(some)], at)
	}
	return nil
}

// setFew sets the ranks by row, and the values, of a column of few values.
func (c *column) setFew(sorted []sorting.Entry, num []float64, rows []int32) {
	distinct := 0
	if known := sorting.Known(sorted); known > 0 {
		distinct = int(sorted[known-1].Key) + 1
	}
	c.values, c.few = make([]float64, distinct), make([]uint8, len(rows))
	for _, e := range sorted {
		if e.Key == sorting.MissingRank {
			c.few[e.Pos] = uint8(distinct)
			continue
		}
		c.few[e.Pos], c.values[e.Key] = uint8(e.Key), num[rows[e.Pos]]+0 // -0 becomes 0
	}
}

// setCodeBytes sets the codes as bytes, if the categories are few.
func (c *column) setCodeBytes() {
	if c.levels > sorting.FewValues {
		return
	}
	c.few = make([]uint8, len(c.code))
	for i, code := range c.code {
		c.few[i] = uint8(min(code, uint32(c.levels)))
	}
}

// Rows returns the prepared frame rows, ascending.
func (p *Prepared) Rows() []int32 { return p.rows }

// Grow grows one tree on a population, whose rows are among the prepared ones. On a cancelled
// context it returns the tree so far, with the open nodes as leaves, and ctx.Err(); where leaves
// alone have values no tree.
func (p *Prepared) Grow(ctx context.Context, pop *grow.Population, cfg Config) (*tree.Tree, error) {
	return p.Series(cfg).Grow(ctx, pop, cfg.Seed)
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
func (p *Prepared) Series(cfg Config) *Series { return &Series{p: p, cfg: cfg} }

// Grow grows a tree as RankedPrepared.Grow does, with a seed in place of that of the RankedConfig.
// The tree may be used until the next call.
func (s *Series) Grow(ctx context.Context, pop *grow.Population, seed uint64) (*tree.Tree, error) {
	for i := range s.p.columns {
		if err := growth.CheckKeys(i, len(s.p.rows), pop); err != nil {
			return nil, err
		}
	}
	pop = growth.Spread(pop, s.p.rows)
	s.rows = growth.RowsOf(pop, s.rows)
	if s.g == nil || !s.g.again(pop) {
		s.g = newGrowth(s.p, pop, &s.cfg)
	}
	return s.g.Grow(ctx, s.rows, seed)
}

// WithPermutedCopies returns the table with a permuted copy of every column behind its p columns:
// column p + j is column j with its rows in another order, the same for all columns. A copy has the
// values of its column. The copies have the dependence among each other that the columns have, but
// they are independent of the label. So a copy's importance is due to its number of values and to
// chance alone (Nembrini, König & Wright 2018). It takes as much memory as the table.
func (p *Prepared) WithPermutedCopies(seed uint64) *Prepared {
	permutation := rng.New(seed).Perm(len(p.rows))
	s := &Prepared{rows: p.rows, columns: slices.Clone(p.columns), num: slices.Clone(p.num),
		workers: p.workers}
	for i, c := range p.columns {
		c.few, c.code = growth.Reordered(c.few, permutation), growth.Reordered(c.code, permutation)
		var num data.Column
		if !c.categorical {
			num = permutedNumbers(&p.num[i], p.rows, permutation)
		}
		s.columns, s.num = append(s.columns, c), append(s.num, num)
	}
	s.store = &rankStore{columns: slices.Clone(p.store.columns)}
	for _, c := range p.store.columns {
		s.store.columns = append(s.store.columns, c.reordered(permutation))
	}
	s.store.join()
	return s
}

// permutedNumbers returns a column, by frame row, in which each of some ascending rows has the
// value of another.
func permutedNumbers(c *data.Column, rows, permutation []int32) data.Column {
	_, _, absent, sparse := c.Stored()
	if !sparse {
		num := make([]float64, c.Len())
		for at, from := range permutation {
			num[rows[at]] = c.Number(int(rows[from]))
		}
		return data.Numbers(num)
	}
	var row []int32
	var value []float64
	for at, from := range permutation {
		if v := c.Number(int(rows[from])); v != absent && (v == v || absent == absent) {
			row, value = append(row, rows[at]), append(value, v)
		}
	}
	return data.Sparse(c.Len(), absent, row, value)
}
