package gbm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/hist"
	"github.com/coppice-ml/coppice/param"
)

// manyLevels is the number of categories of a column from which on categories=auto takes target
// statistics. Held-out parts (learning_rate=0.05, early stopping): Amazon's access data of up to
// 7,000 categories have an AUC of 0.881 by target statistics, 0.877 by both and 0.856 by sets;
// 100,000 flights between 300 airports 0.747, 0.740 and 0.724; adult, of up to 42 countries,
// 0.9258, 0.9252 and 0.9271.
const manyLevels = 64

func (l *Learner) categoryParams() param.Set {
	return append(param.Set{
		param.OneOf(&l.Categories, "categories", []Categories{CategoriesAuto, CategoriesNative, CategoriesTarget, CategoriesBoth, CategoriesOrdinal},
			fmt.Sprintf("how categorical columns are split; native: by sets of categories; target: by target statistics, also of combinations of columns (Prokhorenkova et al. 2018); both; ordinal: as numbers, in the order of their texts, or of their values where all are numbers; auto: target if a column has %d categories, else native", manyLevels)),
		param.Int(&l.OneHot, "one_hot", 4, 0, maxInt, "categories of a column up to which one is split from the rest; of more, many from many"),
		param.Int(&l.MaxCategories, "max_categories", 32, 1, maxInt, "categories on the smaller side of such a split", param.Zero("no limit")),
		param.Float(&l.CatSmooth, "cat_smooth", 10, 0, infinite, "weight that draws a category's mean to 0 where categories are put in order"),
		param.Float(&l.CatL2, "cat_l2", 10, 0, infinite, "added to l2 where many categories are split from many"),
		param.Float(&l.MinCategory, "min_category", 1, 0, infinite, "sum of second derivatives that a category needs to be one of many"),
		param.Int(&l.MinGroup, "min_group", 0, 1, maxInt, "rows by which the many on one side grow from one try to the next, and that stay on the other", param.Zero("no limit")),
	}, l.Encode.Params()...)
}

// bin puts columns of a frame in bins, nil = all, and behind them those that are made already. The
// features of the matrix are numbered as in the frame; at are those of columns that are made.
func (l *Learner) bin(ctx context.Context, f *data.Frame, rows []int32, weight []float64, columns []int, made []bins.Made, at []int32, workers int) (*bins.Matrix, error) {
	// Bundled columns have the same sums and the same splits. Their gains may round otherwise, so
	// that of splits that are as good as each other another one is found than the peers find.
	o := bins.Options{Bins: l.Bins, MinInBin: l.MinBin, Bundle: l.Compat == CompatNone, Joint: hist.JointCodes(f.Rows())}
	if rows != nil {
		o.Joint = hist.JointCodes(len(rows))
	}
	some := f
	if columns != nil {
		some = f.Select(columns)
	}
	fraction := l.fractionOfColumns(len(some.Columns) + len(made))
	o.Unpacked = fraction > 0 && fraction < 1
	if l.Compat == CompatXGBoostExact {
		o.Distinct, weight = true, nil // rows of weight 0 have values, too
	}
	m, err := bins.MakeWith(ctx, some, made, rows, weight, o, workers)
	if err != nil {
		return nil, exactFault(err)
	}
	for i := range m.Columns {
		switch c := &m.Columns[i]; {
		case int(c.Feature) >= len(some.Columns):
			c.Feature = at[int(c.Feature)-len(some.Columns)]
		case columns != nil:
			c.Feature = int32(columns[c.Feature])
		}
	}
	return m, nil
}

// encodes reports whether categories of a frame's rows are to have target statistics.
func (l *Learner) encodes(f *data.Frame, rows []int32) bool {
	if l.Categories != CategoriesAuto {
		return l.Categories == CategoriesTarget || l.Categories == CategoriesBoth
	}
	for i := range f.Columns {
		if f.Schema.Fields[i].Kind != data.Categorical || len(f.Schema.Fields[i].Levels) < manyLevels {
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

// complete puts the columns in bins that Prepare left to Fit, if there are no target statistics
// after all.
func (b *boost) complete(ctx context.Context) error {
	if len(b.matrix.Columns) > 0 || len(b.frame.Columns) == 0 {
		return nil
	}
	own := *b.fitter
	b.fitter = &own
	var err error
	own.matrix, err = own.learner.bin(ctx, b.frame, b.matrix.Rows, b.target.Weight, nil, nil, nil, b.Workers)
	return err
}

// kept returns the columns of a frame that trees look at, some of which have statistics: all but
// those, unless both are asked for.
func (l *Learner) kept(f *data.Frame, sources [][]int32) []int {
	replaced := make([]bool, len(f.Columns))
	for _, s := range sources {
		if len(s) == 1 {
			replaced[s[0]] = l.Categories != CategoriesBoth
		}
	}
	columns := []int{} // not nil, which would be all
	for i, gone := range replaced {
		if !gone {
			columns = append(columns, i)
		}
	}
	return columns
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
			slices.SortStableFunc(all[i], func(a, b int32) int { return cmp.Compare(value[a], value[b]) })
		}
	}
	return all
}
