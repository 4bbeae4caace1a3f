package draw

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// view is what all drawings read: the tree, its words, and what follows from its numbers.
type view struct {
	t      *tree.Tree
	names  Names
	digits int
	limit  int32        // depth of the deepest nodes drawn
	depth  []int32      // of every node
	leaves []int32      // leaves below every node; 1 at leaves
	value  [][]float64  // of every node, nil = none
	common tree.Missing // see commonRule
	// what fractions of nodes are shares of: rows, else weight, else class weight; nil = unknown
	mass []float64
}

func newView(t *tree.Tree, names Names, o Options) (*view, error) {
	if err := t.Validate(-1); err != nil {
		return nil, err
	}
	if t.Leaf.Kind == tree.Counts {
		if err := names.Costs.Check(t.Leaf.Width); err != nil {
			return nil, err
		}
	}
	v := &view{t: t, names: names, digits: o.Digits, limit: math.MaxInt32, depth: t.Depths()}
	if o.Digits <= 0 {
		v.digits = defaultDigits
	}
	v.digits = min(v.digits, 17)
	if o.MaxDepth > 0 {
		v.limit = int32(min(o.MaxDepth, math.MaxInt32))
	}
	v.countLeaves()
	v.findValues()
	v.findMass()
	v.common = v.commonRule()
	return v, nil
}

func (v *view) countLeaves() {
	t := v.t
	v.leaves = make([]int32, t.Len())
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		if t.Kind(n) == tree.Leaf {
			v.leaves[n] = 1
		}
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			v.leaves[n] += v.leaves[c]
		}
	}
}

// findValues collects the values of the nodes. A builder fills slots that nobody set with zeros, so
// inner values that are all zero count as absent; class weights that an inner node lacks are the
// sums of its children's.
func (v *view) findValues() {
	t := v.t
	v.value = make([][]float64, t.Len())
	set := false
	for n := range int32(t.Len()) {
		v.value[n] = t.Value(n)
		set = set || t.Kind(n) != tree.Leaf && !zero(v.value[n])
	}
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		switch {
		case t.Kind(n) == tree.Leaf:
		case t.Leaf.Kind != tree.Counts && !set:
			v.value[n] = nil
		case t.Leaf.Kind == tree.Counts && zero(v.value[n]):
			sum := make([]float64, t.Leaf.Width)
			for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
				for k, x := range v.value[c] {
					sum[k] += x
				}
			}
			v.value[n] = sum
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

func (v *view) findMass() {
	t := v.t
	mass := make([]float64, t.Len())
	switch {
	case v.hasRows():
		for n, r := range t.Stats.Rows {
			mass[n] = float64(r)
		}
	case t.Stats != nil && t.Stats.Weight[0] > 0:
		copy(mass, t.Stats.Weight)
	case t.Leaf.Kind == tree.Counts:
		for n := range mass {
			mass[n] = total(v.value[n])
		}
	}
	if mass[0] > 0 && !math.IsInf(mass[0], 0) {
		v.mass = mass
	}
}

// total sums class weights; what no weight can be counts as none.
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

func (v *view) hasRows() bool { return v.t.Stats != nil && v.t.Stats.Rows[0] > 0 }

// ends reports whether nothing is drawn below node n.
func (v *view) ends(n int32) bool { return v.t.Kind(n) == tree.Leaf || v.depth[n] >= v.limit }

// stub reports whether n stands for a subtree that is not drawn.
func (v *view) stub(n int32) bool { return v.t.Kind(n) != tree.Leaf && v.depth[n] >= v.limit }

// preorder returns the nodes drawn, parents before children, first children first.
func (v *view) preorder() []int32 {
	var order []int32
	stack := []int32{0}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, n)
		if v.ends(n) {
			continue
		}
		for c := v.t.Child(n) + v.t.Arity(n) - 1; c >= v.t.Child(n); c-- {
			stack = append(stack, c)
		}
	}
	return order
}

// fraction returns the fraction of the root's rows that reach node n, in [0, 1]; false where the
// tree does not tell.
func (v *view) fraction(n int32) (float64, bool) {
	if v.mass == nil {
		return 0, false
	}
	return min(1, weight(v.mass[n])/v.mass[0]), true
}

// classProbabilities returns the class probabilities at node n, nil if the tree has none there.
func (v *view) classProbabilities(n int32) []float64 {
	if v.t.Leaf.Kind != tree.Counts {
		return nil
	}
	sum := total(v.value[n])
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil
	}
	probabilities := make([]float64, len(v.value[n]))
	for k, x := range v.value[n] {
		probabilities[k] = weight(x) / sum
	}
	return probabilities
}

// ranked returns the classes that have a fraction, the largest first, of equals the first first.
func ranked(probabilities []float64) []int {
	var ranks []int
	for k, s := range probabilities {
		if s > 0 {
			ranks = append(ranks, k)
		}
	}
	slices.SortStableFunc(ranks, func(a, b int) int { return cmp.Compare(probabilities[b], probabilities[a]) })
	return ranks
}

// prediction returns the words of what node n predicts, "" where it has no value.
func (v *view) prediction(n int32) string {
	switch value := v.value[n]; {
	case value == nil:
		return ""
	case v.t.Leaf.Kind == tree.Counts:
		if probabilities := v.classProbabilities(n); probabilities != nil {
			return v.names.class(v.names.Costs.Label(probabilities))
		}
		return ""
	case v.hasEquation(n):
		return v.equation(n, briefWording(v.digits))
	case v.t.Leaf.Kind == tree.Scalar:
		return humanize.Number(value[0], v.digits)
	default:
		return vector(value, 3, v.digits)
	}
}

// vector writes the first numbers of a list.
func vector(values []float64, most, digits int) string {
	var parts []string
	for i, x := range values {
		if i == most && len(values) > most+1 {
			parts = append(parts, "+"+strconv.Itoa(len(values)-most)+" more")
			break
		}
		parts = append(parts, humanize.Number(x, digits))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// size returns "54 rows", or the weight where rows are unknown, "" where both are.
func (v *view) size(n int32) string {
	switch {
	case v.hasRows():
		return humanize.Count(int(v.t.Stats.Rows[n]), "row", "rows")
	case v.mass != nil:
		return "weight " + humanize.Number(v.mass[n], v.digits)
	}
	return ""
}

// exceptions reports whether the words of a drawn branch mention missing values or unseen
// categories.
func (v *view) exceptions(order []int32) (missing, unseen bool) {
	for _, n := range order {
		if !v.ends(n) {
			q := v.question(n, wording{levels: 1})
			missing, unseen = missing || q.missing >= 0, unseen || q.unseen >= 0
		}
	}
	return missing, unseen
}

// notes explain, once per drawing, what branches say of missing values and unseen categories.
func (v *view) notes(order []int32) []string {
	var notes []string
	missing, unseen := v.exceptions(order)
	if missing && v.t.Stats != nil {
		notes = append(notes, "Missing values take the branch marked missing, elsewhere the one with more training weight.")
	} else if missing {
		notes = append(notes, "Missing values take the branch marked missing, elsewhere the first one.")
	}
	if unseen {
		notes = append(notes, "Unseen is a category that training did not meet.")
	}
	notes = append(notes, v.missingNotes(order)...)
	if slices.ContainsFunc(order, v.hasEquation) {
		notes = append(notes, "Where its equation meets a missing or an infinite value, a leaf predicts a plain value instead.")
	}
	return notes
}

// question puts the test of inner node n into words. Where all nodes ask surrogates, a note
// describes what becomes of the rows that these cannot tell, and no branch does.
func (v *view) question(n int32, w wording) question {
	q := ask(v.t, n, &v.names, w)
	if v.common == tree.MissingSurrogate {
		q.missing = -1
	}
	return q
}
