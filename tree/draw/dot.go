package draw

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

// DOT writes the tree for Graphviz. Inner nodes hold a question, and their rule for missing values
// where the branches cannot show it (see Text). The branches are marked "yes" and "no" or with a
// level, and with "missing" under the conditions of Condition. Every node has its rows and their
// fraction, its prediction, the largest class probabilities and its impurity, as far as the tree
// stores them.
//
// The fill of a node is the colour of its prediction: for numbers blue below the root's value and
// orange above. Its tooltip is the full text. A dashed box stands for a subtree below
// Options.MaxDepth. Edges are wider where more rows take them.
func DOT(w io.Writer, t *tree.Tree, names Names, o Options) error {
	v, err := newView(t, names, o)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	order := v.yesFirst()
	fmt.Fprintf(b, "digraph tree {\n")
	if cmp.Or(o.Title, names.Label) != "" {
		fmt.Fprintf(b, "  graph [label=%s, labelloc=t, fontname=\"Helvetica,Arial,sans-serif\"];\n",
			dotText(title(o.Title, names.Label)))
	}
	fmt.Fprintf(b,
		"  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"%s\", "+
			"fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, fontcolor=\"%s\"];\n",
		svg.Faded, svg.Ink)
	fmt.Fprintf(b,
		"  edge [color=\"%s\", fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, "+
			"fontcolor=\"%s\", arrowhead=none];\n", svg.Ribbon, svg.Faded)
	scale := v.scale(order)
	for _, n := range order {
		v.dotNode(b, n, scale)
	}
	if notes := v.notes(order); notes != nil {
		fmt.Fprintf(b, "  note [shape=plaintext, style=\"\", label=%s];\n",
			dotText(strings.Join(notes, "\n")))
	}
	b.WriteString("}\n")
	return b.Flush()
}

func (v *view) dotNode(b *bufio.Writer, n int32, s scale) {
	c, strength := v.accent(n, s)
	style := ""
	if v.stub(n) {
		style = `, style="rounded,filled,dashed"`
	}
	fmt.Fprintf(b, "  n%d [label=%s, fillcolor=\"%s\"%s, tooltip=%s];\n", n,
		dotText(strings.Join(v.dotLines(n), "\n")), svg.Tint(c, 5+strength*45/100), style,
		dotText(v.tooltip(n)))
	if v.ends(n) {
		return
	}
	q := v.question(n, briefWording(v.digits))
	for _, child := range v.answers(n) { // Graphviz keeps their order
		width := 1.0
		if fraction, ok := v.fraction(child); ok {
			width += math.Round(60*fraction) / 10
		}
		fmt.Fprintf(b, "  n%d -> n%d [label=%s, penwidth=%s];\n", n, child,
			dotText(q.answer(child)), humanize.Number(width, 3))
	}
}

// dotLines returns the lines of text in a box.
func (v *view) dotLines(n int32) []string {
	var lines []string
	add := func(line string) {
		if line != "" {
			lines = append(lines, line)
		}
	}
	switch {
	case v.stub(n):
		add("… " + humanize.Count(int(v.leaves[n]), "leaf", "leaves"))
	case !v.ends(n):
		q := v.question(n, briefWording(v.digits))
		add(q.text())
		add(v.missing.own(n, q.answer))
	}
	if v.ends(n) || v.classProbabilities(n) == nil {
		add(v.prediction(n))
		if v.hasEquation(n) {
			add("else " + humanize.Number(v.value[n][0], v.digits))
		}
	}
	if fraction, ok := v.fraction(n); ok {
		add(v.size(n) + " (" + humanize.NarrowPercent(fraction) + ")")
	}
	add(v.topProbabilities(n, 3))
	if s := v.t.Stats; s != nil && !zero(s.Impurity) {
		add(v.names.impurity() + " " + humanize.Number(s.Impurity[n], v.digits))
	}
	return lines
}

// briefWording is for pictures, where a question stands in a box.
func briefWording(digits int) wording {
	return wording{le: "≤", digits: digits, levels: 4, runes: 32}
}

// dotText writes a quoted string of the DOT language. Graphviz itself reads backslash escapes and
// HTML entities inside labels, so both are taken from the text; control characters become spaces.
func dotText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '&':
			b.WriteString("&amp;")
		case r == '\n':
			b.WriteString(`\n`)
		case unicode.IsControl(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
