package draw

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// Rule is an if-then rule in words.
type Rule struct {
	Number int      // what it is called
	If     []string // its conditions (TermWords); all must hold; none: the rule always applies
	Then   string   // what it concludes
	Facts  []string // numbers about it, one for each column of WriteRules
}

// Rules writes a rule for each leaf: the conditions of its branches, joined where they bound the
// same feature. A line has the number of the leaf, what it predicts, its training rows and, of
// classes, the fraction of them that has the predicted class. An equation is followed by the plain
// value that stands in for it.
//
//	rule  species     rows   right  if
//	   1  setosa        50  100.0%  petal_length <= 2.45
//	   3  versicolor    54   90.7%  petal_length > 2.45 and petal_width <= 1.75
//	   4  virginica     46   97.8%  petal_length > 2.45 and petal_width > 1.75
func Rules(w io.Writer, t *tree.Tree, names Names, o Options) error {
	v, err := newView(t, names, o)
	if err != nil {
		return err
	}
	if o.MaxDepth <= 0 {
		v.limit = mostOutline
	}
	columns := []string{}
	if v.hasRows() {
		columns = append(columns, "rows")
	}
	if t.Leaf.Kind == tree.Counts {
		columns = append(columns, "right")
	}
	order := v.preorder()
	rules := v.rules(order)
	if err := WriteRules(w, names.Label, columns, rules); err != nil {
		return err
	}
	for _, note := range v.notes(order) {
		if _, err := io.WriteString(w, note+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// RulesOf returns the rules that Rules writes of the whole tree, as data.
func RulesOf(t *tree.Tree, names Names) ([]Rule, error) {
	v, err := newView(t, names, Options{})
	if err != nil {
		return nil, err
	}
	return v.rules(v.preorder()), nil
}

// rules returns a rule for each node that ends a branch.
func (v *view) rules(order []int32) []Rule {
	t := v.t
	paths := make([][]Term, t.Len())
	var rules []Rule
	for _, n := range order {
		if v.ends(n) {
			rules = append(rules, v.rule(n, paths[n]))
			continue
		}
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			paths[c] = append(paths[n][:len(paths[n]):len(paths[n])], v.branchTerm(n, c))
		}
		paths[n] = nil
	}
	return rules
}

// rule describes a leaf, or a node that stands for a subtree.
func (v *view) rule(n int32, path []Term) Rule {
	r := Rule{Number: int(n), If: TermWords(v.names, path), Then: v.prediction(n)}
	if v.hasEquation(n) {
		r.Then += ", else " + humanize.Number(v.value[n][0], v.digits)
	}
	if v.stub(n) {
		r.Then += " … " + humanize.Count(int(v.leaves[n]), "leaf", "leaves")
	}
	if v.hasRows() {
		r.Facts = append(r.Facts, strconv.Itoa(int(v.t.Stats.Rows[n])))
	}
	if v.t.Leaf.Kind != tree.Counts {
		return r
	}
	right := ""
	if probabilities := v.classProbabilities(n); probabilities != nil &&
		(!v.hasRows() || v.t.Stats.Rows[n] > 0) {
		right = humanize.NarrowPercent(probabilities[v.names.Costs.Label(probabilities)])
	}
	r.Facts = append(r.Facts, right)
	return r
}

// branchTerm is the condition of the branch from inner node n to child c.
func (v *view) branchTerm(n, c int32) Term {
	t := v.t
	plain := t.Kind(n) == tree.Numeric && !testsMissing(t, n) && unusual(t, n, &v.names) != c
	switch {
	case plain && c == t.Child(n):
		return BelowTerm(t.Feature(n), t.SplitPoint(n))
	case plain:
		return AboveTerm(t.Feature(n), t.SplitPoint(n))
	}
	return Term{Words: Condition(t, n, c, v.names), Feature: t.Feature(n)}
}

const (
	ruleWidth      = 110 // at which the conditions of a rule are continued on the next line
	mostConclusion = 40  // characters of a conclusion
)

// WriteRules writes rules one below the other: number, conclusion, facts and conditions. columns
// are the titles of the facts, and label that of the conclusions ("": prediction). A rule without
// conditions reads "otherwise", or "always" if it is the only one.
func WriteRules(w io.Writer, label string, columns []string, rules []Rule) error {
	cells := []column{{title: "rule", right: true}, {title: "prediction"}}
	if label != "" {
		cells[1].title = truncate(word(label), mostConclusion)
	}
	for _, c := range columns {
		cells = append(cells, column{title: c, right: true})
	}
	for _, r := range rules {
		for k, text := range append([]string{strconv.Itoa(r.Number),
			truncate(r.Then, mostConclusion)}, r.Facts...) {
			cells[k].cells = append(cells[k].cells, text)
		}
	}
	indent := 0
	for i := range cells {
		cells[i].setWidth()
		indent += cells[i].width + 2
	}
	b := bufio.NewWriter(w)
	writeCells(b, cells, -1)
	b.WriteString("if\n")
	for i, r := range rules {
		writeCells(b, cells, i)
		words := r.If
		switch {
		case len(words) == 0 && len(rules) == 1:
			words = []string{"always"}
		case len(words) == 0:
			words = []string{"otherwise"}
		}
		writeConditions(b, words, indent)
	}
	return b.Flush()
}

// writeCells writes the columns before the conditions, of line -1 their titles.
func writeCells(b *bufio.Writer, cells []column, line int) {
	for _, c := range cells {
		text := c.title
		if line >= 0 {
			text = c.cells[line]
		}
		space := strings.Repeat(" ", c.width-utf8.RuneCountInString(text))
		if c.right {
			text = space + text
		} else {
			text += space
		}
		b.WriteString(text + "  ")
	}
}

// writeConditions joins words with "and", going to the next line where the width ends.
func writeConditions(b *bufio.Writer, words []string, indent int) {
	at := indent
	for i, text := range words {
		if i > 0 {
			text = "and " + text
			if at+1+utf8.RuneCountInString(text) > ruleWidth {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = indent
			} else {
				b.WriteByte(' ')
				at++
			}
		}
		b.WriteString(text)
		at += utf8.RuneCountInString(text)
	}
	b.WriteByte('\n')
}
