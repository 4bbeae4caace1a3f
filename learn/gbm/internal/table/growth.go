package table

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

// Growth returns how trees are grown on a matrix of a table's features, the first columns of a
// frame, and of columns derived from them.
func (c *Config) Growth(f *data.Frame, features int, m *bins.Matrix,
	derived *input.Set) hist.Config {
	config := c.Engine
	config.MinLeaf = c.FewestRows(m.Len())
	config.ColumnsByTree = c.FractionOfColumns(len(m.Columns))
	c.Limits.ofSources(features, derived).limit(&config, m)
	if c.Categories == OrdinalEncoding {
		config.Order = orders(f, m)
	}
	switch config.Conventions {
	case hist.LightGBM:
		if config.Least = m.Least; m.Least == nil {
			config.Least = leastOf(f, m)
		}
	case hist.XGBoostExact:
		config.Values = valuesOf(f, m)
	}
	return config
}

// Limits are the parameters of single columns, by feature.
type Limits struct {
	Monotone []int8    // 1 rising, -1 falling, 0 free; nil = all free
	Weight   []float64 // nil = all 1
	Sets     [][]int32 // of columns that may be used together; nil = no limits
}

// limit gives a config the limits of the columns of a matrix.
func (c *Limits) limit(config *hist.Config, m *bins.Matrix) {
	place := map[int32]int32{} // of a feature among the columns
	for i := range m.Columns {
		f := m.Columns[i].Feature
		place[f] = int32(i)
		if c.Monotone != nil {
			config.Monotone = append(config.Monotone, c.Monotone[f])
		}
		if c.Weight != nil {
			config.ColumnWeight = append(config.ColumnWeight, c.Weight[f])
		}
	}
	for _, set := range c.Sets {
		columns := []int32{} // not nil, which would be no limit
		for _, f := range set {
			if at, ok := place[f]; ok {
				columns = append(columns, at)
			}
		}
		config.Interactions = append(config.Interactions, columns)
	}
}

// leastOf returns the least number of each column of a matrix, +Inf where there is none.
func leastOf(f *data.Frame, m *bins.Matrix) []float64 {
	least := slices.Repeat([]float64{math.Inf(1)}, len(m.Columns))
	for i := range m.Columns {
		num := f.Columns[m.Columns[i].Feature].Numbers()
		if num == nil {
			continue
		}
		for _, r := range m.Rows {
			if num[r] < least[i] {
				least[i] = num[r]
			}
		}
	}
	return least
}

// SmallTable is the number of rows below which a leaf may have a single row.
const SmallTable = 1000

// FewestRows returns the least number of rows of a leaf, in a table of so many rows.
func (c *Config) FewestRows(rows int) int {
	switch least := c.Engine.MinLeaf; {
	case least > 0:
		return least
	case rows < SmallTable:
		return max(1, min(c.LeafRows, rows/leavesOfSmall))
	}
	return max(2, min(c.LeafRows, rows/leavesOfSmall))
}

// leavesOfSmall is the number of leaves that a table has room for, whatever the loss asks for.
const leavesOfSmall = 20

// FewestColumns is the least number of columns of a tree by default, where half of them is less.
const FewestColumns = 4

// FractionOfColumns returns the fraction of the matrix's columns that a tree uses; 0 = all.
func (c *Config) FractionOfColumns(columns int) float64 {
	return FractionOf(c.Engine.ColumnsByTree, columns)
}

// FractionOf returns the fraction of some columns that a tree uses, where one may be given: 0 = all
// of them, given or not.
func FractionOf(given float64, columns int) float64 {
	if given > 0 || columns <= FewestColumns {
		return given
	}
	return max(0.5, float64(FewestColumns)/float64(columns))
}

// valuesOf returns the values of the bins of each numeric column of a matrix whose bins hold one
// value each. The exact convention puts thresholds in the middle of these.
func valuesOf(f *data.Frame, m *bins.Matrix) [][]float64 {
	all := make([][]float64, len(m.Columns))
	for i := range m.Columns {
		c := &m.Columns[i]
		num := f.Columns[c.Feature].Numbers()
		if num == nil {
			continue
		}
		all[i] = make([]float64, c.Values)
		for k := range m.Blocks {
			block := &m.Blocks[k]
			codes := &block.Codes[c.Group]
			for row, r := range m.Rows[block.First:][:block.Rows] {
				if b := c.Bin(codes.At(int32(row))); b < c.Values {
					all[i][b] = num[r]
				}
			}
		}
	}
	return all
}

// ofSources returns the limits of a table's features and, behind them, of the columns derived from
// their categories. A derived column has the least weight of its sources, and is in the sets that
// hold all of them:
//
//	interactions=a+b,c    features           {a, b}                                 {c}
//	                      derived columns    stat(a), stat(b), stat(a, b)           stat(c)
//
// It has no direction: a statistic does not rise with a category.
func (c *Limits) ofSources(features int, derived *input.Set) *Limits {
	all := Limits{Sets: slices.Clone(c.Sets)}
	if c.Monotone != nil {
		all.Monotone = append(slices.Clone(c.Monotone), make([]int8, len(derived.Columns))...)
	}
	all.Weight = slices.Clone(c.Weight)
	for i := range derived.Columns {
		source := derived.Tables[derived.Columns[i].Table].Source
		if c.Weight != nil {
			least := c.Weight[source[0]]
			for _, f := range source[1:] {
				least = min(least, c.Weight[f])
			}
			all.Weight = append(all.Weight, least)
		}
		for k, set := range c.Sets {
			if containsAll(set, source) {
				all.Sets[k] = append(slices.Clip(all.Sets[k]), int32(features+i))
			}
		}
	}
	return &all
}

func containsAll(set, of []int32) bool {
	return !slices.ContainsFunc(of, func(f int32) bool { return !slices.Contains(set, f) })
}
