package lightgbm

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// dumpNode is a node of a dump.
type dumpNode struct {
	inner     int32    // its number; -1: a leaf so far
	children  [2]int32 // of inner nodes, as links
	childSeen [2]bool
	split     dumpSplit // of inner nodes
	leaf      dumpLeaf  // of leaves
}

// dumpSplit is what an inner node compares.
type dumpSplit struct {
	feature     int
	threshold   string // a number, or the codes of categories such as 1||10||100
	decision    string
	defaultLeft bool
	missing     string
	gain        float64
	hasGain     bool
}

// dumpLeaf is a leaf, which has an equation in linear trees.
type dumpLeaf struct {
	number             int // -1: none
	value, count       float64
	hasValue, hasCount bool
	linear             bool
	constant           float64
	features           []int32
	coefs              []float64
}

// bytesPerNode bounds the memory that a node of a dump takes while it is read.
const bytesPerNode = 640

// node reads a node with all below it, and returns what a child link to it is.
func (d *dumpReader) node(t *fileTree) (link int32) {
	d.Take(bytesPerNode)
	n := &dumpNode{inner: -1}
	n.split.feature, n.leaf.number = -1, -1
	d.Object(func(key string) { d.nodeMember(t, n, key) })
	if n.inner < 0 {
		link, err := t.addLeaf(&n.leaf)
		d.fail(err)
		return link
	}
	d.setInner(t, n)
	return n.inner
}

// nodeMember reads a member of a node.
func (d *dumpReader) nodeMember(t *fileTree, n *dumpNode, key string) {
	s, l := &n.split, &n.leaf
	switch key {
	case "left_child":
		d.child(t, n, 0)
	case "right_child":
		d.child(t, n, 1)
	case "split_feature":
		s.feature = d.integer()
	case "threshold":
		s.threshold = d.threshold()
	case "decision_type":
		s.decision = d.Text()
	case "default_left":
		s.defaultLeft = d.Bool()
	case "missing_type":
		s.missing = d.Text()
	case "split_gain":
		s.gain, s.hasGain = d.Float(64), true
	case "leaf_index":
		l.number = d.integer()
	case "leaf_value":
		l.value, l.hasValue = d.Float(64), true
	case "leaf_count":
		l.count, l.hasCount = d.Float(64), true
	case "leaf_const":
		l.constant, l.linear = d.Float(64), true
	case "leaf_features":
		d.Array(func(int) { keep(d, &l.features, int32(d.integer())) })
	case "leaf_coeff":
		d.Array(func(int) { keep(d, &l.coefs, d.Float(64)) })
	default:
		d.Skip()
	}
}

// threshold reads a threshold: a number, or a text of codes.
func (d *dumpReader) threshold() string {
	if d.Next() == '"' {
		return d.Text()
	}
	return string(d.Word()) // its bytes are part of bytesPerNode
}

// child reads a child of a node, which gets the next number of inner nodes with its first child.
func (d *dumpReader) child(t *fileTree, n *dumpNode, side int) {
	if n.inner < 0 {
		n.inner = int32(len(t.feature))
		t.feature, t.threshold = append(t.feature, -1), append(t.threshold, 0)
		t.decision = append(t.decision, 0)
		t.left, t.right = append(t.left, 0), append(t.right, 0)
	}
	if n.childSeen[side] {
		d.Fail("a node has the same child twice")
	}
	n.children[side], n.childSeen[side] = d.node(t), true
}

// addLeaf adds a leaf and returns the link to it.
func (t *fileTree) addLeaf(l *dumpLeaf) (link int32, err error) {
	leaf := int32(len(t.value))
	if !l.hasValue {
		return 0, errors.New("a node has neither children nor a value")
	}
	if (t.linear != nil) != l.linear && leaf > 0 {
		return 0, errors.New("only some leaves have equations")
	}
	if l.number < 0 {
		l.number = int(leaf)
	}
	t.value, t.number = append(t.value, l.value), append(t.number, int32(l.number))
	if l.hasCount {
		t.count = append(t.count, l.count)
	}
	if !l.linear {
		return ^leaf, nil
	}
	if len(l.features) != len(l.coefs) {
		return 0, fmt.Errorf("%d features and %d coefficients", len(l.features), len(l.coefs))
	}
	if t.linear == nil {
		t.linear = &equations{at: []int32{0}}
	}
	e := t.linear
	e.constant = append(e.constant, l.constant)
	e.feature, e.coef = append(e.feature, l.features...), append(e.coef, l.coefs...)
	e.at = append(e.at, int32(len(e.feature)))
	return ^leaf, nil
}

// setInner fills in an inner node.
func (d *dumpReader) setInner(t *fileTree, n *dumpNode) {
	i, s := n.inner, &n.split
	if n.childSeen != [2]bool{true, true} {
		d.Fail("a node has one child")
	}
	t.feature[i], t.left[i], t.right[i] = int32(s.feature), n.children[0], n.children[1]
	if s.hasGain {
		if t.gain == nil {
			t.gain = make([]float64, 0, len(t.feature))
		}
		for len(t.gain) < len(t.feature) {
			t.gain = append(t.gain, 0)
		}
		t.gain[i] = s.gain
	}
	switch s.missing {
	case "None", "":
	case "Zero":
		t.decision[i] |= missingZero << 2
	case "NaN":
		t.decision[i] |= missingNaN << 2
	default:
		d.Fail("missing_type %.20q", s.missing)
	}
	if s.defaultLeft {
		t.decision[i] |= 2
	}
	switch s.decision {
	case "<=", "no_greater":
		x, err := strconv.ParseFloat(s.threshold, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			d.Fail("the threshold %.20q is not a number", s.threshold)
		}
		t.threshold[i] = x
	case "==", "is":
		t.decision[i] |= 1
		t.threshold[i] = float64(len(t.catAt) - 1)
		d.addSet(t, s.threshold)
	default:
		d.Fail("decision_type %.20q", s.decision)
	}
}

// addSet adds the set of codes in a text such as 1||10||100.
func (d *dumpReader) addSet(t *fileTree, text string) {
	start := len(t.cats)
	for word := range strings.SplitSeq(text, "||") {
		code, err := number([]byte(word))
		if err != nil || code < 0 {
			d.Fail("%.20q is no category", word)
		}
		if missing := start + code/32 + 1 - len(t.cats); missing > 0 {
			d.Take(8 * int64(missing))
			t.cats = slices.Grow(t.cats, missing)[:start+code/32+1]
			clear(t.cats[len(t.cats)-missing:])
		}
		t.cats[start+code/32] |= 1 << (code % 32)
	}
	t.catAt = append(t.catAt, int32(len(t.cats)))
}
