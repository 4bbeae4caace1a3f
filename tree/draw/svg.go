package draw

import (
	"io"
	"slices"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

const (
	margin    = 24
	edgeWidth = 160 // of the edge that all rows take, in tenths of a pixel
	thinEdge  = 15
	noteLine  = 16
)

var noteStyle = svg.Style{Size: 11, Ink: svg.Faded}

// SVG draws the tree as one picture without external files: a heading with the legend, a card per
// node, and edges that are marked with the answers. An edge is as wide as its fraction of rows.
// The branch of yes is always to the left, or above in a tree that grows to the right.
//
// A card of an inner node holds its question, and its rule for missing values where the branches
// cannot show it (see Text). A card of a leaf holds its prediction. Below stand the class
// probabilities as a stacked bar, the training rows and their fraction. For numbers the bar goes
// from the root's value, blue to the lower side and orange to the higher. The colours differ for
// every kind of colour vision. Texts that do not fit end in an ellipsis; pointing at a card shows
// them in full.
//
// The tree grows down or to the right, whichever fills a 16:9 slide better. Without
// Options.MaxDepth, a tree of more than 64 leaves or 24 levels ends at the depth that still fits.
// Cards with a dashed border there count the leaves below.
func SVG(w io.Writer, t *tree.Tree, names Names, o Options) error {
	v, err := newView(t, names, o)
	if err != nil {
		return err
	}
	if o.MaxDepth <= 0 {
		v.limit = v.readableDepth()
	}
	p := newPicture(v, &o)
	out := svg.NewPen(w)
	p.draw(out)
	return out.Flush()
}

// picture is a drawing of SVG: the cards, what stands above and below them, and all positions.
type picture struct {
	*view
	order  []int32
	title  string
	parent []int // by position in order
	cards  []card
	scale  scale
	head   heading
	right  bool // the tree grows to the right
	gap    int  // between levels, where edges bend and marks stand
	levels int  // width of the widest mark that is a level, 0 if there is none
	notes  []string
	path   []bool // nodes that are marked
	w, h   int
}

func newPicture(v *view, o *Options) *picture {
	p := &picture{view: v, order: v.yesFirst(), title: o.Title, path: make([]bool, v.t.Len())}
	p.scale = v.scale(p.order)
	for _, n := range p.order {
		p.cards = append(p.cards, p.card(n))
	}
	if o.Rows != nil {
		var rows []*histogram
		rows, p.path = v.reach(o.Rows)
		for i, n := range p.order {
			p.cards[i].rows = rows[n]
		}
	}
	sizeCards(p.cards, p.nodes)
	w, h := p.place()
	p.notes = append(p.footnotes(), o.Rows.notes()...)
	p.head = p.heading(max(w, 420))
	p.w = max(w, p.head.w) + 2*margin
	for _, note := range p.notes {
		p.w = max(p.w, noteStyle.Width(note)+2*margin)
	}
	left, top := (p.w-w)/2, margin+p.head.h
	for i := range p.cards {
		p.cards[i].x += left
		p.cards[i].y += top
	}
	p.h = top + h + margin + noteLine*len(p.notes)
	return p
}

// place lays the cards out, from 0, in the direction that fills a 16:9 page better, and returns the
// size of the whole.
func (p *picture) place() (w, h int) {
	s := p.shape()
	p.parent = s.parent
	p.levels = p.widestLevel()
	down := make([]box, len(p.cards))
	for i := range p.cards {
		down[i] = p.cards[i].box
	}
	right := slices.Clone(down)
	gap, gapRight := spacing{sibling: 14, cousin: 22, level: 52},
		spacing{sibling: 8, cousin: 12, level: p.markSpace()}
	if p.levels > 0 {
		gap.level += markHigh
	}
	w, h = tidy(down, s, gap, false)
	wr, hr := tidy(right, s, gapRight, true)
	boxes := down
	p.gap = gap.level
	if max(9*wr, 16*hr) < max(9*w, 16*h) {
		p.right, p.gap, boxes, w, h = true, gapRight.level, right, wr, hr
	}
	for i := range p.cards {
		p.cards[i].box = boxes[i]
	}
	return w, h
}

func (p *picture) shape() shape {
	parents := p.t.Parents()
	at := make([]int, p.t.Len())
	s := shape{parent: make([]int, len(p.order)), level: make([]int, len(p.order))}
	for i, n := range p.order {
		at[n] = i
		s.parent[i], s.level[i] = -1, int(p.depth[n])
		if i > 0 {
			s.parent[i] = at[parents[n]]
		}
	}
	return s
}

// markSpace returns the distance between levels of a tree that grows to the right. The widest mark
// of a branch fits into it, or the widest level with the bend before it.
func (p *picture) markSpace() int {
	space := markStyle.Width("yes") + 28
	if missing, _ := p.exceptions(p.order); missing {
		space = markStyle.Width("yes, missing") + 28
	}
	if p.levels > 0 {
		space = max(space, p.levels+markPad+markGap+bendSpace)
	}
	return space
}

// widestLevel returns the width of the widest mark that is a level, 0 if there is none.
func (p *picture) widestLevel() int {
	width := 0
	for i, n := range p.order {
		if i == 0 || p.t.Kind(p.order[p.parent[i]]) != tree.ByCode {
			continue
		}
		q := p.question(p.order[p.parent[i]], briefWording(p.digits))
		width = max(width, markStyle.Width(shortAnswer(&q, n, mostMark)))
	}
	return width
}

// levelSpace returns the pixels that the branches of a node need for their levels at the children's
// side, 0 if they are marked yes and no.
func (p *picture) levelSpace(n int32) int {
	switch {
	case p.t.Kind(n) != tree.ByCode:
		return 0
	case p.right:
		return p.levels + markPad + markGap
	}
	return markHigh + 2*markGap
}

func (p *picture) draw(out *svg.Pen) {
	out.Begin(p.w, p.h, p.head.title, p.description())
	p.head.draw(out)
	for i := 1; i < len(p.cards); i++ {
		p.drawEdge(out, i)
	}
	for i := 1; i < len(p.cards); i++ {
		p.drawMark(out, i)
	}
	for i := range p.cards {
		p.drawCard(out, &p.cards[i])
	}
	for i, note := range p.notes {
		out.Text(noteStyle, margin, p.h-margin/2-noteLine*(len(p.notes)-1-i), "start", note)
	}
	out.End()
}

// description describes the picture in words, for readers who use a screen reader.
func (p *picture) description() string {
	d := p.head.subtitle + "."
	if p.t.Kind(0) != tree.Leaf {
		q := p.question(0, briefWording(p.digits))
		d += " The first question is: " + q.text() + "."
	}
	return d
}
