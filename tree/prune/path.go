package prune

import (
	"container/heap"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// Step is one tree of a cost-complexity path: the smallest subtree that minimises cost + Alpha x
// leaves, for all penalties from Alpha up to the next step's.
type Step struct {
	Alpha  float64 `json:"alpha"`  // penalty per leaf, in units of the cost
	Leaves int     `json:"leaves"` // leaves of the subtree
	Cost   float64 `json:"cost"`   // its cost on the training rows, as a fraction of their weight
}

// Path is the nested sequence of subtrees of minimal cost-complexity pruning (Breiman et al. 1984,
// chapter 3), from the smallest tree that costs no more than the whole to the root alone.
type Path struct {
	Steps []Step

	tree *tree.Tree
	// the penalty from which node n is a leaf or gone; +Inf for leaves that never change
	at []float64
}

// sameAlpha is the relative difference up to which two links are equally weak: they are pruned in
// one step, as the definition requires, although rounding distinguishes them.
const sameAlpha = 1e-12

// NewPath computes the path of a tree, given the cost of each node as a leaf (see TrainingError,
// ExpectedCost, Impurity). Some of the cost of inner node n may be caused by rows that end there
// (tree.MissingStop). That is ended[n], which the subtree below n does not save; nil if no rows end
// at inner nodes. The weakest link is the node with the least
//
//	g(t) = (R(t) - R(T_t)) / (leaves(T_t) - 1)
//
// Pruning it changes g of its ancestors only, so a heap of links finds the next one in time
// proportional to the depth.
func NewPath(t *tree.Tree, cost, ended []float64) *Path {
	w := newWeakest(t, cost, ended)
	p := &Path{tree: t, at: make([]float64, t.Len())}
	for i := range p.at {
		p.at[i] = math.Inf(1)
	}
	alpha := 0.0
	for w.Len() > 0 {
		weakest := w.link(w.order[0])
		if limit := alpha + float64(sameAlpha*max(alpha, cost[0])); weakest > limit {
			p.Steps = append(p.Steps, Step{alpha, w.leaves[0], w.below[0]})
			alpha = weakest
		}
		n := heap.Pop(w).(int32)
		p.at[n] = alpha
		w.pruned(n)
	}
	p.Steps = append(p.Steps, Step{alpha, w.leaves[0], w.below[0]})
	// A node below a pruned one goes with it, if it was not pruned before.
	for n := range int32(t.Len()) {
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			p.at[c] = min(p.at[c], p.at[n])
		}
	}
	return p
}

// Prune returns the subtree for a penalty: the last step whose alpha is at most it.
func (p *Path) Prune(alpha float64) (*tree.Tree, error) {
	stop := make([]bool, len(p.at))
	for n, at := range p.at {
		stop[n] = at <= alpha
	}
	return Collapse(p.tree, stop)
}

// Within returns the first step with at most that many leaves, the largest subtree of the path that
// fits; for less than one leaf it is the root alone.
func (p *Path) Within(leaves int) Step {
	for _, s := range p.Steps {
		if s.Leaves <= leaves {
			return s
		}
	}
	return p.Steps[len(p.Steps)-1]
}

// MaxLeaves prunes to at most k leaves, at least 1: it returns the largest subtree of the
// cost-complexity path (see NewPath) that has no more. The path starts with the smallest tree that
// costs no more than the whole, so splits that save no cost go whatever k is.
func MaxLeaves(t *tree.Tree, cost, ended []float64, k int) (*tree.Tree, error) {
	if k < 1 {
		return nil, fmt.Errorf("a tree of at most %d leaves: at least 1 is needed", k)
	}
	p := NewPath(t, cost, ended)
	return p.Prune(p.Within(k).Alpha)
}

// Levels returns for which of some ascending penalties node n is a leaf while the node above it
// (parent) is still inner: the half-open range of indices. A walk from the root that calls it at
// each node meets every index once.
func (p *Path) Levels(alphas []float64, parent, n int32) (from, to int) {
	to = len(alphas)
	if parent >= 0 {
		to, _ = slices.BinarySearch(alphas, p.at[parent])
	}
	if p.tree.Kind(n) != tree.Leaf {
		from, _ = slices.BinarySearch(alphas, p.at[n])
	}
	return min(from, to), to
}

// weakest is a heap of the inner nodes that are still there, by link strength, then by node number.
type weakest struct {
	t      *tree.Tree
	parent []int32
	cost   []float64
	ended  []float64 // nil: 0
	below  []float64 // R(T_t)
	leaves []int     // leaves of T_t
	order  []int32   // the heap
	place  []int     // node -> index in order, -1 = not there
}

func newWeakest(t *tree.Tree, cost, ended []float64) *weakest {
	n := t.Len()
	w := &weakest{t: t, parent: t.Parents(), cost: cost, ended: ended, below: make([]float64, n),
		leaves: make([]int, n), place: make([]int, n)}
	for i := n - 1; i >= 0; i-- {
		w.place[i] = -1
		if t.Kind(int32(i)) == tree.Leaf {
			w.below[i], w.leaves[i] = cost[i], 1
			continue
		}
		w.sum(int32(i))
	}
	for i := range n {
		if t.Kind(int32(i)) != tree.Leaf {
			w.place[i] = len(w.order)
			w.order = append(w.order, int32(i))
		}
	}
	heap.Init(w)
	return w
}

// sum sets the cost and the leaves below an inner node from its children.
func (w *weakest) sum(n int32) {
	w.below[n], w.leaves[n] = 0, 0
	if w.ended != nil {
		w.below[n] = w.ended[n]
	}
	for c := w.t.Child(n); c < w.t.Child(n)+w.t.Arity(n); c++ {
		w.below[n] += w.below[c]
		w.leaves[n] += w.leaves[c]
	}
}

func (w *weakest) link(n int32) float64 {
	return max(0, w.cost[n]-w.below[n]) / float64(w.leaves[n]-1)
}

// pruned turns node n into a leaf: what is below leaves the heap, the ancestors' links are computed
// again.
func (w *weakest) pruned(n int32) {
	inner := []int32{n}
	for len(inner) > 0 {
		m := inner[len(inner)-1]
		inner = inner[:len(inner)-1]
		for c := w.t.Child(m); c < w.t.Child(m)+w.t.Arity(m); c++ {
			if w.place[c] >= 0 {
				heap.Remove(w, w.place[c])
				inner = append(inner, c)
			}
		}
	}
	w.below[n], w.leaves[n] = w.cost[n], 1
	for a := w.parent[n]; a >= 0; a = w.parent[a] {
		w.sum(a)
		heap.Fix(w, w.place[a])
	}
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (w *weakest) Len() int { return len(w.order) }

func (w *weakest) Less(i, j int) bool {
	a, b := w.order[i], w.order[j]
	ga, gb := w.link(a), w.link(b)
	return ga < gb || ga == gb && a < b
}

func (w *weakest) Swap(i, j int) {
	w.order[i], w.order[j] = w.order[j], w.order[i]
	w.place[w.order[i]], w.place[w.order[j]] = i, j
}

func (w *weakest) Push(x any) {
	w.place[x.(int32)] = len(w.order)
	w.order = append(w.order, x.(int32))
}

func (w *weakest) Pop() any {
	n := w.order[len(w.order)-1]
	w.order = w.order[:len(w.order)-1]
	w.place[n] = -1
	return n
}
