package plot

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/draw"
)

// Reach returns the rows of the subject that reach an inner node, in a dataset where rows of which
// only a fraction does weigh that fraction. It fails for a number that no inner node has, and if no
// row reaches the node.
func (s *Subject) Reach(node int) (*data.Dataset, []int32, error) {
	t := s.Tree
	switch {
	case node < 0 || node >= t.Len():
		return nil, nil, fmt.Errorf("there is no node %d: the tree has the nodes 0 to %d",
			node, t.Len()-1)
	case t.Kind(int32(node)) == tree.Leaf:
		return nil, nil, fmt.Errorf("node %d is a leaf, which is not split%s", node, s.splitNodes())
	}
	var rows []int32
	weight := make([]float64, s.Data.Rows())
	whole := s.Data.Target.Weight == nil
	for row := range int32(s.Data.Rows()) {
		reached := 0.0
		t.Visit(s.Data.Columns, row, func(n int32, region float64, _ bool) {
			if int(n) == node {
				reached = region
			}
		})
		if weight[row] = s.Data.Target.WeightAt(row); reached > 0 && weight[row] > 0 {
			rows = append(rows, row)
			weight[row] *= reached
			whole = whole && reached == 1
		}
	}
	if rows == nil {
		return nil, nil, fmt.Errorf("no row of the table reaches node %d", node)
	}
	at := &data.Dataset{Frame: s.Data.Frame, Target: s.Data.Target}
	if !whole {
		at.Target.Weight = weight
	}
	return at, rows, nil
}

// splitNodes names inner nodes for an error.
func (s *Subject) splitNodes() string {
	var names []string
	for n := range int32(s.Tree.Len()) {
		k := s.Tree.Kind(n)
		if k == tree.Leaf {
			continue
		}
		if len(names) == 8 {
			names = append(names, "...")
			break
		}
		names = append(names, fmt.Sprint(n))
	}
	if names == nil {
		return ": the tree has no other node"
	}
	return ": those that are split are " + strings.Join(names, ", ")
}

// mostPanels is the number of columns that fit.
const mostPanels = 9

// Candidates draws the gains of the splits that were tried at an inner node: a panel per column,
// each with the gain per unit of weight over the split point, or a bar per set of categories. Of
// the two sides for missing values the better one is drawn. columns states which columns are drawn,
// in order; nil means the nine of the largest gains, largest first. It fails if there is no
// candidate.
func Candidates(w io.Writer, s *Subject, node int, c *tree.Candidates, columns []int) error {
	p := &candidates{Subject: s, tried: c}
	for i, list := range c.Columns {
		p.panels = append(p.panels, newPanel(i, s.Spec.Schema.Fields[i], list, c.Weight))
		p.high = max(p.high, p.panels[i].best.gain)
	}
	if c.Best < 0 {
		return fmt.Errorf("node %d: no column can split its rows", node)
	}
	p.choose(columns)
	p.words(node)
	return p.write(w, p.draw)
}

// candidates is the picture of the splits of a node.
type candidates struct {
	page
	*Subject
	tried  *tree.Candidates
	panels []panel
	high   float64 // the largest gain
}

// panel is the chart of one column.
type panel struct {
	column  int
	field   data.Field
	points  []point // in the order of split points, or of trial
	ordered bool    // categories: each set holds the one before
	best    point   // its gain is 0 if there is none
}

// point is a split with the better side for missing values.
type point struct {
	tree.Candidate
	gain float64 // per unit of weight
}

// newPanel joins candidates that differ by the side of missing values only.
func newPanel(column int, field data.Field, list []tree.Candidate, weight float64) panel {
	p := panel{column: column, field: field, ordered: true}
	for _, c := range list {
		pt := point{c, c.Gain / weight}
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
		if c.Best {
			p.best = pt
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

func (p *candidates) words(node int) {
	p.title = fmt.Sprintf("Candidate splits of node %d", node)
	if node == 0 {
		p.title = "Candidate splits of the root"
	}
	metricName := strings.ReplaceAll(p.found.Criterion, "_", " ")
	switch p.found.Criterion {
	case "":
		metricName = "impurity"
	case "gain_ratio":
		metricName = "entropy"
		p.notes = append(p.notes, "Training compares splits by their gain ratio: the best need "+
			"not have the largest gain.")
	}
	per, what := "row", humanize.Count(p.tried.Rows, "row reaches", "rows reach")
	if p.tried.Weight != float64(p.tried.Rows) {
		per, what = "unit of weight", what+" it, of weight "+humanize.Number(p.tried.Weight, 6)
	} else {
		what += " it"
	}
	p.subtitle = fmt.Sprintf("Gain: decrease of %s per %s; %s. The best split of each column is "+
		"marked, the best of all in orange.",
		metricName, per, what)
	names := draw.Names{Schema: &p.Spec.Schema, Classes: p.Spec.Classes}
	n := int32(node)
	p.notes = append([]string{"The tree splits here by " +
		draw.Condition(p.Tree, n, p.Tree.Child(n), names) + "."}, p.notes...)
	if slices.ContainsFunc(p.panels, func(c panel) bool {
		return c.field.Kind == data.Categorical &&
			c.grows()
	}) {
		p.notes = append(p.notes, "Categories stand in the order of their labels: each split "+
			"sends one more of them first.")
	}
}
