package tree

import (
	"errors"
	"fmt"
	"slices"
)

// Split describes an inner node to Builder.Split.
type Split struct {
	Kind       Kind
	Feature    int32   // the column that Numeric, set and ByCode nodes read
	Arity      int32   // number of children; 0 means 2
	SplitPoint float64 // of Numeric, Oblique and Sphere nodes
	Set        []uint64
	Direction  []Term // Oblique and Sphere nodes, features ascending
	Missing    Missing
	Surrogates []Surrogate // MissingSurrogate and MissingStop, best first
	Gain       float64     // total impurity decrease, for NodeStats
}

// Term is one feature of a direction with its coefficient.
type Term struct {
	Feature int32
	Coef    float64
}

// Surrogate is one surrogate split; see Surrogates.
type Surrogate struct {
	Kind            Kind
	Feature         int32
	SplitPoint      float64
	Flip            bool
	Set             []uint64
	Agree, Adjusted float64
}

// SplitOf returns the description of inner node n, as Builder.Split takes it. It has no memory in
// common with the tree.
func (t *Tree) SplitOf(n int32) Split {
	s := Split{Kind: t.Kind(n), Feature: t.Feature(n), Arity: t.Arity(n),
		Set: slices.Clone(t.Set(n)), Missing: t.Missing(n)}
	switch s.Kind {
	case Numeric, Oblique, Sphere:
		s.SplitPoint = t.SplitPoint(n)
	}
	if d := t.Dirs; d != nil {
		for i := d.At[n]; i < d.At[n+1]; i++ {
			s.Direction = append(s.Direction, Term{d.Feature[i], d.Coef[i]})
		}
	}
	if r := t.Surrogates; r != nil {
		for i := r.At[n]; i < r.At[n+1]; i++ {
			s.Surrogates = append(s.Surrogates,
				Surrogate{r.Kind[i], r.Feature[i], r.SplitPoint[i], r.Flip[i] == 1,
					slices.Clone(r.Set(i)),
					r.Agree[i], r.Adjusted[i]})
		}
	}
	if t.Stats != nil {
		s.Gain = t.Stats.Gain[n]
	}
	return s
}

// Builder makes a tree node by node. Growing engines, pruning and codecs all use it, so that one
// place checks what a tree is. The zero value is not usable: call NewBuilder.
type Builder struct {
	t        Tree
	splits   map[int32]Split    // of nodes with a direction or surrogates
	linear   map[int32]equation // nil until one is set
	fraction []float64          // nil until one is set
	cover    []float64          // likewise, by node; see SetCover
	stats    bool
	leaves   bool // only leaves have values, and the stats are gains alone
	err      error
}

// NewBuilder starts a tree whose values have the given kind and width; stats reports whether
// NodeStats are kept. The tree starts with its root, node 0, as a leaf without value.
func NewBuilder(kind LeafKind, width int, stats bool) *Builder {
	b := &Builder{stats: stats, splits: map[int32]Split{}}
	b.t.Leaf.Kind, b.t.Leaf.Width = kind, width
	if stats {
		b.t.Stats = &NodeStats{}
	}
	b.add(1)
	return b
}

// add appends nodes, leaves without value.
func (b *Builder) add(nodes int) {
	t := &b.t
	for range nodes {
		t.Nodes = append(t.Nodes, newLeaf())
	}
	if b.leaves {
		t.Stats.Gain = zeros(t.Stats.Gain, nodes)
		return
	}
	t.Leaf.Value = zeros(t.Leaf.Value, nodes*t.Leaf.Width)
	if b.stats {
		s := t.Stats
		s.Rows = zeros(s.Rows, nodes)
		s.Weight = zeros(s.Weight, nodes)
		s.Impurity = zeros(s.Impurity, nodes)
		s.Gain = zeros(s.Gain, nodes)
	}
}

// Reserve takes memory for so many nodes in all, and for so many further words of sets, which saves
// growing it node by node.
func (b *Builder) Reserve(nodes, words int) {
	t := &b.t
	t.Sets = slices.Grow(t.Sets, words)
	n := nodes - t.Len()
	if n <= 0 || b.leaves {
		return
	}
	t.Nodes = slices.Grow(t.Nodes, n)
	t.Leaf.Value = slices.Grow(t.Leaf.Value, n*t.Leaf.Width)
	if s := t.Stats; b.stats {
		s.Rows, s.Weight = slices.Grow(s.Rows, n), slices.Grow(s.Weight, n)
		s.Impurity, s.Gain = slices.Grow(s.Impurity, n), slices.Grow(s.Gain, n)
	}
}

// zeros appends n zeros. Memory doubles when it is full, up to a limit: values of many classes are
// most of a tree, and append would copy them more often.
func zeros[T uint32 | float64](s []T, n int) []T {
	if len(s)+n > cap(s) {
		s = slices.Grow(s, max(n, min(len(s), mostSpare)))
	}
	s = s[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}

// mostSpare is the number of values by which memory grows at most beyond what append would make of
// it.
const mostSpare = 1 << 17

// Split turns leaf n into an inner node and returns the number of its first child; the others
// follow it.
func (b *Builder) Split(n int32, s Split) int32 {
	t := &b.t
	if n < 0 || int(n) >= t.Len() || t.Kind(n) != Leaf {
		b.err = errors.Join(b.err, fmt.Errorf("node %d is no leaf", n))
		return 0
	}
	if s.Arity == 0 {
		s.Arity = 2
	}
	if err := s.check(); err != nil {
		b.err = errors.Join(b.err, fmt.Errorf("node %d %w", n, err))
		s = Split{Kind: ByCode, Arity: max(2, s.Arity)} // so that the caller finds the children
	}
	first := int32(t.Len())
	d := Node{splitPoint: s.SplitPoint, child: first}
	switch s.Kind {
	case ByCode:
		d.splitPoint = float64(s.Arity)
	case SetFirst, SetLast:
		d.splitPoint = float64(max(0, len(t.SetAt)-1))
		if len(t.SetAt) == 0 {
			t.SetAt = append(t.SetAt, 0)
		}
		t.Sets = append(t.Sets, s.Set...)
		t.SetAt = append(t.SetAt, int32(len(t.Sets)))
	case Oblique, Sphere:
		s.Feature = -1
	}
	d.look = pack(s.Kind, s.Missing, s.Feature)
	t.Nodes[n] = d
	if len(s.Direction)+len(s.Surrogates) > 0 {
		b.splits[n] = s
	}
	if b.stats {
		t.Stats.Gain[n] = s.Gain
	}
	b.add(int(s.Arity))
	return first
}

// check reports what a Node could not hold; Validate checks the rest.
func (s *Split) check() error {
	switch {
	case s.Kind == Leaf || s.Kind > Sphere:
		return fmt.Errorf("is to split by an unknown kind %d", s.Kind)
	case s.Missing > MissingStop:
		return fmt.Errorf("has an unknown missing rule %d", s.Missing)
	case s.Kind != ByCode && s.Arity != 2 || s.Arity < 1:
		return fmt.Errorf("of kind %d has %d children", s.Kind, s.Arity)
	case s.Feature >= MaxFeatures || s.Feature < -1:
		return fmt.Errorf("tests column %d: trees can test columns 0 to %d", s.Feature,
			MaxFeatures-1)
	}
	return nil
}

// SetValue copies v, of the tree's width, into node n's slot.
func (b *Builder) SetValue(n int32, v []float64) {
	if b.leaves {
		b.setLeaf(n, v)
		return
	}
	w := b.t.Leaf.Width
	copy(b.t.Leaf.Value[int(n)*w:(int(n)+1)*w], v)
}

// SetFraction records the fraction of its parent's weight that went to node n; see Tree.Fraction.
// The root's is 1.
func (b *Builder) SetFraction(n int32, fraction float64) {
	for len(b.fraction) < b.t.Len() {
		b.fraction = append(b.fraction, 0)
	}
	b.fraction[n] = fraction
}

// SetStats records the training statistics of node n. It does nothing when the builder keeps no
// stats; where leaves alone have values it records the weight, as SetCover does.
func (b *Builder) SetStats(n int32, rows int, weight, impurity float64) {
	switch s := b.t.Stats; {
	case b.leaves:
		b.SetCover(n, weight)
	case b.stats:
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
	if b.fraction != nil {
		b.SetFraction(0, 1)
		t.Fraction = b.fraction
	}
	if len(t.SetAt) == 0 {
		t.SetAt = nil
	}
	if len(t.Sets) == 0 {
		t.Sets = nil
	}
	b.pack()
	b.packLinear()
	b.packCover()
	if err := t.Validate(-1); err != nil {
		return nil, err
	}
	return t, nil
}

// pack lays directions and surrogates out in the order of the nodes.
func (b *Builder) pack() {
	t := &b.t
	if len(b.splits) == 0 {
		return
	}
	n := t.Len()
	dirs := &Directions{At: make([]int32, n+1)}
	surrogates := &Surrogates{At: make([]int32, n+1), SetAt: []int32{0}}
	for i := range n {
		s := b.splits[int32(i)]
		for _, d := range s.Direction {
			dirs.Feature, dirs.Coef = append(dirs.Feature, d.Feature), append(dirs.Coef, d.Coef)
		}
		dirs.At[i+1] = int32(len(dirs.Feature))
		for _, r := range s.Surrogates {
			surrogates.add(r)
		}
		surrogates.At[i+1] = int32(len(surrogates.Kind))
	}
	if len(dirs.Feature) > 0 {
		t.Dirs = dirs
	}
	if len(surrogates.Kind) > 0 {
		if !slices.ContainsFunc(surrogates.Kind, Kind.hasSet) {
			surrogates.SetAt = nil
		}
		t.Surrogates = surrogates
	}
}

func (s *Surrogates) add(r Surrogate) {
	s.Kind = append(s.Kind, r.Kind)
	s.Feature = append(s.Feature, r.Feature)
	s.SplitPoint = append(s.SplitPoint, r.SplitPoint)
	flip := uint8(0)
	if r.Flip {
		flip = 1
	}
	s.Flip = append(s.Flip, flip)
	s.Sets = append(s.Sets, r.Set...)
	s.SetAt = append(s.SetAt, int32(len(s.Sets)))
	s.Agree = append(s.Agree, r.Agree)
	s.Adjusted = append(s.Adjusted, r.Adjusted)
}
