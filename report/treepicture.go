package report

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
)

// The sizes of a drawn tree, in pixels, and the number of nodes side by side.
const (
	cardWidth  = 172
	cardHeight = 78
	cardGap    = 14
	levelStep  = 124
	cardInset  = 8
	fontSpace  = 16 // fonts of some readers are wider than those that are measured
	barTop     = 46
	barHeight  = 24
	widestTree = 10 // of a single tree
	widestOf   = 6  // of each of several
)

var (
	splitStyle = svg.Style{Size: 12, Bold: true, Ink: svg.Ink}
	nodeStyle  = svg.Style{Size: 12, Ink: svg.Ink}
	edgeStyle  = svg.Style{Size: 12, Ink: svg.Faded}
)

// cardGround is the colour of nodes, and pathColour that of the path of a row.
const (
	cardGround svg.Colour = 0xf4f6f8
	pathColour            = svg.Above
)

func (r *treeReport) parts() []piece {
	words := fmt.Sprintf("%d of %s drawn, down to a few nodes.", len(r.Trees),
		humanize.Count(r.Total, "tree is", "trees are"))
	if r.Total == 1 {
		words = "The tree is drawn down to a few nodes."
	}
	if r.Rows != nil {
		words += " Small histograms are the labels of the rows of the table in each node."
		if r.Classes != nil {
			words = strings.Replace(words, "Small histograms", "Bars", 1)
		}
	}
	parts := []piece{paragraph("%s", words)}
	if r.Rows != nil && r.Classes != nil && len(r.Classes) <= 3*widestTree {
		var legend []piece
		for k, name := range r.Classes {
			legend = append(legend, el("li", swatch(k), name))
		}
		parts = append(parts, el("ul", class("legend"), legend))
	}
	for i := range r.Trees {
		d := r.layout(&r.Trees[i])
		title := fmt.Sprintf("Tree %d", d.Number+1)
		if d.Of != "" {
			title += " (" + d.Of + ")"
		}
		parts = append(parts, heading(title))
		if words := d.words(r); words != "" {
			parts = append(parts, paragraph("%s", words))
		}
		parts = append(parts, scrolled(title, "scroll viewer", d.svg(r, title)))
	}
	return parts
}

// pictured is a tree with the places of its drawn nodes.
type pictured struct {
	*drawnTree
	children [][]int
	leaves   []int // below each node
	open     []bool
	path     []int // of the first chosen row, from the root; nil = there is none
	x        []int // of drawn nodes, the left edge; -1 of others
	depth    []int // of all
	width    int   // of the whole
	deepest  int
}

// layout places nodes: those without drawn children side by side, others above the middle of these.
func (r *treeReport) layout(t *drawnTree) *pictured {
	n := len(t.Nodes)
	d := &pictured{drawnTree: t, children: make([][]int, n), leaves: make([]int, n),
		open: make([]bool, n), x: make([]int, n), depth: make([]int, n)}
	for i := range t.Nodes {
		d.x[i] = -1
		if p := t.Nodes[i].Parent; p >= 0 {
			d.children[p] = append(d.children[p], i)
			d.depth[i] = d.depth[p] + 1
		}
	}
	for i := n - 1; i >= 0; i-- {
		if d.children[i] == nil {
			d.leaves[i] = max(1, int(t.Nodes[i].Hidden))
		}
		if p := t.Nodes[i].Parent; p >= 0 {
			d.leaves[p] += d.leaves[i]
		}
	}
	most, side := widestOf, 1
	if r.Total == 1 {
		most = widestTree
	}
	byDepth := make([]int, n)
	for i := range byDepth {
		byDepth[i] = i
	}
	slices.SortStableFunc(byDepth, func(a, b int) int { return d.depth[a] - d.depth[b] })
	for _, i := range byDepth {
		parent := t.Nodes[i].Parent
		if more := len(d.children[i]) - 1; more >= 0 && (i == 0 || d.open[parent] && side+more <= most) {
			d.open[i] = true
			side += more
		}
	}
	if len(t.Ends) > 0 {
		for i := t.Ends[0]; i >= 0; i = t.Nodes[i].Parent {
			d.path = append([]int{i}, d.path...)
		}
	}
	d.place(0)
	d.width -= cardGap
	return d
}

func (d *pictured) place(i int) {
	d.deepest = max(d.deepest, d.depth[i])
	if !d.open[i] {
		d.x[i] = d.width
		d.width += cardWidth + cardGap
		return
	}
	below := d.children[i]
	for _, c := range below {
		d.place(c)
	}
	d.x[i] = (d.x[below[0]] + d.x[below[len(below)-1]]) / 2
}

// words describes the marked path.
func (d *pictured) words(r *treeReport) string {
	if d.path == nil {
		return ""
	}
	var conditions []string
	for _, i := range d.path[1:] {
		conditions = append(conditions, d.Nodes[i].Condition)
	}
	end := d.Nodes[d.path[len(d.path)-1]].Value
	if end != "" {
		end = " → " + end
	}
	return fmt.Sprintf("The marked path is that of row %d: %s%s.", r.Rows[0],
		strings.Join(conditions, "; "), end)
}

func (d *pictured) svg(r *treeReport, title string) piece {
	var b strings.Builder
	p := svg.NewPen(&b)
	w, h := d.width+8, d.deepest*levelStep+cardHeight+28
	fmt.Fprintf(p, "<svg class=\"tree\" width=\"%d\" height=\"%d\" viewBox=\"-4 -4 %d %d\" role=\"img\" "+
		"aria-label=\"%s\" font-family=\"%s\">\n", w, h, w, h, html.EscapeString(title+": "+
		humanize.Count(d.leaves[0], "leaf", "leaves")), svg.FontStack)
	for i := range d.Nodes {
		if d.x[i] >= 0 && i > 0 {
			d.edge(p, i)
		}
	}
	for i := range d.Nodes {
		if d.x[i] >= 0 {
			d.card(p, r, i)
		}
	}
	p.End()
	_ = p.Flush() // a builder takes all
	return piece(b.String())
}

// edge draws the line to a node from its parent, with the side that its rows take.
func (d *pictured) edge(p *svg.Pen, i int) {
	parent := d.Nodes[i].Parent
	x1, y1 := d.x[parent]+cardWidth/2, d.depth[parent]*levelStep+cardHeight
	x2, y2 := d.x[i]+cardWidth/2, d.depth[i]*levelStep
	colour, width := svg.Border, 2
	if slices.Contains(d.path, i) {
		colour, width = pathColour, 4
	}
	middle := (y1 + y2) / 2
	fmt.Fprintf(p, "<path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" stroke=\"%s\" stroke-width=\"%d\"/>\n",
		x1, y1, x1, middle, x2, middle, x2, y2, colour, width)
	words := d.Nodes[i].Condition
	if siblings := d.children[parent]; len(siblings) == 2 {
		words = []string{"yes", "no"}[slices.Index(siblings, i)]
	}
	p.Text(edgeStyle, (x1+2*x2)/3, y2-12, "middle", edgeStyle.Fit(words, cardWidth/2))
}

// card draws a node: what divides it or its value, its rows, and their labels.
func (d *pictured) card(p *svg.Pen, r *treeReport, i int) {
	node := &d.Nodes[i]
	x, y := d.x[i], d.depth[i]*levelStep
	edge := fmt.Sprintf(" rx=\"7\" stroke=\"%s\"", svg.Border)
	if slices.Contains(d.path, i) {
		edge = fmt.Sprintf(" rx=\"7\" stroke=\"%s\" stroke-width=\"3\"", pathColour)
	}
	p.WriteString("<g>")
	p.Element("title", d.about(r, i))
	p.Rect(svg.Tenths(10*x), svg.Tenths(10*y), 10*cardWidth, 10*cardHeight, cardGround, edge)
	first, second := node.Split, ""
	below := node.Value
	if node.Counts != nil && r.Classes == nil {
		below = "mean " + numberWords(node.Mean, 4)
	}
	if node.Rows > 0 {
		second = humanize.Count(node.Rows, "row", "rows")
	}
	switch {
	case first != "":
	case node.Value != "":
		first = node.Value
	case below != "":
		first = below
	default:
		first = "leaf"
	}
	if node.Split == "" && below != node.Value && below != "mean "+first {
		second = strings.TrimPrefix(second+", "+below, ", ")
	}
	inside := cardWidth - 2*cardInset - fontSpace
	p.Text(splitStyle, x+cardInset, y+18, "start", splitStyle.Fit(first, inside))
	p.Text(nodeStyle, x+cardInset, y+35, "start", nodeStyle.Fit(second, inside))
	d.labels(p, r, node, x+cardInset, y+barTop)
	if n := d.leaves[i]; !d.open[i] && n > 1 {
		p.Text(edgeStyle, x+cardWidth/2, y+cardHeight+15, "middle", fmt.Sprint(n, " leaves below"))
	}
	p.WriteString("</g>\n")
}

// about describes a node in full.
func (d *pictured) about(r *treeReport, i int) string {
	node := &d.Nodes[i]
	parts := []string{"root"}
	if node.Condition != "" {
		parts[0] = node.Condition
	}
	parts = append(parts, humanize.Count(node.Rows, "row", "rows"))
	if node.Value != "" {
		parts = append(parts, "value "+node.Value)
	}
	if node.Split != "" {
		parts = append(parts, "divided by "+node.Split)
	}
	return strings.Join(parts, ", ")
}

// labels draws the labels of the rows in a node: a bar of classes, or a histogram.
func (d *pictured) labels(p *svg.Pen, r *treeReport, node *node, x, y int) {
	const inside = 10 * (cardWidth - 2*cardInset)
	at, most := 0, 0
	for _, n := range node.Counts {
		most = max(most, n)
	}
	for k, n := range node.Counts {
		if n == 0 {
			continue
		}
		if r.Classes != nil {
			width := inside * n / node.Rows
			p.Rect(svg.Tenths(10*x+inside*at/node.Rows), svg.Tenths(10*y), svg.Tenths(max(1, width)),
				10*(barHeight-6), svg.ClassColour(k), "")
			at += n
			continue
		}
		step, height := inside/len(node.Counts), 10*barHeight*n/most
		p.Rect(svg.Tenths(10*x+k*step), svg.Tenths(10*(y+barHeight)-height), svg.Tenths(step-6),
			svg.Tenths(height), svg.Below, "")
	}
}
