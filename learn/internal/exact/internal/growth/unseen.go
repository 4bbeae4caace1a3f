package growth

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Whole is what nodes need of the root of their tree.
type Whole struct {
	Weight        float64   // of all rows of the tree
	value         float64   // what the root predicts, where labels are numbers
	Probabilities []float64 // of the root, where labels are classes; else empty
}

// set makes w that of a root.
func (w *Whole) set(l *Labels, root *Node) {
	w.Weight, w.value, w.Probabilities = root.Weight, root.Value, w.Probabilities[:0]
	if l.Family == criterion.Classes {
		for _, v := range root.Stats {
			w.Probabilities = append(w.Probabilities, v/root.Weight)
		}
	}
}

// Child is what the rule for unseen values needs of a child of a split.
type Child struct {
	Weight float64
	Value  float64   // what it predicts; unused for classes
	Stats  []float64 // weights of the classes, where labels are classes
	Rows   []uint32  // ascending
}

// tied is the relative difference of two weights up to which sides are compared by more than
// weight.
const tied = 1e-6

// rounding is the relative difference of distances up to which they are equal.
const rounding = 1e-12

// clearly is a difference of such distances, none of which is above 2, that UnseenLast never takes
// for equal.
const clearly = 1e-8

// Tied reports whether two sides may have to be compared by more than their weights.
func Tied(first, last float64) bool {
	return max(first-last, last-first) <= tied*max(first, last)
}

// UnseenLast is grow.UnseenLast for two children of a node. The node's key stands for seed, tree
// and node: it follows from the seed of the tree and the way to the node, while numbers of nodes
// depend on which subtrees are deferred. Children of one mean are told apart by their first rows.
func (w *Whole) UnseenLast(first, last *Child, key uint64) bool {
	a, b := grow.Side{Weight: first.Weight}, grow.Side{Weight: last.Weight}
	if Tied(a.Weight, b.Weight) {
		a.Distance, b.Distance = w.distance(first), w.distance(last)
		scale := 1.0
		if len(w.Probabilities) == 0 {
			scale = max(first.Value, -first.Value, last.Value, -last.Value)
		}
		if max(a.Distance-b.Distance, b.Distance-a.Distance) <= float64(rounding*scale) {
			b.Distance = a.Distance
		}
		b.Mean = float64(w.compare(last, first))
	}
	return grow.UnseenLast(a, b, key, 0, 0)
}

// Nearer reports whether the second of two distances of class probabilities is clearly smaller, or
// the first; not ok means that UnseenLast may take them for equal. Both may lack the same number.
func Nearer(first, last float64) (toLast, ok bool) {
	return last < first, max(first-last, last-first) > clearly
}

// distance returns how far a child's mean is from the root's: of classes the square of the
// Euclidean distance of their probabilities.
func (w *Whole) distance(c *Child) float64 {
	if len(w.Probabilities) == 0 {
		return max(c.Value-w.value, w.value-c.Value)
	}
	sum := 0.0
	for i, p := range w.Probabilities {
		d := c.Stats[i]/c.Weight - p
		sum += float64(d * d)
	}
	return sum
}

// compare orders children by their means, of classes by the last probability that differs, then by
// the rows: it is negative if a comes first, and 0 only for a child itself.
func (w *Whole) compare(a, b *Child) int {
	order := 0
	if len(w.Probabilities) == 0 {
		order = compareNumbers(a.Value, b.Value)
	}
	for i := len(w.Probabilities) - 1; i >= 0 && order == 0; i-- {
		order = compareNumbers(a.Stats[i]/a.Weight, b.Stats[i]/b.Weight)
	}
	if order == 0 {
		order = slices.Compare(a.Rows, b.Rows)
	}
	return order
}

func compareNumbers(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// settleUnseen sets where a split sends what training had not there: categories outside of a set,
// and missing values where the node had none. nd.Best was chosen before the weights and means of
// the children were known.
func (g *Growth) settleUnseen(nd *Node, children []*Node) {
	b := &nd.Best
	turns := b.Turns && (b.Kind == tree.SetFirst || b.Kind == tree.SetLast)
	open := b.Complete && (g.rule <= Majority || g.rule == Surrogate && len(b.Surrogates) == 0)
	if !turns && !open || len(children) != 2 {
		return
	}
	first, last := children[0], children[1]
	if len(first.Rows) == 0 || len(last.Rows) == 0 {
		return
	}
	toLast := g.Whole.UnseenLast(
		&Child{first.Weight, first.Value, first.Stats, first.Rows},
		&Child{last.Weight, last.Value, last.Stats, last.Rows}, nd.Key)
	if turns && toLast != (b.Kind == tree.SetFirst) {
		b.Turn()
	}
	// Other rules name the child of the larger fraction, of equal ones the first.
	if open && (g.rule == Learned || toLast && b.Fractions[0] == b.Fractions[1]) {
		b.Missing = MissingTo(toLast)
	}
}

// MissingTo returns the rule that sends missing values to the last child, or to the first.
func MissingTo(last bool) tree.Missing {
	if last {
		return tree.MissingLast
	}
	return tree.MissingFirst
}

// Turn makes a set that of the other child, so that what is outside of it goes to the child that it
// named before. Rows of the node stay where they are.
func (s *Split) Turn() {
	s.Set, s.Others = s.Others, s.Set
	if s.Kind == tree.SetFirst {
		s.Kind = tree.SetLast
	} else {
		s.Kind = tree.SetFirst
	}
}
