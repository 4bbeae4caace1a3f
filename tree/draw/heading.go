package draw

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

var (
	headStyle     = svg.Style{Size: 20, Bold: true, Ink: svg.Ink}
	subtitleStyle = svg.Style{Size: 12, Ink: svg.Faded}
	legendStyle   = svg.Style{Size: 12, Ink: svg.Ink}
)

const (
	mostLegend = 40  // classes in the legend
	itemSpace  = 180 // of one name
	swatch     = 12
	legendLine = 20
)

// heading stands above the tree: the label, the tree in numbers, and the legend.
type heading struct {
	title, subtitle string
	items           []item
	w, h            int
}

// item is one entry of the legend.
type item struct {
	text string
	fill svg.Colour
	mark bool // has a swatch
	x, y int
}

// heading returns the heading, its legend broken into lines of at most space pixels.
func (p *picture) heading(space int) heading {
	h := heading{title: title(p.title, cmp.Or(p.names.Label, "Decision tree")), subtitle: p.summary()}
	space = max(space, min(subtitleStyle.Width(h.subtitle), 900))
	h.title = headStyle.Fit(h.title, space)
	h.subtitle = subtitleStyle.Fit(h.subtitle, space)
	h.w = max(headStyle.Width(h.title), subtitleStyle.Width(h.subtitle))
	h.items = p.legend()
	x, y := 0, 62
	for i := range h.items {
		it := &h.items[i]
		it.text = legendStyle.Fit(it.text, itemSpace)
		w := legendStyle.Width(it.text)
		if it.mark {
			w += swatch + 6
		}
		if x > 0 && x+w > space {
			x, y = 0, y+legendLine
		}
		it.x, it.y = x, y
		h.w = max(h.w, x+w)
		x += w + 18
	}
	h.h = 58
	if len(h.items) > 0 {
		h.h = y + 24
	}
	return h
}

// summary describes the tree in numbers, e.g. "5 leaves · depth 3 · 150 rows · gini 0.6667".
func (p *picture) summary() string {
	text := humanize.Count(p.t.NumLeaves(), "leaf", "leaves")
	deepest := int32(0)
	for _, d := range p.depth {
		deepest = max(deepest, d)
	}
	if deepest > p.limit {
		text += ", drawn to depth " + humanize.Number(float64(p.limit), 9) + " of " +
			humanize.Number(float64(deepest), 9)
	} else {
		text += " · depth " + humanize.Number(float64(deepest), 9)
	}
	if size := p.size(0); size != "" {
		text += " · " + size
	}
	if s := p.t.Stats; s != nil && !zero(s.Impurity) {
		text += " · " + p.names.impurity() + " " + humanize.Number(s.Impurity[0], p.digits)
	}
	return text
}

// legend returns the classes with their colours, or the sides of the axis of numbers.
func (p *picture) legend() []item {
	switch {
	case p.t.Leaf.Kind == tree.Counts:
		return p.classLegend()
	case p.t.Leaf.Kind == tree.Vector, !(p.scale.high > p.scale.low):
		return nil
	}
	ref := "0"
	if p.value[0] != nil {
		ref = humanize.Number(p.scale.ref, p.digits) + " (all rows)"
	}
	span := "axis " + humanize.Number(p.scale.low, p.digits) + " to " +
		humanize.Number(p.scale.high, p.digits)
	return []item{{text: "below " + ref, fill: svg.Below, mark: true},
		{text: "above", fill: svg.Above, mark: true}, {text: span}}
}

func (p *picture) classLegend() []item {
	width := p.t.Leaf.Width
	classes := make([]int, width)
	for k := range classes {
		classes[k] = k
	}
	if probabilities := p.classProbabilities(0); width > mostLegend {
		if probabilities != nil {
			slices.SortStableFunc(classes, func(a, b int) int {
				return cmp.Compare(probabilities[b], probabilities[a])
			})
		}
		classes = classes[:mostLegend]
	}
	var items []item
	for _, k := range classes {
		items = append(items, item{text: p.names.class(k), fill: svg.ClassColour(k), mark: true})
	}
	if width > len(svg.OkabeIto) {
		items = append(items, item{text: "others", fill: svg.Rest, mark: true})
	}
	if width > mostLegend {
		items = append(items,
			item{text: "+" + humanize.Number(float64(width-mostLegend), 9) + " more classes"})
	}
	return items
}

func (h *heading) draw(out *svg.Pen) {
	out.Text(headStyle, margin, margin+18, "start", h.title)
	out.Text(subtitleStyle, margin, margin+38, "start", h.subtitle)
	for _, it := range h.items {
		x, y := margin+it.x, margin+it.y
		if it.mark {
			out.Rect(svg.Tenths(10*x), svg.Tenths(10*(y-10)), 10*swatch, 10*swatch,
				it.fill, ` rx="2"`)
			x += swatch + 6
		}
		out.Text(legendStyle, x, y, "start", it.text)
	}
}

// footnotes returns the sentences below the picture that explain its marks, numbers and edges.
func (p *picture) footnotes() []string {
	notes := p.view.notes(p.order)
	key := ""
	switch {
	case p.hasRows():
		key = "Numbers: training rows and their fraction of all. "
	case p.mass != nil:
		key = "Percentages: fraction of the training weight. "
	}
	if p.mass != nil && p.t.Kind(0) != tree.Leaf {
		key += "Edges are as wide as their fraction."
	}
	if key != "" {
		notes = append(notes, key)
	}
	return notes
}
