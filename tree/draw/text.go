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

// mostOutline is the number of levels of an outline that was not given a depth.
const mostOutline = 200

// Text draws an outline: a line of headings, then one line per node with the words of the branch
// that leads to it (see Condition), its training rows and their fraction, its prediction ("→" at
// leaves), class weights or fractions, and its impurity. An equation (tree.Linear) stands beside
// the plain value. Columns that the tree cannot fill are left out. Last lines explain "or missing",
// if some branch says it, and the rule for missing values if it is special and that of all nodes. A
// special rule of one node stands below its line:
//
//	│  missing: divided                       among the branches, by their training weight
//	│  missing: stops here                    the value of the node is the answer
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
	order := v.preorder()
	columns := v.sizeColumns(order)
	columns = append(columns, v.predictionColumns(order)...)
	columns = append(columns, v.impurityColumn(order)...)
	for i := range columns {
		columns[i].measure()
	}
	b := bufio.NewWriter(w)
	v.writeOutline(b, order, columns, o.Surrogates)
	for _, note := range v.notes(order) {
		fmt.Fprintln(b, note)
	}
	return b.Flush()
}

// column is one column beside the outline, a cell per line.
type column struct {
	title string
	right bool // aligned to the right
	tight bool // one space from the column before it, not two
	cells []string
	width int
}

func (c *column) measure() {
	c.width = utf8.RuneCountInString(c.title)
	for _, cell := range c.cells {
		c.width = max(c.width, utf8.RuneCountInString(cell))
	}
}

// railWidth is what each level indents.
const railWidth = 3

// writeOutline writes the lines: the rails that show the shape of the tree, the words of the branch
// and the columns; below a node what there is to say of its missing values. Rails are made as lines
// are written; they are what a deep outline mostly consists of.
func (v *view) writeOutline(b *bufio.Writer, order []int32, columns []column, surrogates bool) {
	words, widest := v.outlineWords(order)
	parent := v.t.Parents()
	var open []bool // per level: more children of the last node above it are to come
	writeLine(b, columns, -1, widest)
	for i, n := range order {
		depth := int(v.depth[n])
		if open = append(open[:min(depth, len(open))], false); n > 0 {
			p := parent[n]
			open[depth] = n < v.t.Child(p)+v.t.Arity(p)-1
		}
		for level := 1; level <= depth; level++ {
			b.WriteString(rail(open[level], level == depth))
		}
		b.WriteString(words[i])
		writeLine(b, columns, i, widest-railWidth*depth-utf8.RuneCountInString(words[i]))
		if v.ends(n) {
			continue
		}
		for _, line := range v.remarks(n, surrogates) {
			for level := 1; level <= depth; level++ {
				b.WriteString(rail(open[level], false))
			}
			b.WriteString(rail(true, false) + line + "\n")
		}
	}
}

// remarks returns the lines below that of inner node n.
func (v *view) remarks(n int32, surrogates bool) []string {
	if v.missingRule(n) == ordinary {
		return nil
	}
	q := v.question(n, outlineWording(v.digits))
	var lines []string
	if surrogates && hasSurrogates(v.t, n) {
		for _, s := range v.surrogates(n, outlineWording(v.digits)) {
			lines = append(lines, "missing: "+s)
		}
		return append(lines, "missing: else "+v.fallback(n, q.branch))
	}
	if rule := v.ownRule(n, q.branch); rule != "" {
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

// outlineWords returns the words of the branches, and the width of the widest with its rails.
func (v *view) outlineWords(order []int32) (words []string, widest int) {
	w := outlineWording(v.digits)
	parent := v.t.Parents()
	for _, n := range order {
		line := "all rows"
		if n > 0 {
			q := v.question(parent[n], w)
			line = q.branch(n)
		}
		if v.stub(n) {
			line += " … " + humanize.Count(int(v.leaves[n]), "leaf", "leaves")
		}
		words = append(words, line)
		widest = max(widest, railWidth*int(v.depth[n])+utf8.RuneCountInString(line))
	}
	return words, widest
}

// writeLine writes the cells of a line, the titles for line -1, after blank spaces that are owed.
// No line ends in spaces.
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

func (v *view) sizeColumns(order []int32) []column {
	rows := column{title: "rows", right: true}
	weights := column{title: "weight", right: true}
	probabilities := column{title: "fraction", right: true}
	differ := false
	var all []float64
	for _, n := range order {
		if v.t.Stats != nil {
			all = append(all, v.t.Stats.Weight[n])
			rows.cells = append(rows.cells, strconv.FormatUint(uint64(v.t.Stats.Rows[n]), 10))
			differ = differ || v.t.Stats.Weight[n] != float64(v.t.Stats.Rows[n])
		}
		if s, ok := v.fraction(n); ok {
			probabilities.cells = append(probabilities.cells, humanize.NarrowPercent(s))
		}
	}
	var columns []column
	if v.hasRows() {
		columns = append(columns, rows)
	}
	if differ && !zero(all) {
		weights.cells = fixedCells(all, v.digits)
		columns = append(columns, weights)
	}
	if v.mass != nil {
		columns = append(columns, probabilities)
	}
	return columns
}

func (v *view) predictionColumns(order []int32) []column {
	arrow := column{cells: make([]string, len(order))}
	label := column{title: word(v.names.Label), tight: true}
	if v.names.Label == "" {
		label.title = "prediction"
	}
	for i, n := range order {
		if v.t.Kind(n) == tree.Leaf {
			arrow.cells[i] = "→"
		}
		label.cells = append(label.cells, v.prediction(n))
	}
	columns := []column{arrow, label}
	switch {
	case v.t.Leaf.Kind == tree.Scalar:
		columns[1].right = true
		columns[1].cells = v.valueCells(order, 0)
		columns = append(columns, v.equationColumn(order)...)
	case v.t.Leaf.Kind == tree.Vector:
	case v.t.Leaf.Width <= mostClassColumns:
		for k := range v.t.Leaf.Width {
			columns = append(columns, column{title: v.names.class(k), right: true, cells: v.valueCells(order, k)})
		}
	default:
		top := column{title: "probabilities"}
		for _, n := range order {
			top.cells = append(top.cells, v.topProbabilities(n, 3))
		}
		columns = append(columns, top)
	}
	return columns
}

// valueCells writes position k of the nodes' values, "" where a node has none.
func (v *view) valueCells(order []int32, k int) []string {
	all := make([]float64, len(order))
	for i, n := range order {
		if all[i] = math.NaN(); v.value[n] != nil {
			all[i] = v.value[n][k]
		}
	}
	cells := fixedCells(all, v.digits)
	for i, n := range order {
		if v.value[n] == nil {
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

// topProbabilities writes the largest class probabilities of a node, e.g. "E 45.1%, B 30.0%, +5
// more"; "more" counts classes with a fraction.
func (v *view) topProbabilities(n int32, most int) string {
	probabilities := v.classProbabilities(n)
	ranks := ranked(probabilities)
	var parts []string
	for i, k := range ranks {
		if i == most && len(ranks) > most+1 {
			parts = append(parts, "+"+strconv.Itoa(len(ranks)-most)+" more")
			break
		}
		parts = append(parts, v.names.class(k)+" "+humanize.NarrowPercent(probabilities[k]))
	}
	return strings.Join(parts, ", ")
}

func (v *view) impurityColumn(order []int32) []column {
	if v.t.Stats == nil {
		return nil
	}
	all := make([]float64, len(order))
	for i, n := range order {
		all[i] = v.t.Stats.Impurity[n]
	}
	if zero(all) {
		return nil
	}
	return []column{{title: v.names.impurity(), right: true, cells: fixedCells(all, v.digits)}}
}
