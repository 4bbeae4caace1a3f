package draw

import (
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

// Rows are rows of a table with their labels. SVG draws them in the nodes that they reach: numbers
// that are labels in every node, with a line at the prediction, else the numbers that a node
// compares with its split point, with a line there. Bars of a Counts tree are stacked by classes.
type Rows struct {
	Columns []data.Column // of the tree's schema, with its dictionaries
	Class   []uint32      // by row, below the width of a Counts tree, which needs them
	Y       []float64     // by row, labels that a Scalar tree predicts; nil: there are none
	Row     int           // whose path is marked; -1: none
}

const (
	mostBars      = 24
	histogramHigh = 36
	histogramGap  = 6 // below it
)

// histogram is the bars of a node: of each the weight of its rows, by class where they are stacked.
type histogram struct {
	bars [][]float64
	line float64 // its place on the axis, 0 to 1
}

// reach counts the rows of each node that is shown, and marks the path of one.
func (v *view) reach(r *Rows) (of []*histogram, path []bool) {
	axis, of, path := make([]scale, v.t.Len()), make([]*histogram, v.t.Len()), make([]bool, v.t.Len())
	for n := range axis {
		axis[n] = scale{low: math.Inf(1), high: math.Inf(-1)}
	}
	walk := v.t.Over(r.Columns)
	each := func(take func(n, row int32, x, fraction float64)) {
		for row := range int32(r.Columns[0].Len()) {
			walk.Visit(row, func(n int32, fraction float64, _ bool) {
				path[n] = path[n] || int(row) == r.Row
				if x := v.compared(r, n, row); finite(x) && v.depth[n] <= v.limit {
					take(n, row, x, fraction)
				}
			})
		}
	}
	each(func(n, _ int32, x, _ float64) {
		axis[n].low, axis[n].high = min(axis[n].low, x), max(axis[n].high, x)
	})
	each(func(n, row int32, x, fraction float64) {
		a, classes := &axis[n], 1
		if r.Y != nil {
			a = &axis[0]
		}
		if v.t.Leaf.Kind == tree.Counts {
			classes = v.t.Leaf.Width
		}
		if of[n] == nil {
			of[n] = &histogram{bars: make([][]float64, mostBars)}
			for i := range of[n].bars {
				of[n].bars[i] = make([]float64, classes)
			}
			if of[n].line = a.at(v.t.SplitPoint(n)); r.Y != nil {
				of[n].line = a.at(v.value[n][0])
			}
		}
		class := 0
		if classes > 1 {
			class = int(r.Class[row])
		}
		of[n].bars[min(mostBars-1, int(mostBars*a.at(x)))][class] += fraction
	})
	return of, path
}

// notes returns the sentences below the picture that explain bars and the path.
func (r *Rows) notes() (notes []string) {
	if r == nil {
		return nil
	}
	bars := "Bars: rows of the table by the column of the node's question; the line is its split point."
	if r.Y != nil {
		bars = "Bars: labels of the rows of the table, on one axis; the line is the node's prediction."
	}
	if notes = append(notes, bars); r.Row >= 0 {
		notes = append(notes, "Dark: the path of row "+strconv.Itoa(r.Row+1)+".")
	}
	return notes
}

// compared returns the number by which a row stands in the histogram of a node, NaN if by none.
func (v *view) compared(r *Rows, n, row int32) float64 {
	switch {
	case r.Y != nil && v.value[n] != nil:
		return r.Y[row]
	case r.Y != nil || v.ends(n) || v.t.Kind(n) != tree.Numeric:
		return math.NaN()
	}
	return r.Columns[v.t.Feature(n)].Number(int(row))
}

// draw draws the bars in a space whose upper left corner is x, y.
func (h *histogram) draw(out *svg.Pen, x, y, space int) {
	most := 0.0
	for _, bar := range h.bars {
		most = max(most, total(bar))
	}
	base := svg.Tenths(10 * (y + histogramHigh))
	for i, bar := range h.bars {
		left := svg.Tenths(10*x + 10*space*i/len(h.bars))
		width := svg.Tenths(10*x+10*space*(i+1)/len(h.bars)) - left
		sum, from := 0.0, svg.Tenths(0)
		parts, _ := segments(bar)
		for _, s := range parts {
			sum += s.fraction
			to := svg.Tenths(math.Round(sum / most * (10 * histogramHigh)))
			fill := svg.Rest
			if len(bar) > 1 && s.class >= 0 {
				fill = svg.ClassColour(s.class)
			}
			if to > from {
				out.Rect(left, base-to, width-2, to-from, fill, "")
			}
			from = to
		}
	}
	out.Rect(svg.Tenths(10*x), base, svg.Tenths(10*space), 7, svg.Border, "")
	out.Rect(svg.Tenths(10*x)+svg.Tenths(math.Round(h.line*float64(10*space-10))),
		svg.Tenths(10*y), 10, 10*histogramHigh, svg.Ink, "")
}
