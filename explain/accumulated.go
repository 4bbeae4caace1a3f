package explain

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/data"
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

// intervals are the rows of a numeric column by interval.
type intervals struct {
	ends  []float64 // ascending, one more than intervals
	of    []int32   // by row
	count []float64
}

// newIntervals divides a column into at most n intervals of about as many rows each. The first has
// its lower end too, the others only their upper one.
func newIntervals(field *data.Field, c *data.Column, n int) (*intervals, error) {
	sorted := numbers(c)
	v := &intervals{ends: []float64{sorted[0]}}
	for i := 1; i <= n; i++ {
		// the inverse of the empirical distribution, rounded up
		end := sorted[max(0, (i*len(sorted)+n-1)/n-1)]
		if end > v.ends[len(v.ends)-1] {
			v.ends = append(v.ends, end)
		}
	}
	if len(v.ends) == 1 {
		return nil, fmt.Errorf("column %q has one value only, %v, in these rows", field.Name, sorted[0])
	}
	v.of, v.count = make([]int32, c.Len()), make([]float64, len(v.ends)-1)
	for row, x := range c.Numbers() {
		k := max(0, sort.SearchFloat64s(v.ends, x)-1)
		v.of[row] = int32(k)
		v.count[k]++
	}
	return v, nil
}

// at returns the column with each row at an end of its interval: 0 = the lower one.
func (v *intervals) at(end int) data.Column {
	values := make([]float64, len(v.of))
	for row, k := range v.of {
		values[row] = v.ends[int(k)+end]
	}
	return data.Numbers(values)
}

// predictAll predicts the rows with each of several sets of columns.
func predictAll(
	ctx context.Context, w *whatIf, workers int, columns [][]data.Column,
) ([][]float64, error) {
	all := make([][]float64, len(columns))
	return all, each(ctx, workers, len(columns), func(_, i int) error {
		all[i] = make([]float64, w.frame.Rows()*w.outputs)
		return w.predict(all[i], columns[i]...)
	})
}

// numberEffects are the effects of a numeric column.
func numberEffects(ctx context.Context, w *whatIf, n, workers int) (*Effects, error) {
	v, err := newIntervals(w.field(0), w.column(0), n)
	if err != nil {
		return nil, err
	}
	p, err := predictAll(ctx, w, workers, [][]data.Column{{v.at(0)}, {v.at(1)}})
	if err != nil {
		return nil, err
	}
	e := &Effects{Axes: []Axis{numberAxis(w.field(0), v.ends)}, Outputs: w.outputs,
		Classes: w.direction.classes, Rows: len(v.of), Values: make([]float64, len(v.ends)*w.outputs)}
	for k := range w.outputs {
		step := make([]float64, len(v.count))
		for row, i := range v.of {
			step[i] += p[1][row*w.outputs+k] - p[0][row*w.outputs+k]
		}
		divide(step, v.count)
		effect, center := accumulate(step), 0.0
		for i, n := range v.count {
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
	axis, err := levelsOf(field, column, most)
	if err != nil {
		return nil, err
	}
	if axis.Len() == 1 {
		return nil, fmt.Errorf("column %q has one level only, %q, in these rows", field.Name,
			axis.Levels[0])
	}
	place := orderBySimilarity(w.frame, int(w.units[0].at[0]), axis)
	step, count, err := levelSteps(ctx, w, axis, place, workers)
	if err != nil {
		return nil, err
	}
	e := &Effects{Axes: []Axis{*axis}, Outputs: w.outputs, Classes: w.direction.classes,
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
// both, and the rows of each level. Place is by code the level's place in the axis, or -1.
func levelSteps(
	ctx context.Context, w *whatIf, axis *Axis, place []int32, workers int,
) (step [][]float64, count []float64, err error) {
	codes := w.column(0).Codes()
	var near [3][]uint32 // by row the level before, its own, and the one after
	for i := range near {
		near[i] = make([]uint32, len(codes))
	}
	count = make([]float64, axis.Len())
	for row, code := range codes {
		at := int(place[code])
		for i := range near {
			near[i][row] = code
			if to := at + i - 1; at >= 0 && to >= 0 && to < axis.Len() {
				near[i][row] = axis.codes[to]
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
	both := make([]float64, axis.Len()-1)
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
	var v [2]*intervals
	for i := range v {
		if w.field(i).Kind == data.Categorical {
			return nil, fmt.Errorf("column %q has levels: accumulated effects of two columns "+
				"want numeric ones; use partial dependence", w.field(i).Name)
		}
		var err error
		if v[i], err = newIntervals(w.field(i), w.column(i), n); err != nil {
			return nil, err
		}
	}
	var corners [][]data.Column
	for i := range 4 {
		corners = append(corners, []data.Column{v[0].at(i / 2), v[1].at(i % 2)})
	}
	p, err := predictAll(ctx, w, workers, corners)
	if err != nil {
		return nil, err
	}
	e := &Effects{Outputs: w.outputs, Classes: w.direction.classes, Rows: len(v[0].of), Axes: []Axis{
		numberAxis(w.field(0), v[0].ends), numberAxis(w.field(1), v[1].ends)}}
	e.Values = make([]float64, len(v[0].ends)*len(v[1].ends)*w.outputs)
	for k := range w.outputs {
		c := newCells(len(v[0].count), len(v[1].count))
		for row := range e.Rows {
			at, x := c.at(int(v[0].of[row]), int(v[1].of[row])), row*w.outputs+k
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
