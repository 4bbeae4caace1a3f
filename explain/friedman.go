package explain

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// Strength is how strongly columns interact in a model: Friedman's H, the square root of the part
// of a variance that interactions explain. 0 = none; 1 = there is nothing else.
type Strength struct {
	Columns []string  `json:"columns"` // a pair, or one column with all others
	H       []float64 `json:"h"`       // by output; 0 where the columns have no effect
	// by output its class, as in Contributions; nil of numbers. H has no sign.
	Classes []string `json:"classes,omitempty"`
}

// Interaction returns Friedman's H for rows of a table, nil = all (Friedman & Popescu 2008,
// "Predictive learning via rule ensembles", equations 44 and 45): first of each column with all
// others, then of each pair, in their order. It compares the partial dependence on a pair with the
// sum of those on each of the two, at the columns' values in the rows.
//
// Predictions of n rows for n values are needed for each column and each pair: choose some hundred
// rows, and the columns that matter. H of a pair can be large where both columns have small
// effects. Options.Points, Individual and Values are ignored. Errors: those of PartialDependence.
func Interaction(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, columns []string,
	o EffectOptions,
) ([]Strength, error) {
	if len(columns) == 0 {
		return nil, errors.New("there are no columns whose interactions are wanted")
	}
	w, err := newWhatIf(m, f, rows, columns, o.model())
	if err != nil {
		return nil, err
	}
	all, err := predictAll(ctx, w, 1, [][]data.Column{nil})
	if err != nil {
		return nil, err
	}
	n := w.frame.Rows()
	centre(all[0], n)
	alone, rest := make([][]float64, len(columns)), make([][]float64, len(columns))
	strengths := make([]Strength, 0, len(columns)*(len(columns)+1)/2)
	for i, name := range columns {
		if alone[i], rest[i], err = atRows(ctx, w, o.Workers, i); err != nil {
			return nil, err
		}
		strengths = append(strengths,
			Strength{[]string{name}, unexplained(all[0], alone[i], rest[i], n), w.direction.classes})
	}
	for i, one := range columns {
		for j := i + 1; j < len(columns); j++ {
			both, _, err := atRows(ctx, w, o.Workers, i, j)
			if err != nil {
				return nil, err
			}
			strengths = append(strengths, Strength{[]string{one, columns[j]},
				unexplained(both, alone[i], alone[j], n), w.direction.classes})
		}
	}
	return strengths, nil
}

// together are values whose predictions are in memory at a time.
const together = 64

// atRows returns the partial dependence on columns at their values in each row, and that on all
// other columns. Both have mean 0.
func atRows(
	ctx context.Context, w *whatIf, workers int, columns ...int,
) (these, others []float64, err error) {
	n := w.frame.Rows()
	these, others = make([]float64, n*w.outputs), make([]float64, n*w.outputs)
	all := make([][]float64, min(n, together)) // by value's row, what is predicted for all rows
	for from := 0; from < n; from += len(all) {
		some := all[:min(len(all), n-from)]
		err = parallel.Try(ctx, parallel.Workers(workers), len(some), func(_, i int) error {
			replaced := make([]data.Column, len(w.units))
			for c := range replaced {
				replaced[c] = *w.column(c)
			}
			for _, c := range columns {
				replaced[c] = repeated(w.column(c), from+i)
			}
			some[i] = make([]float64, n*w.outputs)
			return w.predict(some[i], replaced...)
		})
		if err != nil {
			return nil, nil, err
		}
		for value, predicted := range some {
			for i, x := range predicted {
				these[(from+value)*w.outputs+i%w.outputs] += x / float64(n)
				others[i] += x / float64(n)
			}
		}
	}
	centre(these, n)
	centre(others, n)
	return these, others, nil
}

// repeated returns a column that has the value of a row in all rows.
func repeated(c *data.Column, row int) data.Column {
	a := Axis{}
	if c.Codes() != nil {
		a.codes = []uint32{c.Code(row)}
	} else {
		a.Values = []float64{c.Number(row)}
	}
	return a.constant(0, c.Len())
}

// centre subtracts the mean over n rows from each output.
func centre(values []float64, n int) {
	outputs := len(values) / n
	for k := range outputs {
		mean := 0.0
		for row := range n {
			mean += values[row*outputs+k]
		}
		mean /= float64(n)
		for row := range n {
			values[row*outputs+k] -= mean
		}
	}
}

// negligible is the part of a variance below which rounding is all there is.
const negligible = 1e-20

// unexplained returns by output the root of the part of the squares that two sums do not explain.
func unexplained(whole, one, other []float64, n int) []float64 {
	outputs := len(whole) / n
	h := make([]float64, outputs)
	for k := range h {
		left, squares, parts := 0.0, 0.0, 0.0
		for i := k; i < len(whole); i += outputs {
			d := whole[i] - one[i] - other[i]
			left += float64(d * d)
			squares += float64(whole[i] * whole[i])
			parts += float64(one[i]*one[i]) + float64(other[i]*other[i])
		}
		if left > float64(negligible*(squares+parts)) && squares > 0 {
			h[k] = math.Sqrt(left / squares)
		}
	}
	return h
}
