package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// mode is how a node of a tree decides. The numbers are those of version 5.
type mode uint8

// The modes.
const (
	upTo    mode = iota // x <= value
	below               // x < value
	least               // x >= value
	above               // x > value
	equal               // x == value
	unequal             // x != value
	member              // x is in a set
	leaf
)

var modeNames = []string{"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ",
	"BRANCH_NEQ", "BRANCH_MEMBER", "LEAF"}

// treeNode is a node of a tree.
type treeNode struct {
	mode    mode
	tracks  bool    // a missing value goes where a comparison that holds goes
	feature int32   // which column of the operator's input
	yes, no int32   // places of the children; of leaves the range of their weights
	value   float64 // with which columns are compared; of member the place of the set
	number  int32   // the file's number of the node, of leaves of version 5 that of the leaf
}

// treeWeight is what a leaf adds to a target, which is a score or a class.
type treeWeight struct {
	target int32
	value  float64
}

// ensemble is what an operator of trees holds, whatever its version.
type ensemble struct {
	operator   *operator
	nodes      []treeNode
	roots      []int32
	weights    []treeWeight
	sets       [][]float64
	targets    int
	base       []float64
	post       string // how scores become the output, as version 3 names it
	average    bool   // scores are the mean of the trees, else their sum
	classes    []string
	integers   bool // the classes are integers
	classifier bool // it has labels and scores, else scores alone
}

// lists are the attributes of an operator of trees, as they are in the file.
type lists struct {
	tree, node, feature, yes, no, tracks []int64
	modes                                []mode
	values                               []float64
	ids, weightTree, weightNode          []int64
	weights                              []float64
	yesLeaf, noLeaf                      []int64 // of version 5
	members                              []float64
}

// Bounds of what a node and a weight take, in bytes.
const (
	bytesPerNode   = 32
	bytesPerWeight = 24
)

// readEnsemble reads the attributes of an operator of trees.
func (m *onnxModel) readEnsemble(o *operator) *ensemble {
	e := &ensemble{operator: o, post: "NONE", classifier: o.op == "TreeEnsembleClassifier"}
	var l lists
	for i := range o.attributes {
		e.attribute(&l, &o.attributes[i])
	}
	m.intact()
	if e.classifier {
		e.targets = len(e.classes)
	}
	e.check()
	m.message.Take(int64(len(l.yes)+len(l.ids))*(bytesPerNode+4) + int64(len(l.ids))*bytesPerWeight)
	m.intact()
	read := e.fromNodes
	if o.op == "TreeEnsemble" {
		read = e.fromLeaves
	}
	read(&l)
	for i := range e.nodes {
		if d := &e.nodes[i]; d.mode < equal && math.IsNaN(d.value) {
			e.damaged("node %d compares with NaN", d.number)
		}
	}
	if len(e.roots) == 0 {
		e.damaged("no trees")
	}
	return e
}

// attribute reads one attribute into e and l.
func (e *ensemble) attribute(l *lists, a *attribute) {
	known := e.meaning(a)
	switch a.name {
	case "nodes_treeids":
		l.tree = a.ints()
	case "nodes_nodeids":
		l.node = a.ints()
	case "nodes_featureids":
		l.feature = a.ints()
	case "nodes_truenodeids":
		l.yes = a.ints()
	case "nodes_falsenodeids":
		l.no = a.ints()
	case "nodes_missing_value_tracks_true":
		l.tracks = a.ints()
	case "nodes_modes":
		e.modes(l, a)
	case "nodes_values":
		l.values = wide(a, a.floats())
	case "nodes_values_as_tensor", "nodes_splits":
		a.numbers(&l.values)
	case "class_ids", "target_ids", "leaf_targetids":
		l.ids = a.ints()
	case "class_treeids", "target_treeids":
		l.weightTree = a.ints()
	case "class_nodeids", "target_nodeids":
		l.weightNode = a.ints()
	case "class_weights", "target_weights":
		l.weights = wide(a, a.floats())
	case "class_weights_as_tensor", "target_weights_as_tensor", "leaf_weights":
		a.numbers(&l.weights)
	case "nodes_trueleafs":
		l.yesLeaf = a.ints()
	case "nodes_falseleafs":
		l.noLeaf = a.ints()
	case "membership_values":
		a.numbers(&l.members)
	case "tree_roots":
		e.roots = narrow(a.ints())
	case "nodes_hitrates", "nodes_hitrates_as_tensor": // how often nodes were passed; no cover
	default:
		if !known {
			refuse("the attribute %.50q of %s", a.name, e.operator.op)
		}
	}
}

// meaning reads an attribute that is no list of nodes or leaves, and reports whether it is one.
func (e *ensemble) meaning(a *attribute) bool {
	v5 := e.operator.op == "TreeEnsemble"
	switch a.name {
	case "base_values":
		e.base = wide(a, a.floats())
	case "base_values_as_tensor":
		a.numbers(&e.base)
	case "n_targets":
		e.targets = int(min(max(a.int(), 0), math.MaxInt32))
	case "classlabels_strings":
		a.texts(func(text []byte) {
			if a.message.Take(int64(len(text)) + bytesPerName) {
				e.classes = append(e.classes, string(text))
			}
		})
	case "classlabels_int64s":
		list := a.ints()
		e.integers = a.message.Take(int64(len(list)) * bytesPerName)
		for _, v := range list {
			if e.integers {
				e.classes = append(e.classes, fmt.Sprint(v))
			}
		}
	case "post_transform":
		if e.post = a.text(); v5 {
			e.post = named(a.int(), "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")
		}
	case "aggregate_function":
		name := a.text()
		if v5 {
			name = named(a.int(), "AVERAGE", "SUM", "MIN", "MAX")
		}
		if e.average = name == "AVERAGE"; !e.average && name != "SUM" {
			e.post = "aggregate_function " + name // check refuses it
		}
	default:
		return false
	}
	return true
}

// named returns the name that a number has in a list.
func named(v int64, names ...string) string {
	if v < 0 || v >= int64(len(names)) {
		return fmt.Sprint("number ", v)
	}
	return names[v]
}

// check refuses what no model can hold.
func (e *ensemble) check() {
	if !slices.Contains([]string{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}, e.post) {
		refuse("%.50q as transform or aggregate of %s", e.post, e.operator.op)
	}
	if e.classifier && e.average {
		refuse("an aggregate_function of %s", e.operator.op)
	}
	if e.classifier && e.targets < 2 {
		refuse("a classifier of %d classes: with less than two there is nothing to predict", e.targets)
	}
	if e.targets < 1 || e.targets > maxTargets {
		refuse("%s of %d targets: from 1 to %d can be read", e.operator.op, e.targets,
			maxTargets)
	}
}

// maxTargets is the greatest number of scores.
const maxTargets = 1 << 16

func wide(a *attribute, list []float32) []float64 {
	if !a.message.Take(8 * int64(len(list))) {
		return nil
	}
	all := make([]float64, len(list))
	for i, v := range list {
		all[i] = float64(v)
	}
	return all
}

// narrow makes places of numbers; one that is out of range becomes -1.
func narrow(list []int64) []int32 {
	all := make([]int32, len(list))
	for i, v := range list {
		if all[i] = int32(v); int64(all[i]) != v {
			all[i] = -1
		}
	}
	return all
}

// numbers reads a tensor's numbers.
func (a *attribute) numbers(list *[]float64) {
	t := a.tensor()
	switch {
	case t == nil:
	case t.element != float32s && t.element != float64s:
		refuse("the attribute %.50q of type %d", a.name, t.element)
	default:
		*list = t.numbers
	}
}

// modes reads the modes of nodes: texts, or from version 5 on numbers.
func (e *ensemble) modes(l *lists, a *attribute) {
	if e.operator.op == "TreeEnsemble" {
		t := a.tensor()
		if t == nil {
			return
		}
		for _, v := range t.numbers {
			if t.element != uint8s || v >= float64(leaf) {
				foreign.Check(corrupt("nodes_modes", e.operator.offset, fmt.Errorf("mode %v", v)))
			}
			l.modes = append(l.modes, mode(v))
		}
		return
	}
	a.texts(func(text []byte) {
		m := slices.Index(modeNames, string(text))
		if m < 0 {
			refuse("the mode %.50q of a node", text)
		}
		l.modes = append(l.modes, mode(m))
	})
}

// damaged ends reading by a fault in the structure of the trees.
func (e *ensemble) damaged(format string, args ...any) {
	foreign.Check(corrupt(e.operator.op, e.operator.offset, fmt.Errorf(format, args...)))
}
