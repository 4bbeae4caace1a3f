package draw

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// The bounds of a picture that was not given a depth.
const (
	mostEnds   = 64
	mostLevels = 24
)

// nodes are the nodes of a tree that a drawing shows, and the numbers that follow from the tree.
// Lists are by node, also of those that are not shown.
type nodes struct {
	t      *tree.Tree
	limit  int32       // depth of the deepest nodes shown
	depth  []int32     // 0 at the root
	leaves []int32     // leaves below; 1 at leaves
	value  [][]float64 // nil where a node has none
	// training rows, else their weight, else the sum of class weights; nil if all are unknown
	mass []float64
}

func newNodes(t *tree.Tree, maxDepth int) *nodes {
	s := &nodes{t: t, limit: math.MaxInt32, depth: t.Depths()}
	if maxDepth > 0 {
		s.limit = int32(min(maxDepth, math.MaxInt32))
	}
	s.countLeaves()
	s.findValues()
	s.findMass()
	return s
}

func (s *nodes) countLeaves() {
	t := s.t
	s.leaves = make([]int32, t.Len())
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		if t.Kind(n) == tree.Leaf {
			s.leaves[n] = 1
		}
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			s.leaves[n] += s.leaves[c]
		}
	}
}

// findValues collects the values of the nodes. A builder fills slots that were not set with zeros,
// so inner values that are all zero count as absent. Class weights that are absent at an inner node
// are the sums of its children's.
func (s *nodes) findValues() {
	t := s.t
	s.value = make([][]float64, t.Len())
	set := false
	for n := range int32(t.Len()) {
		s.value[n] = t.Value(n)
		set = set || t.Kind(n) != tree.Leaf && !zero(s.value[n])
	}
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		switch {
		case t.Kind(n) == tree.Leaf:
		case t.Leaf.Kind != tree.Counts && !set:
			s.value[n] = nil
		case t.Leaf.Kind == tree.Counts && zero(s.value[n]):
			sum := make([]float64, t.Leaf.Width)
			for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
				for k, x := range s.value[c] {
					sum[k] += x
				}
			}
			s.value[n] = sum
		}
	}
}

func zero(values []float64) bool {
	for _, x := range values {
		if x != 0 {
			return false
		}
	}
	return true
}

func (s *nodes) findMass() {
	t := s.t
	mass := make([]float64, t.Len())
	switch {
	case s.hasRows():
		for n, r := range t.Stats.Rows {
			mass[n] = float64(r)
		}
	case t.Stats != nil && t.Stats.Weight[0] > 0:
		copy(mass, t.Stats.Weight)
	case t.Leaf.Kind == tree.Counts:
		for n := range mass {
			mass[n] = total(s.value[n])
		}
	}
	if mass[0] > 0 && !math.IsInf(mass[0], 0) {
		s.mass = mass
	}
}

// total sums class weights. A value that cannot be a weight counts as 0.
func total(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += weight(x)
	}
	return sum
}

func weight(x float64) float64 {
	if x > 0 && !math.IsInf(x, 0) {
		return x
	}
	return 0
}

func (s *nodes) hasRows() bool { return s.t.Stats != nil && s.t.Stats.Rows[0] > 0 }

// ends reports whether nothing is shown below node n.
func (s *nodes) ends(n int32) bool { return s.t.Kind(n) == tree.Leaf || s.depth[n] >= s.limit }

// stub reports whether n stands for a subtree that is not shown.
func (s *nodes) stub(n int32) bool { return s.t.Kind(n) != tree.Leaf && s.depth[n] >= s.limit }

// preorder returns the nodes shown, parents before children, first children first.
func (s *nodes) preorder() []int32 { return s.orderBy(s.children) }

// children lists the children of a node as they are stored.
func (s *nodes) children(n int32) []int32 {
	all := make([]int32, s.t.Arity(n))
	for i := range all {
		all[i] = s.t.Child(n) + int32(i)
	}
	return all
}

func (s *nodes) orderBy(children func(n int32) []int32) []int32 {
	var order []int32
	stack := []int32{0}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, n)
		if s.ends(n) {
			continue
		}
		for _, c := range slices.Backward(children(n)) {
			stack = append(stack, c)
		}
	}
	return order
}

// fraction returns the fraction of the root's rows that reach node n, in [0, 1]. It returns false
// where the tree has neither rows nor weights.
func (s *nodes) fraction(n int32) (float64, bool) {
	if s.mass == nil {
		return 0, false
	}
	return min(1, weight(s.mass[n])/s.mass[0]), true
}

// classProbabilities returns the class probabilities at node n, nil if the tree has none there.
func (s *nodes) classProbabilities(n int32) []float64 {
	if s.t.Leaf.Kind != tree.Counts {
		return nil
	}
	sum := total(s.value[n])
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil
	}
	probabilities := make([]float64, len(s.value[n]))
	for k, x := range s.value[n] {
		probabilities[k] = weight(x) / sum
	}
	return probabilities
}

// hasEquation reports whether what node n predicts is an equation (tree.Linear).
func (s *nodes) hasEquation(n int32) bool {
	_, features, _ := s.t.Equation(n)
	return len(features) > 0 && s.value[n] != nil
}

// ranked returns the classes with a probability above 0 by falling probability. Equal ones keep
// their order.
func ranked(probabilities []float64) []int {
	var ranks []int
	for k, p := range probabilities {
		if p > 0 {
			ranks = append(ranks, k)
		}
	}
	slices.SortStableFunc(ranks, func(a, b int) int {
		return cmp.Compare(probabilities[b], probabilities[a])
	})
	return ranks
}

// readableDepth returns the largest depth limit within mostEnds and mostLevels, at least 1.
func (s *nodes) readableDepth() int32 {
	inner := make([]int, mostLevels+2) // nodes with children per depth
	leaves := make([]int, mostLevels+2)
	for n, d := range s.depth {
		switch {
		case d > mostLevels:
		case s.t.Kind(int32(n)) == tree.Leaf:
			leaves[d]++
		default:
			inner[d]++
		}
	}
	limit, above := 1, leaves[0]
	for d := 1; d <= mostLevels; d++ {
		above += leaves[d]
		if above+inner[d] <= mostEnds {
			limit = d
		}
	}
	return int32(limit)
}
