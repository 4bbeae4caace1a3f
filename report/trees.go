package report

import (
	"context"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/draw"
)

// treeReport is the content of the section that draws trees.
type treeReport struct {
	Total   int // trees of the model
	Classes []string
	Label   string
	Low     number // the range of the histograms of numbers
	High    number // of numbers
	Trees   []drawnTree
	Rows    []int32 // whose paths can be shown, from 1
}

// drawnTree is a tree as lists by node: the root first, children after their parents.
type drawnTree struct {
	Number int // from 0
	Of     string
	Nodes  []node
	Ends   []int // by row of Rows: the last node of its path
}

// node is a node of a tree. The distribution is that of the labels of the table's rows that reach
// it: counts by class, or a histogram.
type node struct {
	Parent    int    // -1 of the root
	Condition string // by which its rows come from the parent
	Split     string // that its children are divided by; "" of leaves
	Hidden    int32
	Value     string
	Rows      int
	Counts    []int
	Mean      number
}

// The limits of what is drawn.
const (
	drawnTrees  = 3
	drawnNodes  = 2500 // of all trees
	nodesOfTree = 700  // deeper nodes are counted only
	labelBins   = 16   // of the histograms in nodes
	conditions  = 120  // characters of a condition
)

func treesOf(_ context.Context, s *subject) (content, error) {
	if s.trees == nil || len(s.trees.Trees) == 0 {
		if s.model.Describe().Table != nil {
			return nil, errLeftOut // another section has it
		}
		return nil, errNoTrees
	}
	e := s.trees
	r := &treeReport{Total: len(e.Trees), Classes: s.classes(), Label: s.spec.Label}
	names := draw.Names{Schema: e.Features(), Classes: s.spec.Classes, Label: s.spec.Label,
		Costs: s.spec.Decision.Costs}
	var kept [][]int32 // by tree and node: its place among the drawn ones, or its last drawn ancestor
	nodes := 0
	for i, t := range e.Trees[:min(len(e.Trees), drawnTrees)] {
		d, places := drawnTreeOf(t, names)
		if nodes += len(d.Nodes); nodes > drawnNodes && i > 0 {
			break
		}
		d.Number = i
		if e.Output != nil && e.Output[i] >= 0 && len(r.Classes) == e.Scores() {
			d.Of = r.Classes[e.Output[i]]
		}
		r.Trees, kept = append(r.Trees, d), append(kept, places)
	}
	if s.data == nil {
		return r, nil
	}
	return r, r.addRows(s, kept)
}

// drawnTreeOf lists the nodes of a tree down to the depth that the limit allows.
func drawnTreeOf(t *tree.Tree, names draw.Names) (drawnTree, []int32) {
	depth, parents := t.Depths(), t.Parents()
	limit := depthFor(depth)
	places := make([]int32, t.Len())
	leaves := make([]int32, t.Len())
	for n := t.Len() - 1; n >= 0; n-- {
		if t.Kind(int32(n)) == tree.Leaf {
			leaves[n] = 1
		}
		if n > 0 {
			leaves[parents[n]] += leaves[n]
		}
	}
	d := drawnTree{}
	for n := range int32(t.Len()) {
		if depth[n] > limit {
			places[n] = places[parents[n]]
			continue
		}
		places[n] = int32(len(d.Nodes))
		v := node{Parent: -1, Value: valueWords(t, n, names)}
		if n > 0 {
			v.Parent = int(places[parents[n]])
			v.Condition = humanize.Shorten(draw.Condition(t, parents[n], n, names), conditions)
		}
		if t.Kind(n) != tree.Leaf {
			if depth[n] == limit {
				v.Hidden = leaves[n]
			} else {
				v.Split = humanize.Shorten(draw.Condition(t, n, t.Child(n), names), conditions)
			}
		}
		d.Nodes = append(d.Nodes, v)
	}
	return d, places
}

// depthFor returns the depth down to which a tree has at most nodesOfTree nodes.
func depthFor(depth []int32) int32 {
	var at []int
	for _, d := range depth {
		for len(at) <= int(d) {
			at = append(at, 0)
		}
		at[d]++
	}
	sum := 0
	for d, n := range at {
		if sum += n; sum > nodesOfTree {
			return int32(max(1, d-1))
		}
	}
	return int32(len(at))
}

// valueWords writes the value of a node: a class with its probability, or a number.
func valueWords(t *tree.Tree, n int32, names draw.Names) string {
	v := t.Value(n)
	switch {
	case v == nil:
		return ""
	case len(v) == 1:
		return humanize.Number(v[0], 4)
	case len(names.Classes) != len(v):
		return ""
	}
	p := make([]float64, len(v))
	tree.Probabilities(p, v)
	k := names.Costs.Label(p)
	return humanize.Shorten(names.ClassWord(k), 24) + " " + humanize.NarrowPercent(p[k])
}

// addRows adds the rows of the table that reach each node, and the paths of the chosen rows.
func (r *treeReport) addRows(s *subject, kept [][]int32) error {
	chosen := s.chosenRows()
	for _, row := range chosen {
		r.Rows = append(r.Rows, row+1)
	}
	own := *s.trees
	n := len(r.Trees)
	own.Trees, own.Rounds, own.Best, own.Origin = own.Trees[:n], nil, 0, nil
	own.Refused = nil // the leaves of all rows are drawn
	if own.Output != nil {
		own.Output = own.Output[:n]
	}
	if own.Weights != nil {
		own.Weights = own.Weights[:n]
	}
	p, err := own.Bind(&s.data.Schema, model.Options{Output: model.Leaf, Workers: s.options.Workers,
		Rounds: model.AllRounds})
	if err != nil {
		return err
	}
	rows := append(append([]int32{}, s.drawn...), chosen...)
	leaves := make([]float64, len(rows)*n)
	if err := p.Predict(leaves, s.data.Frame, rows); err != nil {
		return err
	}
	bin := r.binning(s)
	for k := range r.Trees {
		t := &r.Trees[k]
		for i, row := range rows {
			at := int(kept[k][int(leaves[i*n+k])])
			if i >= len(s.drawn) {
				t.Ends = append(t.Ends, at)
				continue
			}
			for ; at >= 0; at = t.Nodes[at].Parent {
				t.Nodes[at].Rows++
				bin(&t.Nodes[at], row)
			}
		}
		for i := range t.Nodes {
			if v := &t.Nodes[i]; v.Rows > 0 {
				v.Mean = number(float64(v.Mean) / float64(v.Rows))
			}
		}
	}
	return nil
}

// binning returns the function that adds the label of a row to the distribution of a node.
func (r *treeReport) binning(s *subject) func(v *node, row int32) {
	t := &s.data.Target
	switch {
	case t.Class != nil:
		return func(v *node, row int32) {
			if v.Counts == nil {
				v.Counts = make([]int, len(t.Classes))
			}
			v.Counts[t.Class[row]]++
		}
	case s.sample != nil && len(t.Y) > 0:
		h := binsOf(t.Y[0])
		r.Low, r.High = h.From, h.To
		return func(v *node, row int32) {
			if v.Counts == nil {
				v.Counts = make([]int, labelBins)
			}
			y := t.Y[0][row]
			width := float64(r.High/2) - float64(r.Low/2)
			at := 0
			if width > 0 {
				at = int((float64(y/2) - float64(r.Low/2)) / width * labelBins)
			}
			v.Counts[max(0, min(labelBins-1, at))]++
			v.Mean += number(y)
		}
	}
	return func(*node, int32) {}
}
