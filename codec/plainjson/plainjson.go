// Package plainjson owns a plain JSON form of tree models, for programs in other languages and for
// people. It is written and not read: the model file of Coppice is the one to keep.
//
//	{"format": "coppice-json", "version": 1,
//	 "task": "binary", "label": "churn", "classes": ["no", "yes"],
//	 "columns": [{"name": "age", "kind": "numeric"},
//	             {"name": "plan", "kind": "categorical", "levels": ["basic", "plus"]}],
//	 "combine": "sum", "bias": [0.5], "link": "logistic",
//	 "trees": [{"output": 0, "weight": 1, "nodes": [
//	   {"split": "numeric", "column": 0, "split_point": 38.5, "missing": "last",
//	    "children": [1, 2]},
//	   {"split": "categories", "column": 1, "categories": [1], "missing": "first",
//	    "children": [3, 4]},
//	   {"value": [0.25], "cover": 12},
//	   ...
//
// A number up to split_point goes to the first child. A category of the list goes to the first
// child, and any other one, unseen ones included, to the second. Of "by_category" category c goes
// to child c. A missing value goes to the first or the last child, or to the one of that number.
//
// The score of an output is its bias plus the sum of weight times value over its trees. The
// combination "mean" divides that sum by the sum of these weights before the bias is added.
// "output" is absent where a tree's values belong to all outputs. The link makes the response of
// the scores. One score of two classes is that of the second class.
package plainjson

import (
	"encoding/json"
	"io"
	"math"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

const name = "json"

// Format returns the format, which is written only.
func Format() codec.Format {
	return codec.Format{Name: name, Suffix: []string{".trees.json"}, Encode: encodeModel, Foreign: true,
		Sniff: func([]byte) bool { return false }}
}

// file is the JSON of a model; see the comment of the package.
type file struct {
	Format    string    `json:"format"`
	Version   int       `json:"version"`
	Task      data.Task `json:"task"`
	Label     string    `json:"label,omitempty"`
	Classes   []string  `json:"classes,omitempty"`
	Threshold float64   `json:"threshold,omitempty"`
	Columns   []column  `json:"columns"`
	Combine   string    `json:"combine"`
	Bias      []float64 `json:"bias"`
	Link      string    `json:"link"`
	Trees     []member  `json:"trees"`
}

type column struct {
	Name   string    `json:"name"`
	Kind   data.Kind `json:"kind"`
	Levels []string  `json:"levels,omitempty"`
}

// member is a tree with its place in the ensemble.
type member struct {
	Output *int32  `json:"output,omitempty"`
	Weight float64 `json:"weight"`
	Nodes  []node  `json:"nodes"`
}

type node struct {
	Split      string    `json:"split,omitempty"`
	Column     *int32    `json:"column,omitempty"`
	SplitPoint any       `json:"split_point,omitempty"` // a number, or "inf", "-inf"
	Categories []int     `json:"categories,omitzero"`
	Missing    any       `json:"missing,omitempty"` // "first", "last" or a number
	Children   []int32   `json:"children,omitempty"`
	Value      []float64 `json:"value,omitempty"`
	Cover      *float64  `json:"cover,omitempty"`
}

// encodeModel writes a model of trees. A *codec.UnsupportedError names what the form does not have:
// other models, derived columns, pooled quantiles, costs, equations, splits along directions,
// surrogates, rows that are divided or stop, and values or rows that the model refuses.
func encodeModel(w io.Writer, m model.Model) error {
	return parity.EncodeTrees(w, m, Format(), encode)
}

func encode(w io.Writer, e *model.Ensemble) error {
	e = e.First(0)
	// columns are those that the trees test: how a program comes by their values is left to it
	if err := foreign.CheckTraits(name, e, foreign.AnomalyScores, foreign.Threshold, foreign.Dates,
		foreign.ClassCounts, foreign.ByCode); err != nil {
		return err
	}
	f := &file{Format: "coppice-json", Version: 1, Task: e.Meta.Task, Label: e.Meta.Label,
		Classes: e.Meta.Classes, Threshold: e.Meta.Decision.Threshold, Columns: []column{},
		Combine: "sum", Bias: make([]float64, e.Scores()), Link: link.Identity().Name(),
		Trees: []member{}}
	if e.Combine == model.Mean {
		f.Combine = "mean"
	}
	copy(f.Bias, e.Bias)
	if e.Link != nil {
		f.Link = e.Link.Name()
	}
	for i := range e.Meta.Schema.Fields {
		c := &e.Meta.Schema.Fields[i]
		f.Columns = append(f.Columns, column{c.Name, c.Kind, c.Levels})
	}
	for i, t := range e.Trees {
		made := treeOf(t)
		made.Weight = e.WeightOf(i)
		if e.OutputOf(i) >= 0 {
			made.Output = &e.Output[i]
		}
		f.Trees = append(f.Trees, *made)
	}
	return json.NewEncoder(w).Encode(f)
}

// treeOf returns the JSON of a tree.
func treeOf(t *tree.Tree) *member {
	f := &member{}
	covers := t.Covers()
	for n := range int32(t.Len()) {
		made := nodeOf(t, n)
		if covers != nil {
			made.Cover = &covers[n]
		}
		f.Nodes = append(f.Nodes, *made)
	}
	return f
}

func nodeOf(t *tree.Tree, n int32) *node {
	if t.Kind(n) == tree.Leaf {
		value := t.Value(n)
		if t.Leaf.Kind == tree.Counts {
			p := make([]float64, len(value))
			tree.Probabilities(p, value)
			value = p
		}
		return &node{Value: value}
	}
	made := &node{}
	column := t.Feature(n)
	made.Column = &column
	first, arity := t.Child(n), t.Arity(n)
	for c := first; c < first+arity; c++ {
		made.Children = append(made.Children, c)
	}
	switch missing := t.NextMissing(n); {
	case missing == first:
		made.Missing = "first"
	case missing == first+arity-1:
		made.Missing = "last"
	default:
		made.Missing = missing - first
	}
	switch kind := t.Kind(n); kind {
	case tree.Numeric:
		made.Split, made.SplitPoint = "numeric", number(t.SplitPoint(n))
	case tree.ByCode:
		made.Split = "by_category"
	default:
		made.Split, made.Categories = "categories", []int{}
		set := t.Set(n)
		for code := range 64 * len(set) {
			if tree.InSet(set, uint32(code)) {
				made.Categories = append(made.Categories, code)
			}
		}
		if kind == tree.SetLast { // the list goes to the second child: let that be the first
			made.turn()
		}
	}
	return made
}

// turn exchanges the two children of a node.
func (n *node) turn() {
	n.Children[0], n.Children[1] = n.Children[1], n.Children[0]
	if n.Missing == "first" {
		n.Missing = "last"
	} else {
		n.Missing = "first"
	}
}

// number is a split point, which may be infinite.
func number(x float64) any {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return x
}
