package tree

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Validate checks every invariant of the structure, so that no walk can leave the arrays or fail to
// end, whatever wrote them:
//
//   - arrays of equal lengths;
//   - children contiguous, in range and after their parent;
//   - each node but the root the child of exactly one, and each set the set of one node at most;
//   - features below features (any, if features < 0), and leaves without one;
//   - sets, directions, surrogates, samples, equations and value slots in range;
//   - a cover, where there is one, of each node where rows end;
//   - fractions that divide a row without rest;
//   - finite numbers, but for infinite split points.
//
// Codecs call it on what they read from untrusted files.
func (t *Tree) Validate(features int) error {
	switch n := t.Len(); {
	case n == 0:
		return errors.New("tree without nodes")
	case n > math.MaxInt32:
		return fmt.Errorf("tree of %d nodes", n)
	}
	if features < 0 || features > MaxFeatures {
		features = MaxFeatures
	}
	v := validation{t, features}
	for _, check := range []func() error{
		v.sets, v.leaves, v.directions, v.surrogates, v.nodes, v.fractions, v.samples,
		v.equations, v.stats,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// validation checks the parts of a tree one after the other. Each part relies on those before it.
type validation struct {
	*Tree
	features int // the number of features that nodes may have
}

func (t validation) sets() error {
	return validateIndex("sets", t.SetAt, max(0, len(t.SetAt)-1), len(t.Sets))
}

// marks is a set of numbers from 1 on: of nodes that are the child of some node, of sets. Number c
// is bit c-1, so that the children of binary trees, 1 2, 3 4, ..., are pairs of bits in one word.
type marks []uint64

func newMarks(n int) marks { return make(marks, (n+63)/64) }

// add marks the numbers from first on, arity of them, and reports whether none was marked before.
func (m marks) add(first, arity int32) bool {
	for c := first - 1; c < first-1+arity; c++ {
		if m[c>>6]>>(c&63)&1 == 1 {
			return false
		}
		m[c>>6] |= 1 << (c & 63)
	}
	return true
}

// count returns the number of nodes that are marked.
func (m marks) count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// nodes checks the nodes, that they make a tree, and its cover.
func (t validation) nodes() error {
	n := t.Len()
	seen, taken := newMarks(n), newMarks(len(t.SetAt))
	byCode, children, stops := 0, 0, 0 // ByCode nodes and their children
	for i := 0; i < n; i++ {
		i += t.skipPlain(i, seen)
		if err := t.node(i); err != nil {
			return err
		}
		d := &t.Nodes[i]
		if d.Kind().hasSet() && !taken.add(d.Set()+1, 1) {
			return fmt.Errorf("node %d has the set of another node, number %d", i, d.Set())
		}
		if !seen.add(d.child, d.Arity()) {
			return fmt.Errorf("node %d: of its children, from %d on, one is the child of two nodes",
				i, d.child)
		}
		if d.Kind() == ByCode {
			byCode, children = byCode+1, children+int(d.Arity())
		}
		if d.Missing() == MissingStop {
			stops++
		}
	}
	if links := seen.count(); links != n-1 {
		return fmt.Errorf("%d nodes and %d child links", n, links)
	}
	// Leaves are not counted one by one, as most are skipped. Each node but the root is a child:
	// those that are not of a ByCode node are of one with two children.
	return t.cover(n - byCode - (n-1-children)/2 + stops)
}

// skipPlain is node and marks.add for the leaves and split points from node i on, as most
// nodes of most trees are. It returns their number, up to the first node that is something else or
// not sound, or is the last.
//
// The conditions of a leaf and of a split point differ. No branch distinguishes them, because it
// could not be predicted: the lowest bit of look selects from a pair of expected values.
func (t validation) skipPlain(i int, seen marks) int {
	// A number x is one of size from low on if x - low < size, as the difference of smaller ones
	// wraps around. The children of a split point are beyond it, and two; a leaf's slot is among
	// those of the values, or -1.
	type wants struct {
		look, most uint32 // look is this, or differs by no more than most
		low, size  uint32 // of child
		splitPoint uint32 // all ones for a split point
		pair       uint64 // the children's marks
	}
	want := [2]wants{
		{look: pack(Leaf, MissingFirst, -1), low: ^uint32(0), size: 1},
		{most: max(1, uint32(t.features)<<featureAt) - 1, low: 1, size: uint32(len(t.Nodes) - 2),
			splitPoint: ^uint32(0), pair: 3},
	}
	if t.Leaf.InNodes {
		want[0].low, want[0].size = 0, uint32(len(t.Leaf.Value)/t.Leaf.Width)
	}
	other := uint32(0xee) // bits of look that other kinds have, or rules that may need fractions
	if t.Fraction != nil {
		other = 0xce // but fractions are checked where they are
	}
	at := uint32(i)
	for nodes := t.Nodes[i : len(t.Nodes)-1]; len(nodes) > 0; nodes = nodes[1:] {
		d := &nodes[0]
		w := &want[d.look&1]
		before, child := at&w.splitPoint, uint32(d.child)
		if d.look&other != 0 || d.look^w.look > w.most || d.splitPoint != d.splitPoint ||
			child-w.low-before >= w.size-before {
			break
		}
		first := (child - 1) & w.splitPoint
		pair := w.pair << (first & 63)
		if first&1 != 0 || seen[first>>6]&pair != 0 {
			break
		}
		seen[first>>6] |= pair
		at++
	}
	return int(at) - i
}

// node checks all of one node, but not that no other node has its children.
func (t validation) node(i int) error {
	d := &t.Nodes[i]
	k, rule, feature, arity := d.Kind(), d.Missing(), d.Feature(), int64(d.Arity())
	directed := k == Oblique || k == Sphere
	switch {
	case k == Leaf:
		return t.leaf(i)
	case k > Sphere:
		return fmt.Errorf("node %d: unknown kind %d", i, k)
	case rule > MissingStop:
		return fmt.Errorf("node %d: unknown missing rule %d", i, rule)
	case math.IsNaN(d.splitPoint):
		return fmt.Errorf("node %d: split point is not a number", i)
	case k == ByCode && !whole(d.splitPoint, 1, t.Len()):
		return fmt.Errorf("node %d has %v children", i, d.splitPoint)
	case k.hasSet() && !whole(d.splitPoint, 0, len(t.SetAt)-1):
		return fmt.Errorf("node %d has no set: number %v of %d", i, d.splitPoint,
			max(0, len(t.SetAt)-1))
	case int64(d.child) <= int64(i) || int64(d.child) > int64(t.Len())-arity:
		return fmt.Errorf("node %d: children at %d are out of range", i, d.child)
	case directed && (feature != -1 || t.Dirs == nil || t.Dirs.At[i] == t.Dirs.At[i+1]):
		return fmt.Errorf("node %d has no direction", i)
	case !directed && (feature < 0 || int(feature) >= t.features):
		return fmt.Errorf("node %d: feature %d of %d", i, feature, t.features)
	case rule == MissingFractional && t.Fraction == nil:
		return fmt.Errorf("node %d divides rows and has no fractions", i)
	case rule == MissingStop && t.Slot(int32(i)) < 0:
		return fmt.Errorf("node %d stops rows and has no value", i)
	}
	return nil
}

func (t validation) leaf(i int) error {
	d := &t.Nodes[i]
	if d.look != pack(Leaf, MissingFirst, -1) || math.IsNaN(d.splitPoint) {
		return fmt.Errorf("leaf %d has a feature, a missing rule or a split point that is "+
			"not a number", i)
	}
	slots := len(t.Leaf.Value) / t.Leaf.Width
	switch {
	case t.Leaf.InNodes && (d.child < 0 || int(d.child) >= slots):
		return fmt.Errorf("node %d: value slot %d of %d", i, d.child, slots)
	case !t.Leaf.InNodes && d.child != -1:
		return fmt.Errorf("leaf %d has children", i)
	}
	return nil
}

// whole reports whether x is a whole number from low up to, but not including, high.
func whole(x float64, low, high int) bool {
	return x >= float64(low) && x < float64(high) && x == math.Floor(x)
}

// validateIndex checks an index of n segments of an array; both may be absent.
func validateIndex(what string, at []int32, n, length int) error {
	if at == nil {
		if length > 0 {
			return fmt.Errorf("%s without an index", what)
		}
		return nil
	}
	if len(at) != n+1 || at[0] != 0 || int(at[n]) != length {
		return fmt.Errorf("index of %s does not fit", what)
	}
	for i := range n {
		if at[i+1] < at[i] {
			return fmt.Errorf("%s: list %d has a negative length", what, i)
		}
	}
	return nil
}

func (t validation) directions() error {
	d := t.Dirs
	if d == nil {
		return nil
	}
	if d.At == nil || len(d.Coef) != len(d.Feature) || !finite(d.Coef) {
		return errors.New("directions of unequal length, without an index or not finite")
	}
	if err := validateIndex("directions", d.At, t.Len(), len(d.Feature)); err != nil {
		return err
	}
	for i := range t.Nodes {
		if k := t.Nodes[i].Kind(); k != Oblique && k != Sphere && d.At[i] != d.At[i+1] {
			return fmt.Errorf("node %d has a direction it does not use", i)
		}
		for j := d.At[i] + 1; j < d.At[i+1]; j++ {
			if d.Feature[j] <= d.Feature[j-1] {
				return fmt.Errorf("node %d: features of its direction do not ascend", i)
			}
		}
	}
	return validateFeatures(d.Feature, t.features)
}

func (t validation) surrogates() error {
	s := t.Surrogates
	if s == nil {
		return nil
	}
	n := len(s.Kind)
	if s.At == nil || len(s.Feature) != n || len(s.SplitPoint) != n || len(s.Flip) != n ||
		len(s.Agree) != n || len(s.Adjusted) != n {
		return errors.New("surrogates of unequal length or without an index")
	}
	if err := validateIndex("surrogates", s.At, t.Len(), n); err != nil {
		return err
	}
	if err := validateIndex("surrogates' sets", s.SetAt, n, len(s.Sets)); err != nil {
		return err
	}
	for i, k := range s.Kind {
		if k != Numeric && (!k.hasSet() || s.SetAt == nil) || s.Flip[i] > 1 ||
			math.IsNaN(s.SplitPoint[i]) {
			return fmt.Errorf("surrogate %d: kind %d without what it needs", i, k)
		}
	}
	for i := range t.Nodes {
		if d := &t.Nodes[i]; s.At[i] != s.At[i+1] &&
			(d.Arity() != 2 || d.Missing() != MissingSurrogate && d.Missing() != MissingStop) {
			return fmt.Errorf("node %d has surrogates it does not use", i)
		}
	}
	if !finite(s.Agree) || !finite(s.Adjusted) {
		return errors.New("agreement of a surrogate is not finite")
	}
	return validateFeatures(s.Feature, t.features)
}

func validateFeatures(list []int32, features int) error {
	for _, f := range list {
		if f < 0 || int(f) >= features {
			return fmt.Errorf("feature %d of %d", f, features)
		}
	}
	return nil
}

// leaves checks the values, and the slots that are not in the nodes.
func (t validation) leaves() error {
	l := &t.Leaf
	if l.Kind > Counts || l.Width < 1 || l.Kind == Scalar && l.Width != 1 ||
		len(l.Value)%l.Width != 0 {
		return errors.New("leaf values of unknown kind or width")
	}
	if len(l.Value) > math.MaxInt32 {
		return fmt.Errorf("%d numbers in its values", len(l.Value))
	}
	slots := len(l.Value) / l.Width
	switch {
	case l.Slot != nil && l.InNodes:
		return errors.New("slots of values both in the nodes and beside them")
	case l.Slot != nil && len(l.Slot) != t.Len() || t.Leaf.InnerValues() && slots != t.Len():
		return errors.New("number of leaf values does not fit")
	}
	for i, s := range l.Slot {
		if int(s) >= slots || s < -1 || s < 0 && t.Nodes[i].Kind() == Leaf {
			return fmt.Errorf("node %d: value slot %d of %d", i, s, slots)
		}
	}
	if !finite(l.Value) {
		return errors.New("a value is not finite")
	}
	return nil
}

func (t validation) stats() error {
	s := t.Stats
	if s == nil {
		return nil
	}
	gains := t.Leaf.InNodes && len(s.Rows)+len(s.Weight)+len(s.Impurity) == 0
	if !gains && (len(s.Rows) != t.Len() || len(s.Weight) != t.Len() ||
		len(s.Impurity) != t.Len()) || len(s.Gain) != t.Len() {
		return errors.New("node statistics of unequal length")
	}
	if !finite(s.Weight) || !finite(s.Impurity) || !finite(s.Gain) {
		return errors.New("a weight, impurity or gain is not finite")
	}
	return nil
}

// fractionSlack is what rounding may take from or add to the sum of a node's fractions.
const fractionSlack = 1e-6

func (t validation) fractions() error {
	if t.Fraction == nil {
		return nil
	}
	if len(t.Fraction) != t.Len() {
		return errors.New("fractions of unequal length")
	}
	for i, s := range t.Fraction {
		if !(s >= 0 && s <= 1) {
			return fmt.Errorf("node %d: fraction %v is not between 0 and 1", i, s)
		}
	}
	for i := range t.Nodes {
		d := &t.Nodes[i]
		if d.Missing() != MissingFractional {
			continue
		}
		sum := 0.0
		for c := d.Child(); c < d.Child()+d.Arity(); c++ {
			sum += t.Fraction[c]
		}
		if math.Abs(sum-1) > fractionSlack {
			return fmt.Errorf("node %d divides rows by fractions that add up to %v", i, sum)
		}
	}
	return nil
}

func finite(s []float64) bool {
	const exponent = 0x7ff << 52 // all ones in infinities and what is not a number
	for _, x := range s {
		if math.Float64bits(x)&exponent == exponent {
			return false
		}
	}
	return true
}
