package plot

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/draw"
)

// mostPanels is the number of columns that fit.
const mostPanels = 9

// Node is a node of a tree of a model.
type Node struct {
	Spec   *model.Spec
	Tree   *tree.Tree
	Number int32
	// which tree of the model it is, counted from 0, and of how many; 0 = the only one
	At, Of int
}

// Candidates draws the gains of the splits that were tried at a node: a panel per column, each with
// the gain over the split point, or a bar per set of categories. Gains are per unit of weight, of
// derivatives the increase of the score; gain ratios take their place where splits are compared by
// these. Of the two sides for missing values the better one is drawn. columns states which columns
// are drawn, in order; nil means the nine of the largest gains, largest first. It fails if there is
// no candidate.
func Candidates(w io.Writer, n *Node, c *tree.Candidates, columns []int) error {
	p := &candidates{Node: n, tried: c, high: c.Gamma}
	some := false
	for i, list := range c.Columns {
		p.panels = append(p.panels, newPanel(i, n.Spec.Schema.Fields[i], list, c))
		_, p.panels[i].date, _ = n.Spec.Schema.DateSplit(i, p.panels[i].best.SplitPoint)
		for _, pt := range p.panels[i].points {
			some = true
			p.low, p.high = min(p.low, pt.gain), max(p.high, pt.gain)
			if pt.Refused != "" && !slices.Contains(p.refused, pt.Refused) {
				p.refused = append(p.refused, pt.Refused)
			}
		}
	}
	if !some {
		return fmt.Errorf("node %d: no column can split its rows", n.Number)
	}
	p.choose(columns)
	p.words()
	return p.write(w, p.draw)
}

// candidates is the picture of the splits of a node.
type candidates struct {
	page
	*Node
	tried     *tree.Candidates
	panels    []panel
	low, high float64  // the least gain, if it is below 0, and the largest
	refused   []string // the parameters that rule some out
}

// panel is the chart of one column.
type panel struct {
	column  int
	field   data.Field
	points  []point // in the order of split points, or of trial
	ordered bool    // categories: each set holds the one before
	best    point   // its gain is 0 if there is none
	date    string  // that the best split point is; "" if it is none
}

// point is a split with the better side for missing values.
type point struct {
	tree.Candidate
	gain float64 // per unit of weight, or what else is drawn
}

// newPanel joins candidates that differ by the side of missing values only.
func newPanel(column int, field data.Field, list []tree.Candidate, of *tree.Candidates) panel {
	p := panel{column: column, field: field, ordered: true}
	highest, found := math.Inf(-1), false
	for _, c := range list {
		pt := point{c, c.Gain}
		switch {
		case of.ByRatio:
			pt.gain = c.Ratio
		case of.Criterion != "":
			pt.gain /= of.Whole.Weight
		}
		last := len(p.points) - 1
		switch {
		case last < 0 || p.points[last].SplitPoint != c.SplitPoint ||
			!slices.Equal(p.points[last].Codes, c.Codes):
			if last >= 0 && !prefix(p.points[last].Codes, c.Codes) {
				p.ordered = false
			}
			p.points = append(p.points, pt)
		case pt.gain > p.points[last].gain:
			p.points[last] = pt
		}
		if c.Best || pt.gain > highest && !found {
			p.best, highest, found = pt, pt.gain, c.Best
		}
	}
	return p
}

// grows reports that the sets of a column grow one by one.
func (c *panel) grows() bool { return c.ordered && len(c.points) > 1 && !c.points[1].Known }

func prefix(short, long []uint32) bool {
	return len(short) <= len(long) && slices.Equal(short, long[:len(short)])
}

// choose keeps the panels that are drawn.
func (p *candidates) choose(columns []int) {
	all := p.panels
	if columns == nil {
		slices.SortStableFunc(p.panels,
			func(a, b panel) int { return cmp.Compare(b.best.gain, a.best.gain) })
		if len(all) > mostPanels {
			p.panels = all[:mostPanels]
			p.notes = append(p.notes, fmt.Sprintf("The %d columns of %d with the largest "+
				"gains are shown.", mostPanels, len(all)))
		}
		return
	}
	p.panels = nil
	for _, c := range columns[:min(len(columns), mostPanels)] {
		p.panels = append(p.panels, all[c])
	}
	if len(columns) > mostPanels {
		p.notes = append(p.notes, fmt.Sprintf("The first %d of %d columns are shown.", mostPanels,
			len(columns)))
	}
}

func (p *candidates) words() {
	p.title = fmt.Sprintf("Candidate splits of node %d", p.Number)
	if p.Number == 0 {
		p.title = "Candidate splits of the root"
	}
	if p.Of > 1 {
		p.title += fmt.Sprintf(" of tree %d", p.At)
	}
	p.subtitle = p.measure() + " Marked: the best of each column; orange: of all."
	p.notes = append([]string{p.chosen()}, p.notes...)
	p.notes = append(p.notes, p.tried.Notes...)
	if p.refused != nil {
		p.notes = append(p.notes, "Pale splits are ruled out by "+humanize.And(p.refused)+".")
	}
	if p.tried.Gamma > 0 {
		p.notes = append(p.notes, fmt.Sprintf("The dashed line is gamma, %s.",
			humanize.Number(p.tried.Gamma, 4)))
	}
	if slices.ContainsFunc(p.panels, func(c panel) bool {
		return c.field.Kind == data.Categorical &&
			c.grows()
	}) {
		p.notes = append(p.notes, "Categories stand in the order of their labels: each split "+
			"sends one more of them first.")
	}
}

// chosen describes the split that the tree has.
func (p *candidates) chosen() string {
	t, n := p.Tree, p.Number
	switch t.Kind(n) {
	case tree.Leaf:
		return "The tree does not split here."
	case tree.ByCode:
		return fmt.Sprintf("The tree splits here by %s.", p.Spec.Schema.Fields[t.Feature(n)].Name)
	}
	names := draw.Names{Schema: &p.Spec.Schema, Classes: p.Spec.Classes}
	return "The tree splits here by " + draw.Condition(t, n, t.Child(n), names) + "."
}

// measure describes what is drawn, and of which rows.
func (p *candidates) measure() string {
	whole := &p.tried.Whole
	what := humanize.Count(whole.Rows, "row reaches", "rows reach") + " it"
	switch {
	case p.tried.Criterion == "":
		return fmt.Sprintf("Gain: score G²/(H + l2) of both children less the node's; %s.",
			what)
	case p.tried.ByRatio:
		return fmt.Sprintf("Gain ratio: decrease of entropy over split information; %s.", what)
	}
	per := "row"
	if whole.Weight != float64(whole.Rows) {
		per = "unit of weight"
		what += ", of weight " + humanize.Number(whole.Weight, 6)
	}
	return fmt.Sprintf("Gain: decrease of %s per %s; %s.",
		strings.ReplaceAll(p.tried.Criterion, "_", " "), per, what)
}
