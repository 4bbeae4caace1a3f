package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/model/input"
)

// config returns how trees are grown on a matrix of a table's features, the first columns of a
// frame, and of columns derived from them.
func (l *Learner) config(f *data.Frame, features int, m *bins.Matrix,
	derived *input.Set) (hist.Config, error) {
	s := &data.Schema{Fields: f.Schema.Fields[:features]}
	c, err := l.limits(s)
	if err != nil {
		return hist.Config{}, err
	}
	config := hist.Config{
		Shape: hist.Shape{Policy: policies[l.Growth], Leaves: l.Leaves, Depth: l.Depth,
			Cosine: l.SplitScore == SplitScoreCosine},
		Regularization: hist.Regularization{
			L1: l.L1, L2: l.L2, Gamma: l.Gamma, GammaBottom: l.GammaPrune == GammaPruneBottom,
			MinChildWeight: l.MinChildWeight, MinLeaf: l.fewestRows(m.Len()),
			MaxDeltaStep: l.MaxDeltaStep, PathSmooth: l.PathSmooth,
		},
		Categories: hist.Categories{
			OneHot: l.OneHot, MaxCategories: l.MaxCategories, CatSmooth: l.CatSmooth,
			CatL2: l.CatL2, MinCategory: l.MinCategory, MinGroup: l.MinGroup,
		},
		Columns: hist.Columns{
			ColumnsByTree: l.fractionOfColumns(len(m.Columns)), ColumnsByLevel: l.ColsampleLevel,
			ColumnsByNode: l.ColsampleNode, ExtraRandom: l.ExtraTrees,
		},
		Compatibility: hist.Compatibility{Conventions: conventions[l.Compat]},
	}
	if l.Growth == GrowthSymmetric {
		config.Leaves = 0
		if config.Depth == 0 {
			config.Depth = symmetricDepth
		}
	}
	c.ofSources(features, derived).limit(&config, m)
	if l.Categories == CategoriesOrdinal {
		config.Order = orders(f, m)
		config.MaxCategories, config.MinGroup, config.CatL2 = 0, 0, 0
	}
	switch l.Compat {
	case CompatLightGBM:
		if m.Least != nil {
			config.Least = m.Least
		} else {
			config.Least = leastOf(f, m)
		}
	case CompatXGBoostExact:
		config.Values = valuesOf(f, m)
	}
	return config, nil
}

// limit gives a config the limits of the columns of a matrix.
func (c *limits) limit(config *hist.Config, m *bins.Matrix) {
	place := map[int32]int32{} // of a feature among the columns
	for i := range m.Columns {
		f := m.Columns[i].Feature
		place[f] = int32(i)
		if c.monotone != nil {
			config.Monotone = append(config.Monotone, c.monotone[f])
		}
		if c.weight != nil {
			config.ColumnWeight = append(config.ColumnWeight, c.weight[f])
		}
	}
	for _, set := range c.sets {
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
	least := slices.Repeat([]float64{infinite}, len(m.Columns))
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

// smallTable is the number of rows below which a leaf may have a single row.
const smallTable = 1000

// fewestRows returns the least number of rows of a leaf, in a table of so many rows.
func (l *Learner) fewestRows(rows int) int {
	switch {
	case l.MinLeaf > 0:
		return l.MinLeaf
	case rows < smallTable:
		return 1
	}
	return 2
}

// fewestColumns is the least number of columns of a tree by default, where half of them is less.
const fewestColumns = 4

// fractionOfColumns returns the fraction of the matrix's columns that a tree uses; 0 = all.
func (l *Learner) fractionOfColumns(columns int) float64 {
	if l.Colsample > 0 || columns <= fewestColumns {
		return l.Colsample
	}
	return max(0.5, float64(fewestColumns)/float64(columns))
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
