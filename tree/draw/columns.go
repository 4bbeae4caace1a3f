package draw

import (
	"bufio"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// mostClassColumns is the number of classes up to which each gets a column of its own.
const mostClassColumns = 5

// column is one column beside the outline, a cell per line.
type column struct {
	title string
	right bool // aligned to the right
	tight bool // one space from the column before it, not two
	cells []string
	width int
}

func (c *column) setWidth() {
	c.width = utf8.RuneCountInString(c.title)
	for _, cell := range c.cells {
		c.width = max(c.width, utf8.RuneCountInString(cell))
	}
}

// writeLine writes the cells of a line after a number of blanks; line -1 is the titles. No line
// ends in blanks.
func writeLine(b *bufio.Writer, columns []column, line, blank int) {
	for i := range columns {
		c := &columns[i]
		cell := c.title
		if line >= 0 {
			cell = c.cells[line]
		}
		if blank += 2; c.tight {
			blank--
		}
		pad := c.width - utf8.RuneCountInString(cell)
		if c.right {
			blank, pad = blank+pad, 0
		}
		if cell != "" {
			b.WriteString(strings.Repeat(" ", blank))
			b.WriteString(cell)
			blank = 0
		}
		blank += pad
	}
	b.WriteByte('\n')
}

func (o *outline) sizeColumns() []column {
	rows := column{title: "rows", right: true}
	weights := column{title: "weight", right: true}
	fractions := column{title: "fraction", right: true}
	differ := false
	var all []float64
	for _, n := range o.order {
		if o.t.Stats != nil {
			all = append(all, o.t.Stats.Weight[n])
			rows.cells = append(rows.cells, strconv.FormatUint(uint64(o.t.Stats.Rows[n]), 10))
			differ = differ || o.t.Stats.Weight[n] != float64(o.t.Stats.Rows[n])
		}
		if fraction, ok := o.fraction(n); ok {
			fractions.cells = append(fractions.cells, humanize.NarrowPercent(fraction))
		}
	}
	var columns []column
	if o.hasRows() {
		columns = append(columns, rows)
	}
	if differ && !zero(all) {
		weights.cells = fixedCells(all, o.digits)
		columns = append(columns, weights)
	}
	if o.mass != nil {
		columns = append(columns, fractions)
	}
	return columns
}

func (o *outline) predictionColumns() []column {
	arrow := column{cells: make([]string, len(o.order))}
	label := column{title: word(o.names.Label), tight: true}
	if o.names.Label == "" {
		label.title = "prediction"
	}
	for i, n := range o.order {
		if o.t.Kind(n) == tree.Leaf {
			arrow.cells[i] = "→"
		}
		label.cells = append(label.cells, o.prediction(n))
	}
	columns := []column{arrow, label}
	switch {
	case o.t.Leaf.Kind == tree.Scalar:
		columns[1].right = true
		columns[1].cells = o.valueCells(0)
		columns = append(columns, o.equationColumn()...)
	case o.t.Leaf.Kind == tree.Vector:
	case o.t.Leaf.Width <= mostClassColumns:
		for k := range o.t.Leaf.Width {
			columns = append(columns,
				column{title: o.names.class(k), right: true, cells: o.valueCells(k)})
		}
	default:
		top := column{title: "probabilities"}
		for _, n := range o.order {
			top.cells = append(top.cells, o.topProbabilities(n, 3))
		}
		columns = append(columns, top)
	}
	return columns
}

// valueCells writes position k of the nodes' values, "" where a node has none.
func (o *outline) valueCells(k int) []string {
	all := make([]float64, len(o.order))
	for i, n := range o.order {
		if all[i] = math.NaN(); o.value[n] != nil {
			all[i] = o.value[n][k]
		}
	}
	cells := fixedCells(all, o.digits)
	for i, n := range o.order {
		if o.value[n] == nil {
			cells[i] = ""
		}
	}
	return cells
}

func fixedCells(all []float64, digits int) []string {
	cells, places := make([]string, len(all)), humanize.Decimals(all, digits)
	for i, x := range all {
		cells[i] = humanize.Fixed(x, places, digits)
	}
	return cells
}

// equationColumn returns the column of equations, none where no node that is shown has one.
func (o *outline) equationColumn() []column {
	c, some := column{title: "equation"}, false
	for _, n := range o.order {
		text := o.equation(n, outlineWording(o.digits))
		c.cells, some = append(c.cells, text), some || text != ""
	}
	if !some {
		return nil
	}
	return []column{c}
}

func (o *outline) impurityColumn() []column {
	if o.t.Stats == nil {
		return nil
	}
	all := make([]float64, len(o.order))
	for i, n := range o.order {
		all[i] = o.t.Stats.Impurity[n]
	}
	if zero(all) {
		return nil
	}
	return []column{{title: o.names.impurity(), right: true, cells: fixedCells(all, o.digits)}}
}
