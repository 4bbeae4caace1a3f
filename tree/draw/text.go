package draw

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

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
	lines := outline{view: v, order: v.preorder(), listSurrogates: o.Surrogates,
		width: o.Width}
	columns := lines.sizeColumns()
	columns = append(columns, lines.predictionColumns()...)
	columns = append(columns, lines.impurityColumn()...)
	for i := range columns {
		columns[i].setWidth()
	}
	columns, dropped := lines.fit(columns)
	b := bufio.NewWriter(w)
	lines.write(b, columns)
	for _, note := range v.notes(lines.order) {
		fmt.Fprintln(b, note)
	}
	if dropped != nil {
		fmt.Fprintf(b, "Without room for: %s.\n", strings.Join(dropped, ", "))
	}
	return b.Flush()
}

// outline is a drawing of Text.
type outline struct {
	*view
	order          []int32 // the nodes, one line each
	listSurrogates bool
	width          int // the most characters of a line; 0: any number
	branches       int // the most characters of a branch with its rails; 0: any number
}

// The least characters of branches with their rails: beside columns that may be left out, and
// beside those of the prediction. Titles of other columns are shortened first.
const (
	shortTitle    = 10
	easyBranches  = 50
	leastBranches = 20
)

// fit makes lines of Options.Width characters. It narrows the branches, then leaves out columns,
// and returns the others and the titles of those that it left out.
func (o *outline) fit(columns []column) (fitting []column, dropped []string) {
	_, widest := o.branchWords()
	room := func() int {
		width := o.width
		for i := range columns {
			if width -= columns[i].width + 2; columns[i].tight {
				width++
			}
		}
		return width
	}
	if o.width <= 0 || widest <= room() {
		return columns, nil
	}
	for i := len(columns) - 1; !columns[i].tight && min(widest, easyBranches) > room(); i-- {
		columns[i].title = humanize.ShortenMiddle(columns[i].title, shortTitle)
		columns[i].setWidth()
	}
	for min(widest, easyBranches) > room() {
		last := &columns[len(columns)-1]
		if last.tight { // the prediction
			break
		}
		dropped = append([]string{last.title}, dropped...)
		columns = columns[:len(columns)-1]
	}
	o.branches = max(leastBranches, room())
	return columns, dropped
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
		line, stub := "all rows", ""
		if n > 0 {
			q := o.question(parent[n], w)
			line = q.branch(n)
		}
		if o.stub(n) {
			stub = " … " + humanize.Count(int(o.leaves[n]), "leaf", "leaves")
		}
		if o.branches > 0 {
			room := o.branches - railWidth*int(o.depth[n]) - utf8.RuneCountInString(stub)
			line = humanize.Shorten(line, max(leastBranches/2, room))
		}
		line += stub
		words = append(words, line)
		widest = max(widest, railWidth*int(o.depth[n])+utf8.RuneCountInString(line))
	}
	return words, widest
}
