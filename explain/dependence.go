package explain

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// defaultPoints are the values of an axis unless EffectOptions have another number.
const defaultPoints = 50

// EffectOptions are the choices of PartialDependence, AccumulatedEffects and Interaction. The zero
// value is for the response, with up to 50 values of a column.
type EffectOptions struct {
	Output  model.Output // Response or Raw
	Rounds  int          // rounds of the model; 0 = those that predictions use
	Points  int          // values of each column, or intervals; 0 = 50
	Workers int          // goroutines; 0 = one per processor. The result is the same for any number

	// Individual asks PartialDependence for the curve of each row too: individual conditional
	// expectation (Goldstein et al. 2015).
	Individual bool
	// Values are the numbers of each column for PartialDependence, instead of Points; nil, also for
	// one of the columns = Points. Categorical columns have none; dates are as data.DateOf has
	// them.
	Values [][]float64
}

func (o *EffectOptions) model() model.Options {
	return model.Options{Output: o.Output, Rounds: o.Rounds}
}

func (o *EffectOptions) points() (int, error) {
	switch {
	case o.Points == 0:
		return defaultPoints, nil
	case o.Points < 2:
		return 0, fmt.Errorf("%d points of a column: want 2 or more", o.Points)
	}
	return o.Points, nil
}

// Dependence is how predictions depend on one column, or on two.
type Dependence struct {
	Axes    []Axis `json:"axes"`    // one or two
	Outputs int    `json:"outputs"` // predictions of a row
	// by output its class, as in Contributions; nil of numbers
	Classes []string `json:"classes,omitempty"`
	Rows    int      `json:"rows"` // that were averaged
	// the mean prediction, by value of the first axis, of the second, and by output
	Mean []float64 `json:"mean"`
	// by row, the predictions in the order of Mean; nil unless they were requested
	Individual []float64 `json:"individual,omitempty"`
}

// At returns the mean predictions at the i-th value of the first axis and the j-th of the second: a
// view, one for each output. With one axis j is 0.
func (d *Dependence) At(i, j int) []float64 {
	second := 1
	if len(d.Axes) == 2 {
		second = d.Axes[1].Len()
	}
	return d.Mean[(i*second+j)*d.Outputs:][:d.Outputs]
}

// PartialDependence returns the partial dependence of a model on one or two of its columns: the
// mean prediction for rows of a table, nil = all, if the columns had a value in all of them
// (Friedman 2001, "Greedy function approximation", section 8.2). It is scikit-learn's
// partial_dependence with the method brute.
//
// A column may be named as it was read or as the model has it: "day" replaces all parts of a date,
// "day.month" one of them. Of texts only parts can be named.
//
// The only raw score of two classes is turned towards the positive class, as in Contributions.
//
// Columns that depend on the named ones are not changed, so that some rows may be impossible.
// AccumulatedEffects avoids them. Costs are one prediction of all rows for each value, and each
// pair of values.
//
// Errors: those of Bind and Predict; a *ColumnError; a *PartsError; no rows or no values;
// ctx.Err().
func PartialDependence(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, columns []string,
	o EffectOptions,
) (*Dependence, error) {
	w, err := newWhatIf(m, f, rows, columns, o.model())
	if err != nil {
		return nil, err
	}
	d := &Dependence{Outputs: w.outputs, Classes: w.direction.classes, Rows: w.frame.Rows()}
	if d.Axes, err = grids(w, &o); err != nil {
		return nil, err
	}
	cells := 1
	for i := range d.Axes {
		cells *= d.Axes[i].Len()
	}
	d.Mean = make([]float64, cells*w.outputs)
	if o.Individual {
		d.Individual = make([]float64, d.Rows*len(d.Mean))
	}
	return d, parallel.Try(ctx, parallel.Workers(o.Workers), cells, func(_, cell int) error {
		values := make([]data.Column, len(d.Axes))
		for i, rest := len(d.Axes)-1, cell; i >= 0; i-- {
			values[i] = d.Axes[i].constant(rest%d.Axes[i].Len(), d.Rows)
			rest /= d.Axes[i].Len()
		}
		return d.average(w, cell, values)
	})
}

// grids returns the axes of the columns to replace.
func grids(w *whatIf, o *EffectOptions) ([]Axis, error) {
	if len(w.units) < 1 || len(w.units) > 2 {
		return nil, fmt.Errorf("effects of %d columns: want one column or two", len(w.units))
	}
	if o.Values != nil && len(o.Values) != len(w.units) {
		return nil, fmt.Errorf("values of %d columns, want %d", len(o.Values), len(w.units))
	}
	points, err := o.points()
	if err != nil {
		return nil, err
	}
	axes := make([]Axis, len(w.units))
	for i := range axes {
		field := w.field(i)
		if o.Values != nil && o.Values[i] != nil {
			if field.Kind == data.Categorical {
				return nil, fmt.Errorf("column %q has levels, not numbers", field.Name)
			}
			axes[i] = numberAxis(field, slices.Clone(o.Values[i]))
			continue
		}
		a, err := gridOf(field, w.column(i), points)
		if err != nil {
			return nil, err
		}
		axes[i] = *a
	}
	return axes, nil
}

// average predicts all rows with values of a cell.
func (d *Dependence) average(w *whatIf, cell int, values []data.Column) error {
	all := make([]float64, d.Rows*w.outputs)
	if err := w.predict(all, values...); err != nil {
		return err
	}
	mean := d.Mean[cell*w.outputs:][:w.outputs]
	for row := range d.Rows {
		these := all[row*w.outputs:][:w.outputs]
		for k, x := range these {
			mean[k] += x
		}
		if d.Individual != nil {
			copy(d.Individual[row*len(d.Mean)+cell*w.outputs:], these)
		}
	}
	for k := range mean {
		mean[k] /= float64(d.Rows)
	}
	return nil
}
