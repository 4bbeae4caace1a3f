package lightgbm

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// laying turns a tree of the model into the arrays of the text, level by level.
//
// LightGBM sends a missing category to the side of unseen ones. Where the tree sends it to the
// other side, a numeric split goes before the one by categories, x <= +Inf, which only a missing
// value fails. What is below the missing value's side is there twice then.
//
//	   c in {a}            c is known          c is known: x <= +Inf
//	or missing?    -->       /     \
//	  /    \            c in {a}?   A
//	 A      B            /   \
//	                    A     B
type laying struct {
	part
	*plan
	t     *fileTree
	queue []laid
	ends  []int32 // by leaf, in the order of the queue: its node in the tree of the model
	most  int     // nodes
}

// laid is a node that is to be laid out.
type laid struct {
	node   int32
	parent int32 // the inner node that it is below; -1: the root
	first  bool  // it is the left child
	facts  *fact
}

// fact is whether a row's category is missing, as the splits above a node found.
type fact struct {
	feature int32
	missing bool
	before  *fact
}

// about returns the fact about a feature, nil if there is none.
func (f *fact) about(feature int32) *fact {
	for ; f != nil; f = f.before {
		if f.feature == feature {
			return f
		}
	}
	return nil
}

// lay makes the arrays of a part.
func (p *plan) lay(one part) (*fileTree, error) {
	l := &laying{part: one, plan: p, t: &fileTree{catAt: []int32{0}}}
	if l.tree == nil {
		l.t.value = []float64{l.shift + 0} // no negative zero
		return l.t, nil
	}
	l.most = 4*l.tree.Len() + 1000
	l.queue = append(l.queue, laid{parent: -1})
	for at := 0; at < len(l.queue); at++ {
		l.place(l.queue[at])
		if len(l.queue) > l.most {
			return nil, cannot("so many splits that send missing and unseen categories to " +
				"different sides")
		}
	}
	l.number()
	l.fill()
	if !finite(l.t.value) || l.t.linear != nil && (!finite(l.t.linear.constant) ||
		!finite(l.t.linear.coef)) {
		return nil, cannot("values that weights and start values bring beyond the largest number")
	}
	return l.t, nil
}

// place lays out a node.
func (l *laying) place(x laid) {
	n := l.skip(x)
	inner := int32(len(l.t.feature))
	link := inner
	if l.tree.Kind(n) == tree.Leaf {
		link = ^int32(len(l.ends))
		l.ends = append(l.ends, n)
	}
	if x.parent >= 0 {
		side := l.t.right
		if x.first {
			side = l.t.left
		}
		side[x.parent] = link
	}
	if link < 0 {
		return
	}
	first, missing := l.tree.Child(n), l.tree.NextMissing(n)
	if l.tree.Kind(n) != tree.Numeric {
		l.placeSet(x, n, missing)
		return
	}
	l.split(n, l.tree.SplitPoint(n), l.numericDecision(n, missing == first))
	l.below(inner, laid{node: first, facts: x.facts}, laid{node: first + 1, facts: x.facts})
}

// placeSet lays out a split by categories whose missing values go to a child.
func (l *laying) placeSet(x laid, n, missing int32) {
	inner, f := int32(len(l.t.feature)), l.tree.Feature(n)
	in, out := l.tree.Child(n), l.tree.Child(n)+1
	if l.tree.Kind(n) == tree.SetLast {
		in, out = out, in
	}
	set, known := l.tree.Set(n), x.facts.about(f)
	if missing == out || known != nil {
		l.split(n, float64(len(l.t.catAt)-1), 1|missingNaN<<2)
		l.addSet(set, f)
		l.below(inner, laid{node: in, facts: x.facts}, laid{node: out, facts: x.facts})
		return
	}
	l.split(n, math.Inf(1), missingNaN<<2)
	without := laid{node: n, facts: &fact{f, false, x.facts}}
	if empty(set) {
		without.node = out
	}
	l.below(inner, without, laid{node: missing, facts: &fact{f, true, x.facts}})
}

// skip returns the node that a row reaches from a node by what is known of it.
func (l *laying) skip(x laid) int32 {
	n := x.node
	for {
		switch l.tree.Kind(n) {
		case tree.SetFirst, tree.SetLast:
		default:
			return n
		}
		known, next := x.facts.about(l.tree.Feature(n)), l.tree.NextMissing(n)
		if known == nil || !known.missing || next < 0 {
			return n
		}
		n = next
	}
}

// numericDecision returns the decision type of a numeric split, whose missing values go left or
// right.
func (l *laying) numericDecision(n int32, left bool) uint8 {
	d := missingNaN << 2
	if int(l.tree.Feature(n)) >= len(l.fields) && !zerosFit(l.tree.SplitPoint(n), left) {
		d = missingZero << 2
	}
	if left {
		d |= 2
	}
	return d
}

// split adds an inner node.
func (l *laying) split(n int32, threshold float64, decision uint8) {
	t := l.t
	f := l.tree.Feature(n)
	if derived := int(f) - len(l.fields); derived >= 0 {
		f = l.Inputs.Numbers[derived].Source
	}
	t.feature, t.threshold = append(t.feature, f), append(t.threshold, threshold)
	t.decision = append(t.decision, decision)
	t.left, t.right = append(t.left, 0), append(t.right, 0)
}

// below queues the children of an inner node.
func (l *laying) below(inner int32, left, right laid) {
	left.parent, right.parent, left.first = inner, inner, true
	l.queue = append(l.queue, left, right)
}

// addSet adds a set of categories of a column.
func (l *laying) addSet(set []uint64, column int32) {
	t, words := l.t, make([]uint32, 2*len(set))
	for i := range words {
		words[i] = uint32(set[i/2] >> (i % 2 * 32))
	}
	codes := l.codes[column]
	t.cats = appendSet(t.cats, words, func(place int32) int32 {
		switch {
		case codes == nil:
			return place
		case int(place) >= len(codes):
			return -1 // no category
		}
		return codes[place]
	})
	t.catAt = append(t.catAt, int32(len(t.cats)))
}

func empty(set []uint64) bool {
	for _, w := range set {
		if w != 0 {
			return false
		}
	}
	return true
}

// number gives the leaves the numbers that LightGBM had for them, if each has one of its own.
func (l *laying) number() {
	if l.leaves == nil {
		return
	}
	ends := make([]int32, len(l.ends))
	for i := range ends {
		ends[i] = -1
	}
	for _, n := range l.ends {
		number := l.leaves[n]
		if number < 0 || int(number) >= len(ends) || ends[number] >= 0 {
			return
		}
		ends[number] = n
	}
	for _, links := range [2][]int32{l.t.left, l.t.right} {
		for i, c := range links {
			if c < 0 {
				links[i] = ^l.leaves[l.ends[^c]]
			}
		}
	}
	l.ends = ends
}

// fill sets the values of the leaves.
func (l *laying) fill() {
	t, covers := l.t, l.covers()
	linear := slices.ContainsFunc(l.ends, func(n int32) bool {
		_, features, _ := l.tree.Equation(n)
		return len(features) > 0
	})
	if linear {
		t.linear = &equations{at: []int32{0}}
	}
	fractions := make([]float64, l.tree.Leaf.Width)
	for _, n := range l.ends {
		values := l.tree.Value(n)
		if l.tree.Leaf.Kind == tree.Counts {
			tree.Probabilities(fractions, values)
			values = fractions
		}
		value := l.value(values[l.output])
		t.value = append(t.value, value)
		if covers != nil {
			t.count = append(t.count, covers[n])
		}
		if !linear {
			continue
		}
		constant, features, coefs := l.tree.Equation(n)
		if e := t.linear; len(features) == 0 {
			e.constant = append(e.constant, value)
		} else {
			e.constant = append(e.constant, l.value(constant))
			e.feature = append(e.feature, features...)
			for _, c := range coefs {
				e.coef = append(e.coef, l.scale*c)
			}
		}
		t.linear.at = append(t.linear.at, int32(len(t.linear.feature)))
	}
}

// value returns what the file has for a value of the tree.
func (l *laying) value(x float64) float64 { return float64(l.scale*x) + l.shift }

// mostRows is the number of rows that covers add up to where they are no whole numbers: LightGBM
// has counts. Sums above twice as many would leave its 32 bits.
const mostRows = 1 << 30

// covers returns the number of training rows of each node, nil if the tree does not keep it or one
// is negative.
func (l *laying) covers() []float64 {
	covers, sum, whole := l.tree.Covers(), 0.0, true
	if covers == nil {
		return nil
	}
	for _, n := range l.ends {
		if sum += covers[n]; covers[n] < 0 {
			return nil
		}
		whole = whole && covers[n] == math.Trunc(covers[n])
	}
	if whole && sum < 2*mostRows || !(sum > 0) {
		return covers
	}
	counts := make([]float64, len(covers))
	for _, n := range l.ends {
		if covers[n] > 0 {
			counts[n] = max(1, math.Round(covers[n]/sum*mostRows))
		}
	}
	return counts
}
