package explain

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/axes"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// Effects are the accumulated local effects of one column, or of two. Their mean over the rows is
// 0. Those of two columns are what the pair adds to the effects of each.
type Effects struct {
	Axes    []Axis `json:"axes"`    // one or two; of numbers the ends of the intervals
	Outputs int    `json:"outputs"` // predictions of a row
	// by output its class, as in Contributions; nil of numbers
	Classes []string `json:"classes,omitempty"`
	Rows    int      `json:"rows"` // with a value in the columns
	// by value of the first axis, of the second, and by output
	Values []float64 `json:"values"`
}

// AccumulatedEffects returns the accumulated local effects of one or two columns on predictions for
// rows of a table, nil = all (Apley & Zhu 2020, "Visualizing the effects of predictor variables in
// black box supervised learning models", equations 15 and 16). Values of a column are divided into
// intervals with about as many rows each. Within an interval predictions at both ends are compared
// for its own rows, and the mean differences are added up. So no row is far from where it was seen.
//
// Levels of a categorical column are ordered by how similar their rows are in the other columns, as
// the authors' package ALEPlot does it. Rows without a value in a column are left out. Two columns
// must be numeric; of cells without rows the nearest cell with rows is used.
//
// Costs are two predictions of the rows for one column, four for two. Options.Individual and
// Options.Values are ignored. Errors: those of PartialDependence.
func AccumulatedEffects(
	ctx context.Context, m model.Model, f *data.Frame, rows []int32, columns []string,
	o EffectOptions,
) (*Effects, error) {
	points, err := o.points()
	if err != nil {
		return nil, err
	}
	w, err := newWhatIf(m, f, rows, columns, o.model())
	if err != nil {
		return nil, err
	}
	if err := w.keepPresent(m); err != nil {
		return nil, err
	}
	switch len(columns) {
	case 1:
		if w.field(0).Kind == data.Categorical {
			return levelEffects(ctx, w, points, o.Workers)
		}
		return numberEffects(ctx, w, points, o.Workers)
	case 2:
		return pairEffects(ctx, w, points, o.Workers)
	}
	return nil, fmt.Errorf("effects of %d columns: want one column or two", len(columns))
}

// keepPresent leaves out the rows without a value in one of the columns.
func (w *whatIf) keepPresent(m model.Model) error {
	var rows []int32
	for row := range w.frame.Rows() {
		if !slices.ContainsFunc(w.units, func(u *unit) bool { return !u.has(row) }) {
			rows = append(rows, int32(row))
		}
	}
	switch {
	case len(w.units) == 0 || len(rows) == w.frame.Rows():
		return nil
	case len(rows) == 0:
		return &emptyColumnError{w.field(len(w.units) - 1).Name}
	}
	w.frame = w.frame.Subset(rows)
	for i, u := range w.units {
		var err error
		if w.units[i], err = newUnit(m, w.frame, u.field.Name); err != nil {
			return err
		}
	}
	return nil
}

// intervalsOf divides a numeric column into at most n intervals.
func intervalsOf(w *whatIf, column, n int) (*axes.Intervals, error) {
	v := axes.NewIntervals(w.column(column), n)
	if len(v.Count) == 0 {
		return nil, fmt.Errorf("column %q has one value only, %v, in these rows", w.field(column).Name,
			v.Ends[0])
	}
	return v, nil
}

// predictAll predicts the rows with each of several sets of columns.
func predictAll(
	ctx context.Context, w *whatIf, workers int, columns [][]data.Column,
) ([][]float64, error) {
	all := make([][]float64, len(columns))
	return all, parallel.Try(ctx, parallel.Workers(workers), len(columns), func(_, i int) error {
		all[i] = make([]float64, w.frame.Rows()*w.outputs)
		return w.predict(all[i], columns[i]...)
	})
}

// numberEffects are the effects of a numeric column.
func numberEffects(ctx context.Context, w *whatIf, n, workers int) (*Effects, error) {
	v, err := intervalsOf(w, 0, n)
	if err != nil {
		return nil, err
	}
	p, err := predictAll(ctx, w, workers, [][]data.Column{{v.At(0)}, {v.At(1)}})
	if err != nil {
		return nil, err
	}
	e := &Effects{Axes: []Axis{numberAxis(w.field(0), v.Ends)}, Outputs: w.outputs,
		Classes: w.direction.classes, Rows: len(v.Of), Values: make([]float64, len(v.Ends)*w.outputs)}
	for k := range w.outputs {
		step := make([]float64, len(v.Count))
		for row, i := range v.Of {
			step[i] += p[1][row*w.outputs+k] - p[0][row*w.outputs+k]
		}
		divide(step, v.Count)
		effect, center := accumulate(step), 0.0
		for i, n := range v.Count {
			center += float64(n * (effect[i] + effect[i+1]) / 2)
		}
		center /= float64(e.Rows)
		for i, x := range effect {
			e.Values[i*w.outputs+k] = x - center
		}
	}
	return e, nil
}

// divide divides sums by their counts, where there are any.
func divide(sums, counts []float64) {
	for i, n := range counts {
		if n > 0 {
			sums[i] /= n
		}
	}
}

// accumulate returns 0 and the sums of the first steps.
func accumulate(step []float64) []float64 {
	sums := make([]float64, len(step)+1)
	for i, x := range step {
		sums[i+1] = sums[i] + x
	}
	return sums
}

// levelEffects are the effects of a categorical column.
func levelEffects(ctx context.Context, w *whatIf, most, workers int) (*Effects, error) {
	field, column := w.field(0), w.column(0)
	codes := axes.Frequent(column, len(field.Levels), most)
	switch len(codes) {
	case 0:
		return nil, &emptyColumnError{field.Name}
	case 1:
		return nil, fmt.Errorf("column %q has one level only, %q, in these rows", field.Name,
			field.Levels[codes[0]])
	}
	codes, place := axes.BySimilarity(w.frame, int(w.units[0].at[0]), codes)
	axis := levelAxis(field, codes)
	step, count, err := levelSteps(ctx, w, codes, place, workers)
	if err != nil {
		return nil, err
	}
	e := &Effects{Axes: []Axis{axis}, Outputs: w.outputs, Classes: w.direction.classes,
		Values: make([]float64, axis.Len()*w.outputs)}
	for _, n := range count {
		e.Rows += int(n)
	}
	for k := range w.outputs {
		effect, center := accumulate(step[k]), 0.0
		for i, n := range count {
			center += float64(n * effect[i])
		}
		center /= float64(e.Rows)
		for i, x := range effect {
			e.Values[i*w.outputs+k] = x - center
		}
	}
	return e, nil
}

// levelSteps returns by output the mean difference between each level and the next, for the rows of
// both, and the rows of each level. place has by code its place among the levels, or -1.
func levelSteps(
	ctx context.Context, w *whatIf, levels []uint32, place []int32, workers int,
) (step [][]float64, count []float64, err error) {
	codes := w.column(0).Codes()
	var near [3][]uint32 // by row the level before, its own, and the one after
	for i := range near {
		near[i] = make([]uint32, len(codes))
	}
	count = make([]float64, len(levels))
	for row, code := range codes {
		at := int(place[code])
		for i := range near {
			near[i][row] = code
			if to := at + i - 1; at >= 0 && to >= 0 && to < len(levels) {
				near[i][row] = levels[to]
			}
		}
		if at >= 0 {
			count[at]++
		}
	}
	p, err := predictAll(ctx, w, workers,
		[][]data.Column{{data.Codes(near[0])}, {data.Codes(near[1])}, {data.Codes(near[2])}})
	if err != nil {
		return nil, nil, err
	}
	both := make([]float64, len(levels)-1)
	for i := range both {
		both[i] = count[i] + count[i+1]
	}
	step = make([][]float64, w.outputs)
	for k := range step {
		step[k] = make([]float64, len(both))
		for row, code := range codes {
			at, x := int(place[code]), row*w.outputs+k
			if at > 0 {
				step[k][at-1] += p[1][x] - p[0][x]
			}
			if at >= 0 && at < len(both) {
				step[k][at] += p[2][x] - p[1][x]
			}
		}
		divide(step[k], both)
	}
	return step, count, nil
}

// pairEffects are the effects of two numeric columns.
func pairEffects(ctx context.Context, w *whatIf, n, workers int) (*Effects, error) {
	var v [2]*axes.Intervals
	for i := range v {
		if w.field(i).Kind == data.Categorical {
			return nil, fmt.Errorf("column %q has levels: accumulated effects of two columns "+
				"want numeric ones; use partial dependence", w.field(i).Name)
		}
		var err error
		if v[i], err = intervalsOf(w, i, n); err != nil {
			return nil, err
		}
	}
	var corners [][]data.Column
	for i := range 4 {
		corners = append(corners, []data.Column{v[0].At(i / 2), v[1].At(i % 2)})
	}
	p, err := predictAll(ctx, w, workers, corners)
	if err != nil {
		return nil, err
	}
	e := &Effects{Outputs: w.outputs, Classes: w.direction.classes, Rows: len(v[0].Of), Axes: []Axis{
		numberAxis(w.field(0), v[0].Ends), numberAxis(w.field(1), v[1].Ends)}}
	e.Values = make([]float64, len(v[0].Ends)*len(v[1].Ends)*w.outputs)
	for k := range w.outputs {
		c := newCells(len(v[0].Count), len(v[1].Count))
		for row := range e.Rows {
			at, x := c.at(int(v[0].Of[row]), int(v[1].Of[row])), row*w.outputs+k
			c.count[at]++
			c.value[at] += (p[3][x] - p[2][x]) - (p[1][x] - p[0][x])
		}
		divide(c.value, c.count)
		c.fill(v[0], v[1])
		for i, x := range c.effects() {
			e.Values[i*w.outputs+k] = x
		}
	}
	return e, nil
}
