package draw

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// mostClassColumns is the number of classes up to which each gets a column of its own.
const mostClassColumns = 5

// mostOutline is the number of levels of an outline without Options.MaxDepth.
const mostOutline = 200

// Text draws an outline: a line of headings, then one line per node. A line has the words of the
// branch to the node (see Condition), its training rows and their fraction. Its prediction (after
// "→" at leaves), class weights or probabilities, and impurity follow. An equation (tree.Linear)
// stands beside the plain value. Columns that the tree cannot fill are left out.
//
// Lines at the end explain "or missing" where a branch has it, and a special rule for missing
// values that all nodes have. A special rule of one node stands below its line:
//
//	│  missing: divided                       among the branches, by their training weight
//	│  missing: stops here                    the prediction is that of the node
//	│  missing: surrogates, then age > 30     which Options.Surrogates lists
//
// An example:
//
//	                             rows  fraction    species     setosa  versicolor  virginica    gini
//	all rows                      150    100.0%    setosa          50          50         50  0.6667
//	├─ petal_length <= 2.45        50     33.3%  → setosa          50           0          0  0.0000
//	└─ petal_length > 2.45        100     66.7%    versicolor       0          50         50  0.5000
func Text(w io.Writer, t *tree.Tree, names Names, o Options) error {
	v, err := newView(t, names, o)
	if err != nil {
		return err
	}
	if o.MaxDepth <= 0 {
		v.limit = mostOutline
	}
	lines := outline{view: v, order: v.preorder(), listSurrogates: o.Surrogates}
	columns := lines.sizeColumns()
	columns = append(columns, lines.predictionColumns()...)
	columns = append(columns, lines.impurityColumn()...)
	for i := range columns {
		columns[i].setWidth()
	}
	b := bufio.NewWriter(w)
	lines.write(b, columns)
	for _, note := range v.notes(lines.order) {
		fmt.Fprintln(b, note)
	}
	return b.Flush()
}

// outline is a drawing of Text.
type outline struct {
	*view
	order          []int32 // the nodes, one line each
	listSurrogates bool
}

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

// railWidth is what each level indents.
const railWidth = 3

// write writes the lines: the rails that show the shape of the tree, the words of the branch and
// the columns. Below a node stand the lines about its missing values. Rails are made as lines are
// written, since they are most of a deep outline.
func (o *outline) write(b *bufio.Writer, columns []column) {
	words, widest := o.branchWords()
	parent := o.t.Parents()
	var open []bool // per level: more children of the last node above it are to come
	writeLine(b, columns, -1, widest)
	for i, n := range o.order {
		depth := int(o.depth[n])
		if open = append(open[:min(depth, len(open))], false); n > 0 {
			p := parent[n]
			open[depth] = n < o.t.Child(p)+o.t.Arity(p)-1
		}
		for level := 1; level <= depth; level++ {
			b.WriteString(rail(open[level], level == depth))
		}
		b.WriteString(words[i])
		writeLine(b, columns, i, widest-railWidth*depth-utf8.RuneCountInString(words[i]))
		if o.ends(n) {
			continue
		}
		for _, line := range o.remarks(n) {
			for level := 1; level <= depth; level++ {
				b.WriteString(rail(open[level], false))
			}
			b.WriteString(rail(true, false) + line + "\n")
		}
	}
}

// remarks returns the lines about missing values below the line of inner node n.
func (o *outline) remarks(n int32) []string {
	if o.missing.rule(n) == ordinary {
		return nil
	}
	q := o.question(n, outlineWording(o.digits))
	var lines []string
	if o.listSurrogates && hasSurrogates(o.t, n) {
		for _, s := range o.surrogates(n, outlineWording(o.digits)) {
			lines = append(lines, "missing: "+s)
		}
		return append(lines, "missing: else "+o.missing.fallback(n, q.branch))
	}
	if rule := o.missing.own(n, q.branch); rule != "" {
		lines = append(lines, rule)
	}
	return lines
}

func outlineWording(digits int) wording {
	return wording{le: "<=", digits: digits, levels: 6, runes: 48}
}

func rail(open, here bool) string {
	switch {
	case open && here:
		return "├─ "
	case here:
		return "└─ "
	case open:
		return "│  "
	}
	return "   "
}

// branchWords returns the words of the branches, and the width of the widest with its rails.
func (o *outline) branchWords() (words []string, widest int) {
	w := outlineWording(o.digits)
	parent := o.t.Parents()
	for _, n := range o.order {
		line := "all rows"
		if n > 0 {
			q := o.question(parent[n], w)
			line = q.branch(n)
		}
		if o.stub(n) {
			line += " … " + humanize.Count(int(o.leaves[n]), "leaf", "leaves")
		}
		words = append(words, line)
		widest = max(widest, railWidth*int(o.depth[n])+utf8.RuneCountInString(line))
	}
	return words, widest
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
