package gbm

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/bins"
)

// checkExact reports what does not go with compat=xgboost-exact, whose bins hold one value each.
func (l *Learner) checkExact() (faults []error) {
	if l.Compat != CompatXGBoostExact {
		return nil
	}
	for _, c := range []struct {
		wrong     bool
		what, use string
	}{
		{l.MinBin > 1, fmt.Sprintf("min_bin=%d, which joins values", l.MinBin), "min_bin=1"},
		{l.Categories != CategoriesNative && l.Categories != CategoriesOrdinal, "categories=" + l.Categories.String(), "categories=native or ordinal"},
		{l.MultiOutput, "multi_output=true", "multi_output=false"},
		{l.ExtraTrees, "extra_trees=true, which looks at one split point", "extra_trees=false"},
		{l.Growth == GrowthSymmetric, "growth=symmetric", "growth=depth"},
	} {
		if c.wrong {
			faults = append(faults, fmt.Errorf("compat=%s does not go with %s: use %s", xgboostExact, c.what, c.use))
		}
	}
	return faults
}

// exactFault adds advice to the error that a column has too many values for compat=xgboost-exact.
func exactFault(err error) error {
	var many *bins.TooManyValues
	if !errors.As(err, &many) {
		return err
	}
	return fmt.Errorf("%w, and compat=%s splits between all of them: use --compat %s, or round the numbers",
		err, xgboostExact, xgboost)
}

// valuesOf returns the values of the bins of each numeric column of a matrix, where each bin has
// one.
func valuesOf(f *data.Frame, m *bins.Matrix) [][]float64 {
	all := make([][]float64, len(m.Columns))
	for i := range m.Columns {
		c := &m.Columns[i]
		num := f.Columns[c.Feature].Num
		if num == nil {
			continue
		}
		all[i] = make([]float64, c.Values)
		group := &m.Groups[c.Group]
		for k, r := range m.Rows {
			if b := c.Bin(group.Code(int32(k))); b < c.Values {
				all[i][b] = num[r]
			}
		}
	}
	return all
}
