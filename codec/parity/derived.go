package parity

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// derived is the columns that a model derives of categories, and that its trees test.
type derived struct {
	of       map[int32]*derivedColumn // by feature of the trees
	features []int32                  // ascending
	program  *input.Program           // of these features
	numbers  []float64                // by place in features: of the row that numbersOf was given
	from     []float64                // by place in program.Sources
}

// derivedColumn is such a column.
type derivedColumn struct {
	feature   int32
	place     int // in derived.features
	sources   []int32
	witnesses []input.Witness // ascending by their numbers
	// the least and the greatest number that the column has
	least, greatest float64
}

// newDerived finds values of the sources for the split points of derived columns.
func newDerived(m *model.Ensemble) *derived {
	fields := m.Meta.Schema.Fields
	first := int32(len(fields))
	points := map[int32][]float64{}
	for _, t := range m.Trees {
		for n := range int32(t.Len()) {
			f := t.Feature(n)
			if t.Kind(n) == tree.Numeric && f >= first && !m.Inputs.OfNumber(int(f-first)) {
				points[f] = append(points[f], t.SplitPoint(n))
			}
		}
	}
	d := &derived{of: map[int32]*derivedColumn{}, features: slices.Sorted(maps.Keys(points))}
	columns := make([]int32, len(d.features))
	for i, f := range d.features {
		column := int(f - first)
		columns[i] = int32(column)
		at := points[f]
		slices.Sort(at)
		c := &derivedColumn{feature: f, place: i, sources: m.Inputs.Sources(column),
			witnesses: m.Inputs.Witnesses(column, fields, slices.Compact(at))}
		c.least, c.greatest = m.Inputs.Range(column)
		d.of[f] = c
	}
	d.program = m.Inputs.Compile(fields, columns)
	d.from, d.numbers = make([]float64, len(d.program.Sources())), make([]float64, len(columns))
	return d
}

// numbersOf returns the derived numbers of a row.
func (d *derived) numbersOf(row []float64) []float64 {
	for i, f := range d.program.Sources() {
		d.from[i] = row[f]
	}
	d.program.Row(d.from, func(column int, x float64) { d.numbers[column] = x })
	return d.numbers
}

// within returns the witnesses whose numbers are above low and up to high.
func (c *derivedColumn) within(low, high float64) []input.Witness {
	after := func(x float64) int { // the first witness above x
		at, _ := slices.BinarySearchFunc(c.witnesses, x, func(w input.Witness, x float64) int {
			if w.Number > x {
				return 1
			}
			return -1
		})
		return at
	}
	return c.witnesses[after(low):max(after(low), after(high))]
}

// probeDerived makes the rows of a node that tests a derived column. Their numbers are those next
// to the split point, on both sides, and any others. It reports whether there are rows for each
// side that some row can be on.
func (g *maker) probeDerived(feature int32, split float64) bool {
	c, inf := g.derived.of[feature], math.Inf(1)
	below, above := c.within(-inf, split), c.within(split, inf)
	var chosen []input.Witness
	if n := len(below); n > 0 {
		chosen = append(chosen, below[n-1], below[g.random.Intn(n)])
	}
	if n := len(above); n > 0 {
		chosen = append(chosen, above[0], above[g.random.Intn(n)])
	}
	for _, w := range chosen {
		g.addWith(c.sources, w.Values)
	}
	// an unseen category, and a missing one
	for _, x := range []float64{-1, math.NaN()} {
		f := c.sources[g.random.Intn(len(c.sources))]
		if g.fields[f].Kind == data.Categorical || x != -1 {
			g.addWith([]int32{f}, []float64{x})
		}
	}
	return (len(below) > 0 || c.least > split) && (len(above) > 0 || c.greatest <= split)
}

// addWith adds a row within the limits that has some values in some fields.
func (g *maker) addWith(fields []int32, values []float64) {
	row, pinned := g.base(), make([]bool, len(g.fields))
	for i, f := range fields {
		row[f], pinned[f] = values[i], true
	}
	g.meet(row, pinned)
	g.add(row)
}

// repairs is how often meet changes a row for each derived column that has a limit.
const repairs = 16

// meet changes a row, except for pinned fields, until its derived columns are within the limits of
// the node, or it has tried long enough: it then has the row that meets most of them.
func (g *maker) meet(row []float64, pinned []bool) {
	d := g.derived
	if d == nil || g.limits == nil {
		return
	}
	var limited []*derivedColumn
	for _, f := range d.features {
		if g.limits[f].state != either {
			limited = append(limited, d.of[f])
		}
	}
	if len(limited) == 0 {
		return
	}
	best, fewest := slices.Clone(row), math.MaxInt
	for try := 0; try <= repairs*len(limited); try++ {
		numbers := d.numbersOf(row)
		var unmet []*derivedColumn
		for _, c := range limited {
			l := &g.limits[c.feature]
			if x := numbers[c.place]; !(x > l.low && x <= l.high) {
				unmet = append(unmet, c)
			}
		}
		if len(unmet) < fewest {
			fewest = len(unmet)
			copy(best, row)
		}
		if len(unmet) == 0 {
			break
		}
		g.repair(row, unmet[g.random.Intn(len(unmet))], pinned)
	}
	copy(row, best)
}

// repair gives the sources of a column values of which it is within its limit, if there are some
// that pinned fields and the limits of fields allow; else any values.
func (g *maker) repair(row []float64, c *derivedColumn, pinned []bool) {
	l := &g.limits[c.feature]
	inside := c.within(l.low, l.high)
	if len(inside) == 0 {
		return
	}
	start := g.random.Intn(len(inside))
	for i := range inside {
		values := inside[(start+i)%len(inside)].Values
		if !slices.ContainsFunc(c.sources, func(f int32) bool {
			x := values[slices.Index(c.sources, f)]
			if pinned != nil && pinned[f] {
				return row[f] != x && (row[f] == row[f] || x == x)
			}
			return !g.limits[f].admits(x)
		}) {
			for k, f := range c.sources {
				row[f] = values[k]
			}
			return
		}
	}
	for _, f := range c.sources {
		if pinned == nil || !pinned[f] {
			row[f] = g.value(int(f))
		}
	}
}

// unprobed names what no rows were made for.
func (g *maker) unprobed() []string {
	var names []string
	for _, f := range slices.Sorted(maps.Keys(g.missed)) {
		name := "directions of several columns"
		if i := int(f) - len(g.fields); i >= 0 {
			name = g.model.Inputs.Name(i, g.fields, g.model.Meta.Classes)
		}
		splits := humanize.Count(g.missed[f], "split", "splits")
		names = append(names, fmt.Sprintf("%s at %s", splits, name))
	}
	return names
}
