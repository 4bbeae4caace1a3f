package draw

import (
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

// The layout of a card, in pixels:
//
//	┌──────────────────────────────────────┐
//	│▌ title                        remark │  question and value, or prediction and its probability
//	│▌ ██████░░░░                     meta │  bar, rows and their fraction
//	└──────────────────────────────────────┘
//
// Where a question is too long for its level, the inner cards of that level have feature and
// predicate in two rows. A rule for missing values that the branches cannot show has a row of its
// own at the foot.
const (
	padding   = 9
	stripe    = 4 // in the colour of the prediction, at the left edge of ends
	rowTitle  = 17
	rowMeta   = 34 // base lines
	rowMore   = 15 // what a predicate in its own row adds, and a rule
	rowRule   = 9  // base line above the lower edge
	oneRow    = 26 // heights of a card
	twoRows   = 43
	barTop    = 25
	barHeight = 10
	leastBar  = 56
	namesBar  = 96 // the least where segments have names in them
	textGap   = 8  // between texts of one row
	leastCard = 96
	mostCard  = 270
	mostWide  = 380 // of cards of an Oblique or Sphere node, which names several features
)

var (
	titleStyle  = svg.Style{Size: 12, Bold: true, Ink: svg.Ink}
	moreStyle   = svg.Style{Size: 12, Ink: svg.Ink}
	remarkStyle = svg.Style{Size: 11, Ink: svg.Faded}
	metaStyle   = svg.Style{Size: 11, Ink: svg.Faded}

	segmentStyle = svg.Style{Size: 9, Bold: true, Ink: svg.Ink} // of names on bars
)

// card is one node of the picture. Ends are leaves and stubs.
type card struct {
	node             int32
	title, predicate string // of inner nodes the feature and its test
	remark, meta     string
	rule             string // for missing values, where the branches cannot show it
	ends, stub, bar  bool
	split            bool // the predicate has its own row
	most             int  // width
	barWidth         int
	rows             *histogram // nil: there is none
	rowsAt           int        // where it begins, below the upper edge
	box
}

func (p *picture) card(n int32) card {
	c := card{node: n, ends: p.ends(n), stub: p.stub(n), most: mostCard}
	kind, value := p.t.Leaf.Kind, p.value[n]
	probabilities := p.classProbabilities(n)
	c.bar = probabilities != nil || kind == tree.Scalar && value != nil
	prediction := p.prediction(n)
	switch {
	case !c.ends:
		q := p.question(n, briefWording(p.digits))
		c.title = q.subject
		if p.t.Kind(n) == tree.Oblique || p.t.Kind(n) == tree.Sphere {
			c.most = mostWide
			c.title = p.short(n, titleStyle, mostWide-2*padding, func(q *question) string {
				return q.subject
			})
		}
		c.predicate = p.short(n, moreStyle, mostCard-2*padding, (*question).predicate)
		c.rule = p.missing.own(n, q.answer)
	case c.stub:
		c.title = "… " + humanize.Count(int(p.leaves[n]), "leaf", "leaves")
	default:
		c.title, prediction = prediction, ""
	}
	switch {
	case c.ends && !c.stub && p.hasEquation(n):
		c.remark = "else " + humanize.Number(value[0], p.digits)
	case kind == tree.Scalar:
		c.remark = prediction
	case c.ends && probabilities != nil:
		c.remark = humanize.NarrowPercent(probabilities[p.names.Costs.Label(probabilities)])
		if c.stub {
			c.remark = prediction + " " + c.remark
		}
	}
	if fraction, ok := p.fraction(n); ok {
		c.meta = humanize.NarrowPercent(fraction)
		if p.hasRows() {
			c.meta = strconv.FormatUint(uint64(p.t.Stats.Rows[n]), 10) + " · " + c.meta
		}
	}
	return c
}

// short returns a piece of the question of inner node n in at most space pixels: with as many
// levels or terms as fit, or with one that is shortened.
func (p *picture) short(n int32, s svg.Style, space int, piece func(*question) string) string {
	w := briefWording(p.digits)
	for {
		q := p.question(n, w)
		text := piece(&q)
		switch {
		case s.Width(text) <= space || w.each == leastLevel:
			return s.Fit(text, space)
		case w.levels > 1:
			w.levels--
		case w.each == 0:
			w.each = 24
		default:
			w.each--
		}
	}
}

// leastLevel is the number of characters that a level is not shortened below.
const leastLevel = 6

// tooltip returns all that the tree stores of a node. Pointing at its card shows it.
func (v *view) tooltip(n int32) string {
	var lines []string
	if !v.ends(n) {
		w := wording{le: "≤", digits: v.digits, levels: 100, runes: 2000}
		q := v.question(n, w)
		lines = append(lines, q.text())
		if rule := v.missing.words(n, q.answer); rule != "" {
			lines = append(lines, rule)
		}
		lines = append(lines, first(v.surrogates(n, w), 5)...)
	}
	if v.stub(n) {
		lines = append(lines, humanize.Count(int(v.leaves[n]), "leaf", "leaves")+" below")
	}
	p := v.prediction(n)
	if v.hasEquation(n) {
		p = v.equation(n, wording{digits: v.digits, levels: 100, runes: 2000})
	}
	if p != "" {
		if v.names.Label != "" {
			p = word(v.names.Label) + ": " + p
		}
		lines = append(lines, p)
		if v.hasEquation(n) {
			lines = append(lines, "else "+humanize.Number(v.value[n][0], v.digits))
		}
	}
	if fraction, ok := v.fraction(n); ok {
		lines = append(lines, v.size(n)+", "+humanize.NarrowPercent(fraction))
	}
	if probabilities := v.classProbabilities(n); probabilities != nil {
		for _, k := range first(ranked(probabilities), 10) {
			lines = append(lines, v.names.class(k)+": "+humanize.Number(v.value[n][k], v.digits)+
				" ("+humanize.NarrowPercent(probabilities[k])+")")
		}
	}
	if s := v.t.Stats; s != nil && !zero(s.Impurity) {
		lines = append(lines, v.names.impurity()+": "+humanize.Number(s.Impurity[n], v.digits))
	}
	return strings.Join(lines, "\n")
}

// first returns the first elements of a list, most at most.
func first[T any](list []T, most int) []T { return list[:min(most, len(list))] }
