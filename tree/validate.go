package tree

import (
	"errors"
	"fmt"
	"math"
)

// Validate checks every invariant of the structure, so that no walk can leave the arrays or fail to end, whatever
// wrote them: equal lengths; children contiguous, in range and after their parent; each node but the root the child
// of exactly one; features below features (any, if features < 0); leaves that look at nothing; sets, directions,
// surrogates and value slots in range; shares that divide a row without rest; finite numbers, but for infinite cuts.
// Codecs call it on what they read from untrusted files.
func (t *Tree) Validate(features int) error {
	n := t.Len()
	if n == 0 {
		return errors.New("tree without nodes")
	}
	if len(t.Feature) != n || len(t.Cut) != n || len(t.Child) != n || len(t.Arity) != n || len(t.Missing) != n {
		return errors.New("tree arrays of unequal length")
	}
	if err := validateIndex("sets", t.SetAt, n, len(t.Sets)); err != nil {
		return err
	}
	if err := t.validateDirections(features); err != nil {
		return err
	}
	if err := t.validateSurrogates(features); err != nil {
		return err
	}
	children := 0
	for i := range n {
		if t.Kind[i] == Leaf {
			if t.Arity[i] != 0 || t.Child[i] != -1 || t.Feature[i] != -1 || math.IsNaN(t.Cut[i]) {
				return fmt.Errorf("leaf %d has children, a feature or a cut that is not a number", i)
			}
			continue
		}
		if err := t.validateSplit(i, features); err != nil {
			return err
		}
		children += int(t.Arity[i])
	}
	if children != n-1 {
		return fmt.Errorf("%d nodes and %d child links", n, children)
	}
	if err := t.validateTwins(); err != nil {
		return err
	}
	return t.validateValues()
}

func (t *Tree) validateSplit(i, features int) error {
	k, arity := t.Kind[i], int(t.Arity[i])
	directed := k == Oblique || k == Sphere
	switch {
	case k > Sphere:
		return fmt.Errorf("node %d: unknown kind %d", i, k)
	case t.Missing[i] > MissingStop:
		return fmt.Errorf("node %d: unknown missing rule %d", i, t.Missing[i])
	case k == ByCode && arity < 1:
		return fmt.Errorf("node %d has %d children", i, arity)
	case k != ByCode && arity != 2:
		return fmt.Errorf("node %d has %d children, not 2", i, arity)
	case int(t.Child[i]) <= i || int(t.Child[i]) > t.Len()-arity:
		return fmt.Errorf("node %d: children at %d are out of range", i, t.Child[i])
	case directed && (t.Feature[i] != -1 || t.Dirs == nil || t.Dirs.At[i] == t.Dirs.At[i+1]):
		return fmt.Errorf("node %d has no direction", i)
	case !directed && (t.Feature[i] < 0 || features >= 0 && int(t.Feature[i]) >= features):
		return fmt.Errorf("node %d: feature %d of %d", i, t.Feature[i], features)
	case math.IsNaN(t.Cut[i]):
		return fmt.Errorf("node %d: cut is not a number", i)
	case (k == SetFirst || k == SetLast) && t.SetAt == nil:
		return fmt.Errorf("node %d has no set", i)
	case t.Missing[i] == MissingFractional && t.Share == nil:
		return fmt.Errorf("node %d divides rows and has no shares", i)
	case t.Missing[i] == MissingStop && t.Leaf.Slot != nil && len(t.Leaf.Slot) == t.Len() && t.Leaf.Slot[i] < 0:
		return fmt.Errorf("node %d stops rows and has no value", i)
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

// validateIndex checks an index of n parts of an array; both may be absent.
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
			return fmt.Errorf("%s: part %d has a negative length", what, i)
		}
	}
	return nil
}

func (t *Tree) validateDirections(features int) error {
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
	for i, k := range t.Kind {
		if k != Oblique && k != Sphere && d.At[i] != d.At[i+1] {
			return fmt.Errorf("node %d has a direction it does not use", i)
		}
		for j := d.At[i] + 1; j < d.At[i+1]; j++ {
			if d.Feature[j] <= d.Feature[j-1] {
				return fmt.Errorf("node %d: features of its direction do not ascend", i)
			}
		}
	}
	return validateFeatures(d.Feature, features)
}

func (t *Tree) validateSurrogates(features int) error {
	s := t.Surrogates
	if s == nil {
		return nil
	}
	n := len(s.Kind)
	if s.At == nil || len(s.Feature) != n || len(s.Cut) != n || len(s.Flip) != n || len(s.Agree) != n || len(s.Adjusted) != n {
		return errors.New("surrogates of unequal length or without an index")
	}
	if err := validateIndex("surrogates", s.At, t.Len(), n); err != nil {
		return err
	}
	if err := validateIndex("surrogates' sets", s.SetAt, n, len(s.Sets)); err != nil {
		return err
	}
	for i, k := range s.Kind {
		if k != Cut && (k != SetFirst && k != SetLast || s.SetAt == nil) || s.Flip[i] > 1 || math.IsNaN(s.Cut[i]) {
			return fmt.Errorf("surrogate %d: kind %d without what it needs", i, k)
		}
	}
	for i, k := range t.Kind {
		if s.At[i] != s.At[i+1] && (k == Leaf || t.Arity[i] != 2 || t.Missing[i] != MissingSurrogate && t.Missing[i] != MissingStop) {
			return fmt.Errorf("node %d has surrogates it does not use", i)
		}
	}
	if !finite(s.Agree) || !finite(s.Adjusted) {
		return errors.New("agreement of a surrogate is not finite")
	}
	return validateFeatures(s.Feature, features)
}

func validateFeatures(list []int32, features int) error {
	for _, f := range list {
		if f < 0 || features >= 0 && int(f) >= features {
			return fmt.Errorf("feature %d of %d", f, features)
		}
	}
	return nil
}

func (t *Tree) validateValues() error {
	l := &t.Leaf
	if l.Kind > Counts || l.Width < 1 || l.Kind == Scalar && l.Width != 1 || len(l.Value)%l.Width != 0 {
		return errors.New("leaf values of unknown kind or width")
	}
	if len(l.Value) > math.MaxInt32 {
		return fmt.Errorf("%d numbers in its values", len(l.Value))
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
	if !finite(l.Value) {
		return errors.New("a value is not finite")
	}
	if err := t.validateShares(); err != nil {
		return err
	}
	if s := t.Stats; s != nil {
		if len(s.Rows) != t.Len() || len(s.Weight) != t.Len() || len(s.Impurity) != t.Len() || len(s.Gain) != t.Len() {
			return errors.New("node statistics of unequal length")
		}
		if !finite(s.Weight) || !finite(s.Impurity) || !finite(s.Gain) {
			return errors.New("a weight, impurity or gain is not finite")
		}
	}
	return nil
}

// shareSlack is what rounding may take from or add to the sum of a node's shares.
const shareSlack = 1e-6

func (t *Tree) validateShares() error {
	if t.Share != nil && len(t.Share) != t.Len() {
		return errors.New("shares of unequal length")
	}
	for i, s := range t.Share {
		if !(s >= 0 && s <= 1) {
			return fmt.Errorf("node %d: share %v is not between 0 and 1", i, s)
		}
	}
	for i, k := range t.Kind {
		if k == Leaf || t.Missing[i] != MissingFractional {
			continue
		}
		sum := 0.0
		for c := t.Child[i]; c < t.Child[i]+t.Arity[i]; c++ {
			sum += t.Share[c]
		}
		if math.Abs(sum-1) > shareSlack {
			return fmt.Errorf("node %d divides rows by shares that add up to %v", i, sum)
		}
	}
	return nil
}

func finite(s []float64) bool {
	for _, x := range s {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
