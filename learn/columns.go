package learn

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// CheckColumns returns a *ColumnError for the first column that n refuses, looking at the given
// rows, nil = all. instead names a learner that takes such columns.
func (n Needs) CheckColumns(learner, instead string, f *data.Frame, rows []int32) error {
	if err := f.CheckRows(rows); err != nil {
		return err
	}
	rows = f.Chosen(rows)
	for i := range f.Columns {
		field := &f.Schema.Fields[i]
		if n.Categorical && field.Kind != data.Categorical {
			return &ColumnError{learner, field.Name, -1, fmt.Sprintf(
				option.Expand("cannot split numbers: use {categorical} %s to take each for a category, or ")+
					option.Expand("{learner} %s"), field.Source(), instead)}
		}
		if !n.Complete {
			continue
		}
		for _, r := range rows {
			if f.IsMissing(int(r), i) {
				return &ColumnError{learner, field.Name, int(r), fmt.Sprintf(
					option.Expand("cannot do without a value: use {ignore} %s, or {learner} %s"), field.Source(),
					instead)}
			}
		}
	}
	return nil
}
