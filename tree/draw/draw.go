// Package draw owns the pictures of one finished tree: an outline for the terminal, a list of
// rules, JSON for programs, DOT for Graphviz and a self-contained SVG for slides. It also owns the
// words of a branch (Condition), which rules and explanations use too.
//
// The same tree, names and options give the same bytes on every machine: geometry is integers, and
// nothing is drawn in the order of a map.
package draw

import (
	"io"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// Names gives a tree's numbers their words. Every field may be empty: a feature without a name is
// called f and its column, a class or level without a name by its number.
type Names struct {
	// the columns that Tree.Feature counts in, with the levels of categorical ones
	Schema *data.Schema
	// the class, or the output of a Vector tree, of each position of a node's value
	Classes []string
	Label   string // the predicted column
	// the criterion of NodeStats.Impurity, e.g. "gini"; "" prints as "impurity"
	Impurity string
	// what a node's class is chosen by: that of least expected cost; nil: the class of the largest
	// fraction
	Costs data.Costs
}

// Options are the choices of a drawing. The zero value draws the whole tree.
type Options struct {
	// MaxDepth is the depth of the deepest nodes drawn; the root has 0. Leaves below are counted.
	// 0 or less draws everything that is readable: SVG at most 24 levels and 64 cards without
	// children, Text and Rules 200 levels, JSON and DOT all.
	MaxDepth int
	// Surrogates makes Text list the surrogate splits of every node. JSON lists them always.
	Surrogates bool
	// Digits is the number of significant digits of values and impurities; 0 or less is 4. Split
	// points have 6, or Digits if that is more. JSON ignores it: its numbers are exact.
	Digits int
	// Width is the most characters of a line of Text; 0 or less is any number. Columns that have no
	// room are left out, from the last one on, and named below; branches lose their ends.
	Width int
	// Title heads SVG and DOT; "" is the name of the label.
	Title string
	// Rows are drawn by SVG in the nodes that they reach; nil = none.
	Rows *Rows
}

// Func draws a tree. It fails if the tree breaks an invariant of tree.Tree.Validate, if costs do
// not fit it, or if w fails.
type Func func(w io.Writer, t *tree.Tree, names Names, o Options) error

// Format is one entry of the table of drawings.
type Format struct {
	Name   string // what a user types
	Suffix string // of file names, with the dot
	About  string // one line of help
	Draw   Func
}

// Formats returns the table of drawings, the default first.
func Formats() []Format {
	return []Format{
		{"text", ".txt", "outline for the terminal, one line per node", Text},
		{"rules", ".rules", "list of if-then rules, one per leaf", Rules},
		{"json", ".json", "flat list of nodes with exact numbers", JSON},
		{"dot", ".dot", "graph for Graphviz", DOT},
		{"svg", ".svg", "picture for a slide or a page, without external files", SVG},
	}
}

func (names *Names) field(feature int32) *data.Field {
	if s := names.Schema; s != nil && feature >= 0 && int(feature) < len(s.Fields) {
		return &s.Fields[feature]
	}
	return nil
}

// featureText returns the name of a column as it stands in the schema.
func (names *Names) featureText(feature int32) string {
	if f := names.field(feature); f != nil {
		return f.Name
	}
	return "f" + strconv.Itoa(int(feature))
}

func (names *Names) feature(feature int32) string { return word(names.featureText(feature)) }

// comparison returns the name of a numeric column and a split point that its values are compared
// with. Days since a date are compared with a date, under the name of the date column.
func (names *Names) comparison(feature int32, splitPoint float64, digits int) (name, point string) {
	if names.Schema != nil {
		if source, date, ok := names.Schema.DateSplit(int(feature), splitPoint); ok {
			return word(source), date
		}
	}
	point = humanize.SplitPoint(splitPoint, digits)
	if f := names.field(feature); f != nil && math.IsInf(splitPoint, 0) && f.From != nil &&
		f.From.Part == data.Days {
		return word(f.From.Source), point
	}
	return names.feature(feature), point
}

// levelText returns the text of a category; a code outside the dictionary reads #code.
func (names *Names) levelText(feature int32, code uint32) string {
	if f := names.field(feature); f != nil && uint(code) < uint(len(f.Levels)) {
		return f.Levels[code]
	}
	return "#" + strconv.Itoa(int(code))
}

// classText returns the name of a class as it stands in Classes.
func (names *Names) classText(class int) string {
	if class < len(names.Classes) {
		return names.Classes[class]
	}
	return strconv.Itoa(class)
}

func (names *Names) class(class int) string { return word(names.classText(class)) }

func (names *Names) impurity() string {
	if names.Impurity == "" {
		return "impurity"
	}
	return word(names.Impurity)
}
