package explain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// whatIf predicts rows of a table as if some of their columns had other values.
type whatIf struct {
	predictor model.Predictor
	frame     *data.Frame // the rows, expanded
	units     []*unit     // the columns that are replaced
	outputs   int
	direction scoreDirection // of the outputs
}

// newWhatIf binds a model to rows of a table. The names are those of the columns to replace.
func newWhatIf(
	m model.Model, f *data.Frame, rows []int32, names []string, o model.Options,
) (*whatIf, error) {
	if err := f.CheckRows(rows); err != nil {
		return nil, err
	}
	if o.Output != model.Response && o.Output != model.Raw {
		return nil, fmt.Errorf("effects of columns are on proba or raw, not on the output %s", o.Output)
	}
	w := &whatIf{frame: f}
	if rows != nil {
		w.frame = f.Subset(rows)
	}
	if w.frame.Rows() == 0 {
		return nil, errNoRows
	}
	w.frame = expanded(m, w.frame)
	o.Workers = 1 // predictions of different values run in parallel
	var err error
	if w.predictor, err = m.Bind(&w.frame.Schema, o); err != nil {
		return nil, err
	}
	w.outputs = w.predictor.Width()
	w.direction = directionOf(m, o.Output, w.outputs)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("column %q is named twice", name)
		}
		u, err := newUnit(m, w.frame, name)
		if err != nil {
			return nil, err
		}
		w.units = append(w.units, u)
	}
	return w, w.distinct()
}

// distinct returns an error if two of the columns have a part in common.
func (w *whatIf) distinct() error {
	for i, u := range w.units {
		for _, other := range w.units[:i] {
			if slices.ContainsFunc(u.at, func(at int32) bool {
				return slices.Contains(other.at, at)
			}) {
				return fmt.Errorf("columns %q and %q are of the same dates: name one of them",
					other.field.Name, u.field.Name)
			}
		}
	}
	return nil
}

var errNoRows = errors.New("the table has no rows")

// ColumnError is a column that a model does not use as a feature.
type ColumnError struct {
	Column string
}

// Error names the column.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("the model has no feature %q", e.Column)
}

// field and column return the i-th of the columns to replace.
func (w *whatIf) field(i int) *data.Field   { return w.units[i].field }
func (w *whatIf) column(i int) *data.Column { return w.units[i].column }

// with returns the rows with other columns in place of the replaced ones.
func (w *whatIf) with(columns ...data.Column) *data.Frame {
	frame := *w.frame
	frame.Columns = slices.Clone(w.frame.Columns)
	for i, u := range w.units[:len(columns)] {
		u.put(frame.Columns, columns[i])
	}
	return &frame
}

// predict writes the predictions for the rows with some columns, towards the positive class.
func (w *whatIf) predict(dst []float64, columns ...data.Column) error {
	err := w.predictor.Predict(dst, w.with(columns...), nil)
	w.direction.turn(dst)
	return err
}
