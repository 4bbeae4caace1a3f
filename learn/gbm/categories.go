package gbm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/param"
)

// manyLevels is the number of categories of a column from which on categories=auto takes target
// statistics. Test sets (learning_rate=0.05, early stopping): Amazon's access data of up to
// 7,000 categories have an AUC of 0.881 by target statistics, 0.877 by both and 0.856 by sets;
// 100,000 flights between 300 airports 0.747, 0.740 and 0.724; adult, of up to 42 countries,
// 0.9258, 0.9252 and 0.9271.
const manyLevels = 64

func (l *Learner) categoryParams() param.Set {
	return append(param.Set{
		param.OneOf(&l.Categories, "categories",
			[]Categories{CategoriesAuto, CategoriesNative, CategoriesTarget, CategoriesBoth,
				CategoriesOrdinal},
			fmt.Sprintf("how categorical columns are split; native: by sets of categories; "+
				"target: by target statistics, also of combinations of columns (Prokhorenkova et "+
				"al. 2018); both; ordinal: as numbers, in the order of their texts, or of their "+
				"values where all are numbers; auto: target if a column has %d categories, else "+
				"native", manyLevels)),
		param.Int(&l.OneHot, "one_hot", 4, 0, maxInt,
			"categories of a column up to which one is split from the rest; of more, many from "+
				"many"),
		param.Int(&l.MaxCategories, "max_categories", 32, 1, maxInt,
			"categories on the smaller side of such a split", param.Zero("no limit")),
		param.Float(&l.CatSmooth, "cat_smooth", 10, 0, infinite,
			"weight that shrinks a category's mean to 0 where categories are put in order"),
		param.Float(&l.CatL2, "cat_l2", 10, 0, infinite,
			"added to l2 where many categories are split from many"),
		param.Float(&l.MinCategory, "min_category", 1, 0, infinite,
			"sum of second derivatives that a category needs to be one of many"),
		param.Int(&l.MinGroup, "min_group", 0, 1, maxInt,
			"rows by which the many on one side grow from one try to the next, and that stay on "+
				"the other", param.Zero("no limit")),
	}, l.Encode.Params()...)
}

// encodes reports whether categories of a frame's rows are to have target statistics.
func (l *Learner) encodes(f *data.Frame, rows []int32) bool {
	if l.Categories != CategoriesAuto {
		return l.Categories == CategoriesTarget || l.Categories == CategoriesBoth
	}
	for i := range f.Columns {
		if f.Schema.Fields[i].Kind != data.Categorical ||
			len(f.Schema.Fields[i].Levels) < manyLevels {
			continue
		}
		seen := map[uint32]bool{}
		for _, r := range rows {
			if c := f.Columns[i].Code[r]; c < data.UnseenCode {
				seen[c] = true
			}
		}
		if len(seen) >= manyLevels {
			return true
		}
	}
	return false
}

// orders returns for each column of a matrix that has categories these in the order of
// categories=ordinal.
func orders(f *data.Frame, m *bins.Matrix) [][]int32 {
	all := make([][]int32, len(m.Columns))
	for i := range m.Columns {
		c := &m.Columns[i]
		if !c.Nominal() {
			continue
		}
		all[i] = data.AllRows(c.Values) // as the texts are
		value := make([]float64, c.Values)
		numbers := true
		for b, code := range c.Code {
			v, err := strconv.ParseFloat(f.Schema.Fields[c.Feature].Levels[code], 64)
			value[b], numbers = v, numbers && err == nil && v == v
		}
		if numbers {
			slices.SortStableFunc(all[i],
				func(a, b int32) int { return cmp.Compare(value[a], value[b]) })
		}
	}
	return all
}
