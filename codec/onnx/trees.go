package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/protobuf"
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
func readEnsemble(m *protobuf.Message, o *operator) (*ensemble, error) {
	e := &ensemble{operator: o, post: "NONE", classifier: o.op == "TreeEnsembleClassifier"}
	var l lists
	for i := range o.attributes {
		if err := e.attribute(&l, &o.attributes[i]); err != nil {
			return nil, err
		}
	}
	if m.Err() != nil {
		return nil, m.Err()
	}
	if e.classifier {
		e.targets = len(e.classes)
	}
	if err := e.check(); err != nil {
		return nil, err
	}
	if !m.Take(int64(len(l.yes)+len(l.ids))*(bytesPerNode+4) + int64(len(l.ids))*bytesPerWeight) {
		return nil, m.Err()
	}
	read := e.fromNodes
	if o.op == "TreeEnsemble" {
		read = e.fromLeaves
	}
	if err := read(&l); err != nil {
		return nil, err
	}
	for i := range e.nodes {
		if d := &e.nodes[i]; d.mode < equal && math.IsNaN(d.value) {
			return nil, e.damaged("node %d compares with NaN", d.number)
		}
	}
	if len(e.roots) == 0 {
		return nil, e.damaged("no trees")
	}
	return e, nil
}

// attribute reads one attribute into e and l.
func (e *ensemble) attribute(l *lists, a *attribute) error {
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
		return e.modes(l, a)
	case "nodes_values":
		l.values = wide(a, a.floats())
	case "nodes_values_as_tensor", "nodes_splits":
		return a.numbers(&l.values)
	case "class_ids", "target_ids", "leaf_targetids":
		l.ids = a.ints()
	case "class_treeids", "target_treeids":
		l.weightTree = a.ints()
	case "class_nodeids", "target_nodeids":
		l.weightNode = a.ints()
	case "class_weights", "target_weights":
		l.weights = wide(a, a.floats())
	case "class_weights_as_tensor", "target_weights_as_tensor", "leaf_weights":
		return a.numbers(&l.weights)
	case "nodes_trueleafs":
		l.yesLeaf = a.ints()
	case "nodes_falseleafs":
		l.noLeaf = a.ints()
	case "membership_values":
		return a.numbers(&l.members)
	case "tree_roots":
		e.roots = narrow(a.ints())
	case "nodes_hitrates", "nodes_hitrates_as_tensor": // how often nodes were passed; no cover
	default:
		if !known {
			return unsupported("the attribute %.50q of %s", a.name, e.operator.op)
		}
	}
	return nil
}

// meaning reads an attribute that is no list of nodes or leaves, and reports whether it is one.
func (e *ensemble) meaning(a *attribute) bool {
	v5 := e.operator.op == "TreeEnsemble"
	switch a.name {
	case "base_values":
		e.base = wide(a, a.floats())
	case "base_values_as_tensor":
		return a.numbers(&e.base) == nil
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
func (e *ensemble) check() error {
	if !slices.Contains([]string{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}, e.post) {
		return unsupported("%.50q as transform or aggregate of %s", e.post, e.operator.op)
	}
	if e.classifier && e.targets < 2 {
		return unsupported("a classifier of %d classes", e.targets)
	}
	if e.targets < 1 || e.targets > maxTargets {
		return unsupported("%s of %d targets: from 1 to %d can be read", e.operator.op, e.targets,
			maxTargets)
	}
	return nil
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
func (a *attribute) numbers(list *[]float64) error {
	t := a.tensor()
	switch {
	case t == nil:
	case t.element != float32s && t.element != float64s:
		return unsupported("the attribute %.50q of type %d", a.name, t.element)
	default:
		*list = t.numbers
	}
	return nil
}

// modes reads the modes of nodes: texts, or from version 5 on numbers.
func (e *ensemble) modes(l *lists, a *attribute) error {
	if e.operator.op == "TreeEnsemble" {
		t := a.tensor()
		if t == nil {
			return nil
		}
		for _, v := range t.numbers {
			if t.element != uint8s || v >= float64(leaf) {
				return corrupt("nodes_modes", e.operator.offset, fmt.Errorf("mode %v", v))
			}
			l.modes = append(l.modes, mode(v))
		}
		return nil
	}
	var err error
	a.texts(func(text []byte) {
		m := slices.Index(modeNames, string(text))
		if m < 0 && err == nil {
			err = unsupported("the mode %.50q of a node", text)
		}
		l.modes = append(l.modes, mode(m))
	})
	return err
}

// damaged reports a fault in the structure of the trees.
func (e *ensemble) damaged(format string, args ...any) error {
	return corrupt(e.operator.op, e.operator.offset, fmt.Errorf(format, args...))
}

// fromNodes makes the nodes of versions 1 to 3, where leaves are nodes and a node's name is its
// tree's number and its own. A tree is the nodes that follow each other with one number, root
// first.
func (e *ensemble) fromNodes(l *lists) error {
	n := len(l.yes)
	for _, length := range []int{len(l.tree), len(l.node), len(l.feature), len(l.no), len(l.modes),
		len(l.values)} {
		if length != n {
			return e.damaged("lists of %d and %d nodes", n, length)
		}
	}
	if len(l.tracks) != 0 && len(l.tracks) != n {
		return e.damaged("%d rules for missing values of %d nodes", len(l.tracks), n)
	}
	e.nodes = make([]treeNode, n)
	for i := range e.nodes {
		d := &e.nodes[i]
		*d = treeNode{mode: l.modes[i], value: l.values[i], number: int32(l.node[i]),
			tracks: l.tracks != nil && l.tracks[i] == 1, feature: int32(l.feature[i])}
		if i == 0 || l.tree[i] != l.tree[i-1] {
			e.roots = append(e.roots, int32(i))
		}
		switch {
		case l.node[i] != int64(d.number) || d.number < 0:
			return e.damaged("node %d is called %d", i, l.node[i])
		case d.mode != leaf && (l.feature[i] != int64(d.feature) || d.feature < 0):
			return e.damaged("node %d tests column %d", i, l.feature[i])
		case d.mode == member:
			return unsupported("BRANCH_MEMBER in %s", e.operator.op)
		}
	}
	places, err := e.places(l)
	if err != nil {
		return err
	}
	for i := range e.nodes {
		d := &e.nodes[i]
		if d.mode == leaf {
			continue
		}
		d.yes, d.no = places.find(l.tree[i], l.yes[i]), places.find(l.tree[i], l.no[i])
		if d.yes < 0 || d.no < 0 {
			return e.damaged("node %d of tree %d has no child %d or %d", d.number, l.tree[i], l.yes[i], l.no[i])
		}
	}
	return e.leafWeights(l, places)
}

// places finds nodes by their names: order has their places, ascending by name.
type places struct {
	*lists
	order []int32
}

// places sorts the nodes of fromNodes, of which none may have the name of another.
func (e *ensemble) places(l *lists) (places, error) {
	p := places{l, make([]int32, len(l.node))}
	for i := range p.order {
		p.order[i] = int32(i)
	}
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(l.tree[a], l.tree[b]), cmp.Compare(l.node[a], l.node[b]))
	}
	if !slices.IsSortedFunc(p.order, compare) {
		slices.SortFunc(p.order, compare)
	}
	for i := 1; i < len(p.order); i++ {
		if a := p.order[i]; compare(p.order[i-1], a) == 0 {
			return p, e.damaged("two nodes %d of tree %d", l.node[a], l.tree[a])
		}
	}
	for i := 1; i < len(e.roots); i++ {
		if tree := l.tree[e.roots[i]]; p.find(tree, l.node[e.roots[i]]) < 0 {
			return p, e.damaged("tree %d", tree)
		}
	}
	return p, nil
}

// find returns the place of a node, -1 if there is none.
func (p places) find(tree, node int64) int32 {
	i, ok := slices.BinarySearchFunc(p.order, node, func(at int32, node int64) int {
		return cmp.Or(cmp.Compare(p.tree[at], tree), cmp.Compare(p.node[at], node))
	})
	if !ok {
		return -1
	}
	return p.order[i]
}

// leafWeights gives leaves their weights, in the order of the file. Weights of other nodes, which
// old converters write, count for nothing.
func (e *ensemble) leafWeights(l *lists, p places) error {
	if len(l.ids) != len(l.weightNode) || len(l.ids) != len(l.weightTree) || len(l.ids) != len(l.weights) {
		return e.damaged("%d weights of %d targets", len(l.weights), len(l.ids))
	}
	at := make([]int32, len(l.ids)) // the leaf of each weight
	for i := range at {
		if at[i] = p.find(l.weightTree[i], l.weightNode[i]); at[i] < 0 {
			return e.damaged("weight %d of node %d of tree %d, which is not there", i, l.weightNode[i], l.weightTree[i])
		}
		if id := l.ids[i]; id < 0 || id >= int64(e.targets) {
			return e.damaged("target %d of %d", id, e.targets)
		}
		if d := &e.nodes[at[i]]; d.mode == leaf {
			d.no++ // for now their number
		}
	}
	total := int32(0)
	for i := range e.nodes {
		if d := &e.nodes[i]; d.mode == leaf {
			d.yes, d.no, total = total, total, total+d.no
		}
	}
	e.weights = make([]treeWeight, total)
	for i, place := range at {
		if d := &e.nodes[place]; d.mode == leaf {
			e.weights[d.no] = treeWeight{int32(l.ids[i]), l.weights[i]}
			d.no++
		}
	}
	return nil
}

var errRoot = errors.New("a root that is no node")

// fromLeaves makes the nodes of version 5, which has leaves apart: leaf i is put behind the nodes.
func (e *ensemble) fromLeaves(l *lists) error {
	n := len(l.yes)
	for _, length := range []int{len(l.feature), len(l.no), len(l.modes), len(l.values), len(l.yesLeaf),
		len(l.noLeaf)} {
		if length != n {
			return e.damaged("lists of %d and %d nodes", n, length)
		}
	}
	if len(l.tracks) != 0 && len(l.tracks) != n || len(l.ids) != len(l.weights) {
		return e.damaged("rules for missing values or weights of other nodes")
	}
	e.nodes = make([]treeNode, n, n+len(l.ids))
	place := func(child, isLeaf int64) int32 {
		if isLeaf == 0 && child >= 0 && child < int64(n) {
			return int32(child)
		}
		if isLeaf != 0 && child >= 0 && child < int64(len(l.ids)) {
			return int32(n) + int32(child)
		}
		return -1
	}
	for i := range e.nodes {
		d := &e.nodes[i]
		*d = treeNode{mode: l.modes[i], value: l.values[i], number: int32(i), feature: int32(l.feature[i]),
			tracks: l.tracks != nil && l.tracks[i] == 1,
			yes:    place(l.yes[i], l.yesLeaf[i]), no: place(l.no[i], l.noLeaf[i])}
		if d.yes < 0 || d.no < 0 || l.feature[i] != int64(d.feature) || d.feature < 0 {
			return e.damaged("node %d has a child or column out of range", i)
		}
		if d.mode == member {
			d.value = float64(len(e.sets))
			e.sets = append(e.sets, l.nextSet())
		}
	}
	e.weights = make([]treeWeight, len(l.ids))
	for i, id := range l.ids {
		if id < 0 || id >= int64(e.targets) {
			return e.damaged("target %d of %d", id, e.targets)
		}
		e.weights[i] = treeWeight{int32(id), l.weights[i]}
		e.nodes = append(e.nodes, treeNode{mode: leaf, number: int32(i), yes: int32(i), no: int32(i + 1)})
	}
	for i, root := range e.roots {
		if root < 0 || int(root) >= n {
			return corrupt(e.operator.op, e.operator.offset, errRoot)
		}
		// a tree of one leaf is a node with it twice
		if d := &e.nodes[root]; d.yes == d.no && int(d.yes) >= n {
			e.roots[i] = d.yes
		}
	}
	return nil
}

// nextSet returns the members of the next set: NaN ends it.
func (l *lists) nextSet() []float64 {
	end := slices.IndexFunc(l.members, math.IsNaN)
	if end < 0 {
		set := l.members
		l.members = nil
		return set
	}
	set := l.members[:end]
	l.members = l.members[end+1:]
	return set
}
