package tree

import (
	"errors"
	"fmt"
	"math"
)

// Split describes an inner node to Builder.Split.
type Split struct {
	Kind    Kind
	Feature int32
	Cut     float64  // Cut nodes
	Set     []uint64 // set nodes; the builder keeps it
	Missing Missing
	Gain    float64 // total impurity decrease, for NodeStats
}

// Builder makes a tree node by node. Growing engines, pruning and codecs all use it, so that one place checks
// what a tree is. The zero value is not usable: call NewBuilder.
type Builder struct {
	t     Tree
	sets  map[int32][]uint64
	stats bool
	err   error
}

// NewBuilder starts a tree whose values have the given kind and width; stats tells whether NodeStats are kept.
// The tree starts with its root, node 0, as a leaf without value.
func NewBuilder(kind LeafKind, width int, stats bool) *Builder {
	b := &Builder{stats: stats, sets: map[int32][]uint64{}}
	b.t.Leaf.Kind, b.t.Leaf.Width = kind, width
	if stats {
		b.t.Stats = &NodeStats{}
	}
	b.add()
	return b
}

func (b *Builder) add() {
	t := &b.t
	t.Kind = append(t.Kind, Leaf)
	t.Feature = append(t.Feature, -1)
	t.Cut = append(t.Cut, 0)
	t.Child = append(t.Child, -1)
	t.Arity = append(t.Arity, 0)
	t.Missing = append(t.Missing, MissingFirst)
	for range t.Leaf.Width {
		t.Leaf.Value = append(t.Leaf.Value, 0)
	}
	if b.stats {
		s := t.Stats
		s.Rows = append(s.Rows, 0)
		s.Weight = append(s.Weight, 0)
		s.Impurity = append(s.Impurity, 0)
		s.Gain = append(s.Gain, 0)
	}
}

// Split turns leaf n into an inner node with two children and returns the number of the first; the second
// follows it.
func (b *Builder) Split(n int32, s Split) int32 {
	t := &b.t
	if n < 0 || int(n) >= t.Len() || t.Kind[n] != Leaf {
		b.err = errors.Join(b.err, fmt.Errorf("node %d is no leaf", n))
		return 0
	}
	first := int32(t.Len())
	t.Kind[n], t.Feature[n], t.Cut[n], t.Missing[n] = s.Kind, s.Feature, s.Cut, s.Missing
	t.Child[n], t.Arity[n] = first, 2
	if s.Kind == SetFirst || s.Kind == SetLast {
		b.sets[n] = s.Set
	}
	if b.stats {
		t.Stats.Gain[n] = s.Gain
	}
	b.add()
	b.add()
	return first
}

// SetValue copies v, of the tree's width, into node n's slot.
func (b *Builder) SetValue(n int32, v []float64) {
	w := b.t.Leaf.Width
	copy(b.t.Leaf.Value[int(n)*w:(int(n)+1)*w], v)
}

// SetStats records what training knew of node n. It does nothing when the builder keeps no stats.
func (b *Builder) SetStats(n int32, rows int, weight, impurity float64) {
	if b.stats {
		s := b.t.Stats
		s.Rows[n], s.Weight[n], s.Impurity[n] = uint32(rows), weight, impurity
	}
}

// Len returns the number of nodes so far.
func (b *Builder) Len() int { return b.t.Len() }

// Build checks the tree with Validate and returns it. The builder must not be used again.
func (b *Builder) Build() (*Tree, error) {
	t := &b.t
	if b.err != nil {
		return nil, b.err
	}
	if len(b.sets) > 0 {
		t.SetAt = make([]int32, t.Len()+1)
		for n := range t.Kind {
			t.Sets = append(t.Sets, b.sets[int32(n)]...)
			t.SetAt[n+1] = int32(len(t.Sets))
		}
	}
	if err := t.Validate(-1); err != nil {
		return nil, err
	}
	return t, nil
}

// Validate checks every invariant of the structure, so that no walk can leave the arrays or fail to end: equal
// lengths, children contiguous, in range and after their parent, each node but the root the child of exactly one,
// features below features (any, if features < 0), sets and value slots in range, no NaN cut. Codecs call it on
// what they read from untrusted files.
func (t *Tree) Validate(features int) error {
	n := t.Len()
	if n == 0 {
		return errors.New("tree without nodes")
	}
	if len(t.Feature) != n || len(t.Cut) != n || len(t.Child) != n || len(t.Arity) != n || len(t.Missing) != n {
		return errors.New("tree arrays of unequal length")
	}
	if err := t.validateSets(); err != nil {
		return err
	}
	next := int32(0)
	for i := range n {
		if t.Kind[i] == Leaf {
			if t.Arity[i] != 0 || t.Child[i] != -1 {
				return fmt.Errorf("leaf %d has children", i)
			}
			continue
		}
		if err := t.validateSplit(i, features); err != nil {
			return err
		}
		next += t.Arity[i]
	}
	if int(next) != n-1 {
		return fmt.Errorf("%d nodes and %d child links", n, next)
	}
	if err := t.validateTwins(); err != nil {
		return err
	}
	return t.validateValues()
}

func (t *Tree) validateSplit(i, features int) error {
	switch {
	case t.Kind[i] > SetLast:
		return fmt.Errorf("node %d: unknown kind %d", i, t.Kind[i])
	case t.Missing[i] > MissingLast:
		return fmt.Errorf("node %d: unknown missing rule %d", i, t.Missing[i])
	case t.Arity[i] != 2:
		return fmt.Errorf("node %d has %d children, not 2", i, t.Arity[i])
	case int(t.Child[i]) <= i || int(t.Child[i]) > t.Len()-2:
		return fmt.Errorf("node %d: children at %d are out of range", i, t.Child[i])
	case t.Feature[i] < 0 || features >= 0 && int(t.Feature[i]) >= features:
		return fmt.Errorf("node %d: feature %d of %d", i, t.Feature[i], features)
	case math.IsNaN(t.Cut[i]):
		return fmt.Errorf("node %d: cut is not a number", i)
	case t.Kind[i] != Cut && t.SetAt == nil:
		return fmt.Errorf("node %d has no set", i)
	}
	return nil
}

// validateTwins checks that no node is the child of two.
func (t *Tree) validateTwins() error {
	seen := make([]bool, t.Len())
	for i := range t.Kind {
		for c := t.Child[i]; c < t.Child[i]+t.Arity[i]; c++ {
			if seen[c] {
				return fmt.Errorf("node %d is the child of two nodes", c)
			}
			seen[c] = true
		}
	}
	return nil
}

func (t *Tree) validateSets() error {
	if t.SetAt == nil {
		if len(t.Sets) > 0 {
			return errors.New("sets without an index")
		}
		return nil
	}
	if len(t.SetAt) != t.Len()+1 || t.SetAt[0] != 0 || int(t.SetAt[t.Len()]) != len(t.Sets) {
		return errors.New("index of sets does not fit")
	}
	for i := range t.Kind {
		if t.SetAt[i+1] < t.SetAt[i] {
			return fmt.Errorf("node %d: set of negative length", i)
		}
	}
	return nil
}

func (t *Tree) validateValues() error {
	l := &t.Leaf
	if l.Kind > Counts || l.Width < 1 || l.Kind == Scalar && l.Width != 1 || len(l.Value)%l.Width != 0 {
		return errors.New("leaf values of unknown kind or width")
	}
	slots := len(l.Value) / l.Width
	if l.Slot == nil && slots != t.Len() || l.Slot != nil && len(l.Slot) != t.Len() {
		return errors.New("number of leaf values does not fit")
	}
	for i, s := range l.Slot {
		if int(s) >= slots || s < -1 || s < 0 && t.Kind[i] == Leaf {
			return fmt.Errorf("node %d: value slot %d of %d", i, s, slots)
		}
	}
	if s := t.Stats; s != nil && (len(s.Rows) != t.Len() || len(s.Weight) != t.Len() || len(s.Impurity) != t.Len() || len(s.Gain) != t.Len()) {
		return errors.New("node statistics of unequal length")
	}
	return nil
}
