package draw

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// JSON writes the tree as one object whose "nodes" are a flat list in node order, one line each:
//
//	{"label": "species", "classes": [...], "impurity": "gini", "values": "counts", "nodes": [
//	{"id": 0, "depth": 0, "kind": "numeric", "feature": "petal_length", "split_point": 2.45,
//	 "children": [1, 2], "missing": 2, "rows": 150, "weight": 150, "impurity": 0.6667, "gain": 50,
//	 "value": [50, 50, 50], "prediction": "setosa"},
//	...
//
// "values" is scalar, vector or counts (tree.LeafKind). "kind" is leaf, numeric, set_first,
// set_last, by_code, oblique or sphere (tree.Kind). A set node has "levels", the texts of its set,
// instead of "split_point"; at a by_code node they are those of the children, in their order. An
// oblique or sphere node has "terms", the features and coefficients of its direction or the
// coordinates of its centre; the "split_point" of a sphere is a squared distance.
//
// "missing" is the child that missing values take, absent where they take none or many.
// "missing_rule" is majority, fractional, surrogate or stop (tree.Missing); absent, the rule is
// that child. "surrogates" are those of a node, best first; "flip" reports that x <= split point
// leads to the last child, and a set leads only its own levels, set_first to the first child,
// set_last to the last. "fraction" is the part of the parent's weight (tree.Tree). "constant" and
// "linear", a list of terms, are the equation of a node; "value" then stands in for it
// (tree.Linear). "prediction" is the class, or the number of a scalar tree; absent where there is
// an equation. Fields that the tree cannot fill are absent. Below Options.MaxDepth nothing is
// written; a node there keeps its "children" and has "hidden_leaves".
//
// Numbers are exact: reading them back gives the same float64. JSON has no infinities; they are the
// texts "inf", "-inf" and "nan".
func JSON(w io.Writer, t *tree.Tree, names Names, o Options) error {
	v, err := newView(t, names, o)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	head, err := marshal(jsonHead{names.Label, names.Classes, names.Impurity,
		leafKindNames[t.Leaf.Kind]})
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
	kindNames     = []string{"leaf", "numeric", "set_first", "set_last", "by_code",
		"oblique", "sphere"}
	ruleNames = []string{"", "", "majority", "fractional", "surrogate", "stop"}
)

type jsonHead struct {
	Label    string   `json:"label,omitempty"`
	Classes  []string `json:"classes,omitempty"`
	Impurity string   `json:"impurity,omitempty"`
	Values   string   `json:"values"`
}

// jsonNode is a line of the list. encoding/json writes the fields of embedded structs in place.
type jsonNode struct {
	ID    int32  `json:"id"`
	Depth int32  `json:"depth"`
	Kind  string `json:"kind"`
	jsonSplit
	jsonTraining
	jsonValue
}

// jsonSplit is what inner nodes have.
type jsonSplit struct {
	Feature      string          `json:"feature,omitempty"`
	Terms        []jsonTerm      `json:"terms,omitempty"`
	SplitPoint   *exact          `json:"split_point,omitempty"`
	SplitDate    string          `json:"split_date,omitempty"` // the split point, where it is a date
	Levels       []string        `json:"levels,omitzero"`
	Children     []int32         `json:"children,omitempty"`
	HiddenLeaves int32           `json:"hidden_leaves,omitempty"`
	Missing      int32           `json:"missing,omitempty"` // never the root
	MissingRule  string          `json:"missing_rule,omitempty"`
	Surrogates   []jsonSurrogate `json:"surrogates,omitempty"`
}

// jsonTraining is what the tree stores about the training rows of a node.
type jsonTraining struct {
	Fraction *exact  `json:"fraction,omitempty"`
	Rows     *uint32 `json:"rows,omitempty"`
	Weight   *exact  `json:"weight,omitempty"`
	Impurity *exact  `json:"impurity,omitempty"`
	Gain     *exact  `json:"gain,omitempty"`
}

// jsonValue is the value of a node and its prediction.
type jsonValue struct {
	Value      []exact    `json:"value,omitempty"`
	Constant   *exact     `json:"constant,omitempty"`
	Linear     []jsonTerm `json:"linear,omitempty"`
	Prediction any        `json:"prediction,omitempty"` // string or exact
}

type jsonTerm struct {
	Feature string `json:"feature"`
	Coef    exact  `json:"coef"`
}

type jsonSurrogate struct {
	Kind       string   `json:"kind"`
	Feature    string   `json:"feature"`
	SplitPoint *exact   `json:"split_point,omitempty"`
	Flip       bool     `json:"flip,omitempty"`
	Levels     []string `json:"levels,omitzero"`
	Agree      exact    `json:"agree"`
	Adjusted   exact    `json:"adjusted"`
}

func (v *view) jsonNode(n int32) jsonNode {
	t := v.t
	node := jsonNode{ID: n, Depth: v.depth[n], Kind: kindNames[t.Kind(n)]}
	if t.Kind(n) != tree.Leaf {
		node.jsonSplit = v.jsonSplit(n)
	}
	if t.Fraction != nil {
		node.Fraction = ptr(exact(t.Fraction[n]))
	}
	if s := t.Stats; s != nil {
		node.Rows, node.Weight = ptr(s.Rows[n]), ptr(exact(s.Weight[n]))
		node.Impurity, node.Gain = ptr(exact(s.Impurity[n])), ptr(exact(s.Gain[n]))
	}
	for _, x := range v.value[n] {
		node.Value = append(node.Value, exact(x))
	}
	if v.hasEquation(n) {
		constant, features, coefs := t.Equation(n)
		node.Constant = ptr(exact(constant))
		for i, f := range features {
			node.Linear = append(node.Linear, jsonTerm{v.names.featureText(f), exact(coefs[i])})
		}
	}
	if probabilities := v.classProbabilities(n); probabilities != nil {
		node.Prediction = v.names.classText(v.names.Costs.Label(probabilities))
	} else if t.Leaf.Kind == tree.Scalar && v.value[n] != nil && !v.hasEquation(n) {
		node.Prediction = exact(v.value[n][0])
	}
	return node
}

func (v *view) jsonSplit(n int32) (node jsonSplit) {
	t := v.t
	if v.stub(n) {
		node.HiddenLeaves = v.leaves[n]
	}
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		node.Children = append(node.Children, c)
	}
	node.Missing, node.MissingRule = max(0, t.NextMissing(n)), ruleNames[t.Missing(n)]
	if t.Feature(n) >= 0 {
		node.Feature = v.names.featureText(t.Feature(n))
	}
	s := t.SplitOf(n)
	switch s.Kind {
	case tree.SetFirst, tree.SetLast:
		node.Levels = v.levels(s.Feature, s.Set)
	case tree.ByCode:
		for code := range uint32(s.Arity) {
			node.Levels = append(node.Levels, v.names.levelText(s.Feature, code))
		}
	default:
		node.SplitPoint = ptr(exact(s.SplitPoint))
		if v.names.Schema != nil && s.Kind == tree.Numeric {
			_, node.SplitDate, _ = v.names.Schema.DateSplit(int(s.Feature), s.SplitPoint)
		}
	}
	for _, d := range s.Direction {
		node.Terms = append(node.Terms, jsonTerm{v.names.featureText(d.Feature), exact(d.Coef)})
	}
	for _, r := range s.Surrogates {
		j := jsonSurrogate{Kind: kindNames[r.Kind], Feature: v.names.featureText(r.Feature),
			Flip: r.Flip, Agree: exact(r.Agree), Adjusted: exact(r.Adjusted)}
		if r.Kind == tree.Numeric {
			j.SplitPoint = ptr(exact(r.SplitPoint))
		} else {
			j.Levels = v.levels(r.Feature, r.Set)
		}
		node.Surrogates = append(node.Surrogates, j)
	}
	return node
}

// levels returns the texts of a set, not nil.
func (v *view) levels(feature int32, set []uint64) []string {
	texts := []string{}
	for code := range uint32(64 * len(set)) {
		if tree.InSet(set, code) {
			texts = append(texts, v.names.levelText(feature, code))
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
		return strconv.AppendQuote(nil, humanize.Number(f, 1)), nil
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
