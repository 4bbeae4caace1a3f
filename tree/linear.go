package tree

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Linear holds the equations of a tree of numbers: where a slot has terms, the prediction of a row
// that ends there is
//
//	Constant + sum of Coef x value over the terms, in their order
//
// and by the slot's plain value if a value of its terms is missing or infinite, or the sum is not
// finite (Shi, Li & Li 2019, "Gradient boosting with piece-wise linear regression trees";
// LightGBM's linear_tree has the same rule). A slot without terms has its plain value for all rows.
//
//	slot      0      1       2
//	At        0      2       2     3      (slot 1 has no terms)
//	Constant  0.5    0       1
//	Feature   0 4            2
//	Coef      2 -1           0.25
type Linear struct {
	At       []int32   // slot s has the terms At[s] up to At[s+1]
	Constant []float64 // of each slot; 0 where it has no terms
	Feature  []int32   // numeric columns, ascending within a slot
	Coef     []float64
}

// Equation returns the constant and the terms of node n; no features where a plain value, or none,
// is all that it has. The slices are views into the tree.
func (t *Tree) Equation(n int32) (constant float64, features []int32, coefs []float64) {
	l, slot := t.Leaf.Linear, t.Slot(n)
	if l == nil || slot < 0 {
		return 0, nil, nil
	}
	from, to := l.At[slot], l.At[slot+1]
	return l.Constant[slot], l.Feature[from:to], l.Coef[from:to]
}

// Estimate returns the prediction of node n, which has a value, in a tree of numbers (Scalar): by
// its equation if it has one. value gives the row's value of a feature.
func (t *Tree) Estimate(n int32, value func(feature int32) float64) float64 {
	sum, features, coefs := t.Equation(n)
	for i, f := range features {
		sum += float64(coefs[i] * value(f))
	}
	if len(features) == 0 || !isFinite(sum) {
		return t.Value(n)[0]
	}
	return sum
}

// isFinite holds of neither infinities nor what is not a number.
func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// equation is that of a node in the making.
type equation struct {
	constant float64
	terms    []Term
}

// SetLinear gives node n an equation, features ascending; see Linear. Without terms it has none.
// SetValue still sets the plain value, which is used where the equation has none.
func (b *Builder) SetLinear(n int32, constant float64, terms []Term) {
	delete(b.linear, n)
	if len(terms) == 0 {
		return
	}
	if b.linear == nil {
		b.linear = map[int32]equation{}
	}
	b.linear[n] = equation{constant, slices.Clone(terms)}
}

// CopyValue gives node n the value of a node of another tree of the same kind and width, its
// equation included.
func (b *Builder) CopyValue(n int32, t *Tree, from int32) {
	b.SetValue(n, t.Value(from))
	constant, features, coefs := t.Equation(from)
	terms := make([]Term, len(features))
	for i, f := range features {
		terms[i] = Term{f, coefs[i]}
	}
	b.SetLinear(n, constant, terms)
}

// packLinear lays the equations out in the order of the nodes, whose slots are their numbers.
func (b *Builder) packLinear() {
	if len(b.linear) == 0 {
		return
	}
	l := &Linear{At: []int32{0}}
	for n := range int32(b.t.Len()) {
		e := b.linear[n]
		l.add(e.constant)
		for _, d := range e.terms {
			l.term(d.Feature, d.Coef)
		}
	}
	b.t.Leaf.Linear = l
}

// add appends a slot without terms.
func (l *Linear) add(constant float64) {
	l.Constant = append(l.Constant, constant)
	l.At = append(l.At, int32(len(l.Feature)))
}

// term appends a term to the last slot.
func (l *Linear) term(feature int32, coef float64) {
	l.Feature, l.Coef = append(l.Feature, feature), append(l.Coef, coef)
	l.At[len(l.At)-1]++
}

// addOf appends the equation of a node of a tree.
func (l *Linear) addOf(t *Tree, n int32) {
	constant, features, coefs := t.Equation(n)
	l.add(constant)
	for i, f := range features {
		l.term(f, coefs[i])
	}
}

// hasEquations reports whether a node at which rows end has an equation; stops reports whether some
// end at inner nodes.
func hasEquations(t *Tree, stops bool) bool {
	if t.Leaf.Linear == nil {
		return false
	}
	for n := range int32(t.Len()) {
		_, features, _ := t.Equation(n)
		if len(features) > 0 && (t.Kind(n) == Leaf || stops && t.Missing(n) == MissingStop) {
			return true
		}
	}
	return false
}

// equations checks the equations.
func (t validation) equations() error {
	l := t.Leaf.Linear
	if l == nil {
		return nil
	}
	switch {
	case t.Leaf.Kind != Scalar || t.Leaf.Samples != nil:
		return errors.New("equations of a tree that is not one of numbers, or that keeps samples")
	case l.At == nil || len(l.Constant) != len(t.Leaf.Value) || len(l.Coef) != len(l.Feature):
		return errors.New("equations of unequal length or without an index")
	case !finite(l.Constant) || !finite(l.Coef):
		return errors.New("a number of an equation is not finite")
	}
	if err := validateIndex("equations", l.At, len(t.Leaf.Value), len(l.Feature)); err != nil {
		return err
	}
	for slot := range l.Constant {
		for j := l.At[slot] + 1; j < l.At[slot+1]; j++ {
			if l.Feature[j] <= l.Feature[j-1] {
				return fmt.Errorf("slot %d: features of its equation do not ascend", slot)
			}
		}
	}
	return validateFeatures(l.Feature, t.features)
}
