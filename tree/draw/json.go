package draw

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/tree"
)

// JSON writes the tree as one object whose "nodes" are a flat list in node order, one line each:
//
//	{"label": "species", "classes": [...], "impurity": "gini", "values": "counts", "nodes": [
//	{"id": 0, "depth": 0, "kind": "cut", "feature": "petal_length", "cut": 2.45, "children": [1, 2], "missing": 2,
//	 "rows": 150, "weight": 150, "impurity": 0.6667, "gain": 50, "value": [50, 50, 50], "prediction": "setosa"},
//	...
//
// "values" is scalar, vector or counts (tree.LeafKind). "kind" is leaf, cut, set_first or set_last (tree.Kind); a set
// node has "levels", the texts of its set, instead of "cut". "missing" is the child that missing values take.
// "prediction" is the class, or the number of a scalar tree. Fields that the tree cannot fill are absent. Below
// Options.MaxDepth nothing is written; a node there keeps its "children" and has "hidden_leaves".
//
// Numbers are exact: reading them back gives the same float64. JSON has no infinities; they are the texts "inf",
// "-inf" and "nan".
func JSON(w io.Writer, t *tree.Tree, names Names, o Options) error {
	v, err := newView(t, names, o)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	head, err := marshal(jsonHead{names.Label, names.Classes, names.Impurity, leafKindNames[t.Leaf.Kind]})
	if err != nil {
		return err
	}
	b.Write(bytes.TrimSuffix(head, []byte("}")))
	b.WriteString(`,"nodes":[`)
	for n := range int32(t.Len()) {
		if v.depth[n] > v.limit {
			continue
		}
		if n > 0 {
			b.WriteByte(',')
		}
		line, err := marshal(v.jsonNode(n))
		if err != nil {
			return err
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return b.Flush()
}

var (
	leafKindNames = []string{"scalar", "vector", "counts"}
	kindNames     = []string{"leaf", "cut", "set_first", "set_last"}
)

type jsonHead struct {
	Label    string   `json:"label,omitempty"`
	Classes  []string `json:"classes,omitempty"`
	Impurity string   `json:"impurity,omitempty"`
	Values   string   `json:"values"`
}

type jsonNode struct {
	ID           int32    `json:"id"`
	Depth        int32    `json:"depth"`
	Kind         string   `json:"kind"`
	Feature      string   `json:"feature,omitempty"`
	Cut          *exact   `json:"cut,omitempty"`
	Levels       []string `json:"levels,omitzero"`
	Children     []int32  `json:"children,omitempty"`
	HiddenLeaves int32    `json:"hidden_leaves,omitempty"`
	Missing      int32    `json:"missing,omitempty"` // never the root
	Rows         *uint32  `json:"rows,omitempty"`
	Weight       *exact   `json:"weight,omitempty"`
	Impurity     *exact   `json:"impurity,omitempty"`
	Gain         *exact   `json:"gain,omitempty"`
	Value        []exact  `json:"value,omitempty"`
	Prediction   any      `json:"prediction,omitempty"` // string or exact
}

func (v *view) jsonNode(n int32) jsonNode {
	t := v.t
	node := jsonNode{ID: n, Depth: v.depth[n], Kind: kindNames[t.Kind[n]]}
	if t.Kind[n] != tree.Leaf {
		node.Feature, node.Missing = v.names.featureText(t.Feature[n]), t.NextMissing(n)
		for c := t.Child[n]; c < t.Child[n]+t.Arity[n]; c++ {
			node.Children = append(node.Children, c)
		}
		if t.Kind[n] == tree.Cut {
			node.Cut = ptr(exact(t.Cut[n]))
		} else {
			node.Levels = v.levels(n)
		}
	}
	if v.stub(n) {
		node.HiddenLeaves = v.leaves[n]
	}
	if s := t.Stats; s != nil {
		node.Rows, node.Weight = ptr(s.Rows[n]), ptr(exact(s.Weight[n]))
		node.Impurity, node.Gain = ptr(exact(s.Impurity[n])), ptr(exact(s.Gain[n]))
	}
	for _, x := range v.value[n] {
		node.Value = append(node.Value, exact(x))
	}
	if shares := v.classShares(n); shares != nil {
		node.Prediction = v.names.classText(best(shares))
	} else if t.Leaf.Kind == tree.Scalar && v.value[n] != nil {
		node.Prediction = exact(v.value[n][0])
	}
	return node
}

// levels returns the texts of a set, not nil.
func (v *view) levels(n int32) []string {
	texts := []string{}
	set := v.t.Set(n)
	for code := range uint32(64 * len(set)) {
		if tree.InSet(set, code) {
			texts = append(texts, v.names.levelText(v.t.Feature[n], code))
		}
	}
	return texts
}

func ptr[T any](x T) *T { return &x }

// exact is a number whose JSON gives the same bits back; what JSON cannot write becomes a text.
type exact float64

func (x exact) MarshalJSON() ([]byte, error) {
	f := float64(x)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.AppendQuote(nil, Number(f, 1)), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}

// marshal is json.Marshal without the escapes that only HTML needs.
func marshal(x any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
