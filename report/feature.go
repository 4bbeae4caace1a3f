package report

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
)

// feature is a column with its values in some rows, as charts have them.
type feature struct {
	name   string
	date   bool      // the values are days since 1970
	values []float64 // numbers, or places in names; NaN is missing
	names  []string  // the categories; nil of numbers
}

// microsOfDay is a day as dates count them.
const microsOfDay = 86400e6

// feature returns the values of a column of the model in some rows.
func (s *subject) feature(column string, rows []int32) *feature {
	at := s.data.Schema.Index(column)
	field, c := &s.data.Schema.Fields[at], &s.data.Columns[at]
	f := &feature{name: featureName(field), date: isDate(field)}
	if field.Kind == data.Categorical {
		f.names = field.Levels
	}
	for _, row := range rows {
		switch {
		case f.names == nil:
			f.values = append(f.values, chartNumber(field, c.Number(int(row))))
		case int(c.Code(int(row))) < len(field.Levels):
			f.values = append(f.values, float64(c.Code(int(row))))
		default:
			f.values = append(f.values, math.NaN())
		}
	}
	return f
}

// chartNumber returns a number of a column as charts have it: days since a date are days since
// 1970.
func chartNumber(field *data.Field, v float64) float64 {
	if isDate(field) {
		return field.From.Date(v) / microsOfDay
	}
	return v
}

// An axis ends at these quantiles, where the values reach farther by this part of its length.
const (
	outerQuantile = 0.01
	farValues     = 0.5
	outerGrid     = 0.1 // of a grid, where the rows have no such quantiles
	farGrid       = 0.1
)

// known returns the feature's finite numbers, ascending.
func (f *feature) known() []float64 {
	known := slices.DeleteFunc(slices.Clone(f.values),
		func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	slices.Sort(known)
	return known
}

// side returns the axis of the feature's numbers between the outer quantiles.
func (f *feature) side() figure.Side {
	known := f.known()
	if len(known) == 0 {
		return figure.Side{Label: f.name, Dates: f.date}
	}
	return f.between(quantile(known, outerQuantile), quantile(known, 1-outerQuantile), farValues)
}

// alongGrid returns the axis of a curve over a grid of the feature's numbers, without the part that
// is beyond the outer quantiles of the rows.
func (f *feature) alongGrid(grid []float64) figure.Side {
	low, high := grid[0], grid[len(grid)-1]
	if known := f.known(); len(known) > 0 {
		low, high = max(low, quantile(known, outerQuantile)), min(high, quantile(known, 1-outerQuantile))
	}
	if !(low < high) { // nearly all rows have one value
		low, high = quantile(grid, outerGrid), quantile(grid, 1-outerGrid)
	}
	return f.between(low, high, farGrid)
}

// between returns the axis of the feature's numbers. One far value does not spoil it: where values
// reach beyond two numbers by a part of their distance, the axis ends there, and marks beside its
// label say up to where they reach.
func (f *feature) between(low, high, part float64) figure.Side {
	s, known := figure.Side{Label: f.name, Dates: f.date}, f.known()
	if len(known) == 0 {
		return s
	}
	from, to := min(low, known[0]), max(high, known[len(known)-1])
	if !(low < high) || (to-high)+(low-from) <= float64(part*(high-low)) {
		return s
	}
	narrow(&s, low, high, from, to, f.words)
	return s
}

// narrow ends an axis a little beyond two numbers, and marks what reaches farther beside its label.
// An end where little reaches farther is not cut.
func narrow(s *figure.Side, low, high, from, to float64, words func(v float64) string) {
	little, space := float64(0.25*(high-low)), float64(0.04*(high-low))
	if low-from <= little {
		low = from
	}
	if to-high <= little {
		high = to
	}
	s.Low, s.High = max(from, low-space), min(to, high+space)
	switch {
	case s.Low > from && s.High < to:
		s.Label += " (◂ from " + words(from) + " to " + words(to) + " ▸)"
	case s.Low > from:
		s.Label += " (◂ from " + words(from) + ")"
	case s.High < to:
		s.Label += " (up to " + words(to) + " ▸)"
	}
}

// words writes one of the feature's numbers.
func (f *feature) words(v float64) string {
	if f.date {
		return data.DateText(math.Round(float64(v * microsOfDay)))
	}
	return humanize.Number(v, 4)
}

// clip cuts a line off at the ends of an axis, where it has fixed ones. A line that leaves the axis
// and comes back is broken there.
func clip(x, y []float64, s figure.Side) (cx, cy []float64) {
	if !(s.Low < s.High) {
		return x, y
	}
	inside := func(v float64) bool { return v >= s.Low && v <= s.High }
	for i := range x {
		left := false
		if i > 0 {
			ends := []float64{s.Low, s.High}
			if x[i] < x[i-1] {
				ends = []float64{s.High, s.Low}
			}
			for _, end := range ends {
				if (x[i-1] < end) != (x[i] < end) && x[i-1] != end && x[i] != end {
					part := (end - x[i-1]) / (x[i] - x[i-1])
					cx, cy = append(cx, end), append(cy, y[i-1]+float64(part*(y[i]-y[i-1])))
					left = !inside(x[i])
				}
			}
		}
		if left {
			cx, cy = append(cx, math.NaN()), append(cy, math.NaN())
		}
		if inside(x[i]) || math.IsNaN(x[i]) {
			cx, cy = append(cx, x[i]), append(cy, y[i])
		}
	}
	return cx, cy
}

// The colours of values from the lowest to the highest, and of what has no such order.
var (
	rampColours = []svg.Colour{0x0072b2, 0x5d8db0, 0xb9a7ad, 0xc78357, 0xd55e00}
	noOrder     = svg.Colour(0x8a949e)
)

// ramp divides the rows by the values of a feature: into as many groups as there are colours, the
// lowest first, by rank, and those that are categories or missing. Groups are nil where empty.
func (f *feature) ramp() [][]int {
	groups := make([][]int, len(rampColours)+1)
	var known []float64
	if f.names == nil {
		known = slices.DeleteFunc(slices.Clone(f.values), math.IsNaN)
		slices.Sort(known)
		known = slices.Compact(known)
	}
	for i, v := range f.values {
		at, is := slices.BinarySearch(known, v)
		if !is {
			groups[len(rampColours)] = append(groups[len(rampColours)], i)
			continue
		}
		part := 0.5
		if len(known) > 1 {
			part = float64(at) / float64(len(known)-1)
		}
		k := min(len(rampColours)-1, int(part*float64(len(rampColours))))
		groups[k] = append(groups[k], i)
	}
	return groups
}

// byColour divides the rows by a feature that colours them: numbers by ramp, categories by the most
// frequent ones. It returns layers without points, and the rows of each.
func (f *feature) byColour() (layers []figure.Layer, rows [][]int) {
	dots := figure.Layer{Kind: figure.Dots, Faint: true}
	if f.names == nil {
		for k, group := range f.ramp() {
			l := dots
			switch l.Colour = noOrder; k {
			case 0:
				l.Name = f.name + ": low"
			case len(rampColours) - 1:
				l.Name = "high"
			case len(rampColours):
				l.Name = "missing"
			}
			if k < len(rampColours) {
				l.Colour = rampColours[k]
			}
			if group != nil {
				layers, rows = append(layers, l), append(rows, group)
			}
		}
		return layers, rows
	}
	by := make([][]int, len(f.names)+1)
	for i, v := range f.values {
		k := len(f.names)
		if !math.IsNaN(v) {
			k = int(v)
		}
		by[k] = append(by[k], i)
	}
	order := make([]int, len(by))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(by[b]) - len(by[a]) })
	for i, k := range order {
		switch {
		case by[k] == nil:
		case i >= shownClasses || k == len(f.names):
			l := dots
			l.Name, l.Colour = "other or missing", noOrder
			layers, rows = append(layers, l), append(rows, by[k])
		default:
			l := dots
			l.Name, l.Colour = f.names[k], svg.ClassColour(i)
			layers, rows = append(layers, l), append(rows, by[k])
		}
	}
	return layers, rows
}

// mostNames is the number of categories that a chart names.
const mostNames = 16

// fewNames keeps the most frequent categories of a feature of many. The others become missing.
func (f *feature) fewNames() {
	counts := make([]int, len(f.names))
	for _, v := range f.values {
		if !math.IsNaN(v) {
			counts[int(v)]++
		}
	}
	order := make([]int, len(counts))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	order = slices.DeleteFunc(order[:min(mostNames, len(order))],
		func(k int) bool { return counts[k] == 0 })
	names, place := make([]string, len(order)), make(map[int]int, len(order))
	for i, k := range order {
		names[i], place[k] = f.names[k], i
	}
	values := make([]float64, len(f.values))
	for i, v := range f.values {
		values[i] = math.NaN()
		if at, kept := place[int(v)]; kept && !math.IsNaN(v) {
			values[i] = float64(at)
		}
	}
	f.names, f.values = names, values
}
