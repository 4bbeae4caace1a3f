package show

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

const (
	// mostListed is the number of candidates up to which the table has all of them.
	mostListed = 60
	// classColumns is the number of classes up to which each has a column.
	classColumns = 3
	splitWidth   = 48 // of the words of a split
	digits       = 4  // of numbers
)

// print prints the node, and its candidates as a table. Numbers of branches stand side by side.
func (l *listing) print(c *cli.Console) {
	c.Printf("Candidate splits of node %d of tree %d: %s\n\n", l.node, l.tree, l.wholeWords())
	g := l.grid()
	shown, all := 0, 0
	for i, list := range l.Columns {
		kept := l.shown(list)
		shown, all = shown+len(kept), all+len(list)
		for _, k := range kept {
			g.Add(l.row(i, &list[k])...)
		}
	}
	if all == 0 {
		c.Printf("No column can split these rows.\n")
		return
	}
	g.Print(c.Out)
	c.Printf("\n")
	if shown < all {
		c.Printf("Shown are the best of each column, %d of %d candidates; --json has all.\n", shown,
			all)
	}
	for _, line := range l.legend() {
		c.Printf("%s\n", line)
	}
	for _, note := range l.Notes {
		c.Printf("%s\n", note)
	}
}

// shown returns the places of a column's candidates that the table has.
func (l *listing) shown(list []tree.Candidate) []int {
	all := 0
	for _, other := range l.Columns {
		all += len(other)
	}
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	most := max(1, mostListed/max(1, len(l.Columns)))
	if all <= mostListed || len(list) <= most {
		return places
	}
	slices.SortStableFunc(places, func(a, b int) int {
		x, y := &list[a], &list[b]
		if first := boolean(x.Best || x.Chosen) - boolean(y.Best || y.Chosen); first != 0 {
			return -first
		}
		return cmp.Compare(l.worth(y), l.worth(x))
	})
	places = slices.DeleteFunc(places[:most], func(k int) bool { return list[k].Branches == nil })
	slices.Sort(places)
	return places
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// worth is what candidates are compared by.
func (l *listing) worth(c *tree.Candidate) float64 {
	if l.ByRatio {
		return c.Ratio
	}
	return c.Gain
}

// wholeWords describes the rows of the node.
func (l *listing) wholeWords() string {
	w := &l.Whole
	parts := []string{humanize.Count(w.Rows, "row", "rows")}
	if l.Criterion == "" {
		parts = append(parts, "S "+number(w.Score))
		if len(w.Value) == 1 {
			parts = append(parts, "G "+number(w.Gradient[0]), "H "+number(w.Hessian[0]),
				"O "+number(w.Value[0]))
		}
		return strings.Join(parts, ", ")
	}
	if l.weighed() {
		parts = append(parts, "weight "+number(w.Weight))
	}
	for k, name := range l.classes() {
		parts = append(parts, humanize.Name(name)+" "+number(w.Classes[k]))
	}
	if w.Value != nil {
		parts = append(parts, "value "+number(w.Value[0]))
	}
	return strings.Join(append(parts, l.impurity()+" "+number(w.Impurity)), ", ")
}

// weighed reports whether rows have weights.
func (l *listing) weighed() bool {
	return math.Abs(l.Whole.Weight-float64(l.Whole.Rows)) > 1e-9*l.Whole.Weight
}

// impurity names the criterion; a gain ratio compares decreases of entropy.
func (l *listing) impurity() string {
	if l.Criterion == "gain_ratio" {
		return "entropy"
	}
	return strings.ReplaceAll(l.Criterion, "_", " ")
}

// field is a number of branches that a column of the table has.
type field struct {
	name string
	of   func(b *tree.Branch) float64
}

// fields are the numbers of branches.
func (l *listing) fields() []field {
	all := []field{{"rows", func(b *tree.Branch) float64 { return float64(b.Rows) }}}
	if l.Criterion == "" {
		if len(l.Whole.Value) == 1 {
			all = append(all,
				field{"G", func(b *tree.Branch) float64 { return b.Gradient[0] }},
				field{"H", func(b *tree.Branch) float64 { return b.Hessian[0] }},
				field{"O", func(b *tree.Branch) float64 { return b.Value[0] }})
		}
		return append(all, field{"S", func(b *tree.Branch) float64 { return b.Score }})
	}
	if l.weighed() {
		all = append(all, field{"weight", func(b *tree.Branch) float64 { return b.Weight }})
	}
	if names := l.classes(); len(names) <= classColumns {
		for k, name := range names {
			all = append(all, field{humanize.Name(name),
				func(b *tree.Branch) float64 { return b.Classes[k] }})
		}
	}
	if l.Whole.Value != nil {
		all = append(all, field{"value", func(b *tree.Branch) float64 {
			if b.Value == nil {
				return math.NaN()
			}
			return b.Value[0]
		}})
	}
	return append(all, field{l.impurity(), func(b *tree.Branch) float64 { return b.Impurity }})
}

func (l *listing) grid() *cli.Grid {
	g := &cli.Grid{Columns: []cli.Column{{Name: "column"}, {Name: "split"}, {}}}
	for _, f := range l.fields() {
		g.Columns = append(g.Columns, cli.Column{Name: f.name, Right: true})
	}
	g.Columns = append(g.Columns, cli.Numbers("gain")...)
	if l.Gamma > 0 {
		g.Columns = append(g.Columns, cli.Numbers("gain - gamma")...)
	}
	if l.ratios() {
		g.Columns = append(g.Columns, cli.Numbers("split info", "gain ratio")...)
	}
	if l.Chi2 > 0 {
		g.Columns = append(g.Columns, cli.Numbers("p-value")...)
	}
	return g
}

// row returns the cells of a candidate.
func (l *listing) row(column int, c *tree.Candidate) []string {
	cells := []string{humanize.Name(l.spec.Schema.Fields[column].Name), l.words(column, c),
		l.verdict(column, c)}
	for _, f := range l.fields() {
		var of []string
		for i := range c.Branches {
			of = append(of, number(f.of(&c.Branches[i])))
		}
		cells = append(cells, strings.Join(of, " | "))
	}
	cells = append(cells, number(c.Gain/l.per()))
	if l.Gamma > 0 {
		cells = append(cells, number(c.Gain-l.Gamma))
	}
	if l.ratios() {
		cells = append(cells, number(c.SplitInfo), number(c.Ratio))
	}
	if l.Chi2 > 0 {
		cells = append(cells, number(c.PValue))
	}
	return cells
}

// verdict reports what training makes of a candidate.
func (l *listing) verdict(column int, c *tree.Candidate) string {
	best := c.Best && column == l.Best
	switch {
	case c.Chosen && best || c.Chosen && l.Best < 0:
		return "<- chosen"
	case c.Chosen:
		return "<- chosen, not the best"
	case best:
		return "<- the best"
	case c.Refused != "":
		return "ruled out by " + c.Refused
	}
	return ""
}

// words describes the first branch of a candidate, or all where each category has one.
func (l *listing) words(column int, c *tree.Candidate) string {
	f := &l.spec.Schema.Fields[column]
	text := ""
	switch {
	case c.Kind == tree.ByCode:
		return levels(f, nil, " | ")
	case c.Known:
		return "known"
	case c.Kind == tree.Numeric:
		text = humanize.SplitPoint(c.SplitPoint, 6)
		if _, date, ok := l.spec.Schema.DateSplit(column, c.SplitPoint); ok {
			text = date
		}
		text = "<= " + text
	case len(c.Codes) == 1:
		text = "= " + levels(f, c.Codes, "")
	default:
		text = "in " + levels(f, c.Codes, ", ")
	}
	if c.Missing == tree.MissingFirst && bothSides(l.Columns[column]) {
		text += " or missing"
	}
	return text
}

// bothSides reports whether missing values are tried on both sides of a column's splits.
func bothSides(list []tree.Candidate) bool {
	return slices.ContainsFunc(list, func(c tree.Candidate) bool {
		return c.Missing == tree.MissingFirst
	}) && slices.ContainsFunc(list, func(c tree.Candidate) bool {
		return c.Missing == tree.MissingLast
	})
}

// levels lists categories, nil = all.
func levels(f *data.Field, codes []uint32, between string) string {
	var names []string
	if codes == nil {
		for _, name := range f.Levels {
			names = append(names, humanize.Name(name))
		}
	}
	for _, code := range codes {
		names = append(names, humanize.Name(levelOf(f, code)))
	}
	return humanize.Shorten(strings.Join(names, between), splitWidth)
}

// number prints a number; counts have all digits.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e9 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return humanize.Number(x, digits)
}

// legend explains the numbers.
func (l *listing) legend() []string {
	var lines []string
	switch {
	case l.Criterion == "":
		lines = append(lines,
			"G and H are sums of the first and second derivatives of the loss. For squared error a "+
				"row adds",
			"-residual and 1, for log loss p - y and p (1 - p). S = G^2 / (H + l2) is the "+
				"similarity score,",
			"O = -G / (H + l2) the value before the learning rate. Gain is the sum of S of both "+
				"branches, less",
			"S of the node.")
	case l.ByRatio:
		lines = append(lines, "Gain is the decrease of "+l.impurity()+" per unit of weight, and "+
			"splits are compared by their gain ratio.")
	default:
		lines = append(lines, "Gain is the decrease of "+l.impurity()+" per unit of weight.")
	}
	if l.Chi2 > 0 {
		lines = append(lines, "The p-value is that of the chi-squared test of class against "+
			"branch; chi2="+number(l.Chi2)+" is the largest one.")
	}
	if !l.chosen {
		lines = append(lines, "The node is a leaf: the tree does not split here.")
	}
	return lines
}
