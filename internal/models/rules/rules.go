// Package rules owns the model that is a list of if-then rules: the first rule whose conditions all
// hold decides. It has no learner; learn/c45 makes such models from trees.
package rules

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Rules is a classification model. The rules are tried in order; the last has no condition, so that
// every row is decided.
//
// The response of a row is the distribution of the training rows that its rule decided, smoothed by
// Laplace: (w + 1) / (W + K) for a class of weight w, W their sum, and K the number of classes that
// some rule has weight of. Classes without any weight have probability 0.
type Rules struct {
	Meta model.Spec
	List []Rule
}

// Rule is one rule.
type Rule struct {
	If []Condition // all must hold
	// Value is the weight of each class among the training rows that the rule decided; see Class.
	// Some weight is positive: a last rule that decided no row has that of all.
	Value []float64
	// Decided is the weight of the training rows that the rule decided. Covered is that of all for
	// which its conditions hold, decided by an earlier rule or not. Right is the fraction of
	// Covered that has the rule's class.
	Decided, Covered, Right float64
}

// Class returns the class of largest weight, of equal ones the first: what the rule predicts unless
// the model has costs.
func (r *Rule) Class() int { return model.ArgMax(r.Value) }

// Kind is what a condition tests.
type Kind uint8

// The kinds of conditions. None of them holds for a missing value.
const (
	AtMost Kind = iota // x <= SplitPoint
	Above              // x > SplitPoint
	In                 // the category is in Set
	NotIn              // the category is not in Set; holds for an unseen one
)

// Condition is a test of one feature.
type Condition struct {
	Kind       Kind
	Feature    int32
	SplitPoint float64  // AtMost and Above
	Set        []uint64 // In and NotIn: bit set of codes
}

// matchesNumber reports whether an AtMost or Above condition holds for x; NaN is missing.
func (c *Condition) matchesNumber(x float64) bool {
	if c.Kind == AtMost {
		return x <= c.SplitPoint
	}
	return x > c.SplitPoint
}

// matchesCode reports whether an In or NotIn condition holds for a category.
func (c *Condition) matchesCode(code uint32) bool {
	return code != data.MissingCode && tree.InSet(c.Set, code) == (c.Kind == In)
}

// Matches reports whether the condition holds for a row of columns that have the model's schema and
// dictionaries.
func (c *Condition) Matches(columns []data.Column, row int32) bool {
	if column := &columns[c.Feature]; column.Codes() != nil {
		return c.matchesCode(column.Code(int(row)))
	}
	return c.matchesNumber(columns[c.Feature].Number(int(row)))
}

// Spec returns the model's description.
func (m *Rules) Spec() *model.Spec { return &m.Meta }

// Outputs returns the number of classes.
func (m *Rules) Outputs() int { return len(m.Meta.Classes) }

// Conditions returns the number of conditions of all rules.
func (m *Rules) Conditions() int {
	n := 0
	for i := range m.List {
		n += len(m.List[i].If)
	}
	return n
}

// Validate checks that rules and schema fit together. Codecs call it on what they read.
func (m *Rules) Validate() error {
	if !m.Meta.Task.Classes() || len(m.Meta.Classes) == 0 {
		return errors.New("rules predict classes, and there are none")
	}
	if err := m.Meta.Validate(); err != nil {
		return err
	}
	if len(m.List) == 0 {
		return errors.New("no rule")
	}
	for i := range m.List {
		if err := m.validateRule(i); err != nil {
			return fmt.Errorf("rule %d: %w", i, err)
		}
	}
	return nil
}

func (m *Rules) validateRule(i int) error {
	r := &m.List[i]
	if last := i == len(m.List)-1; last != (len(r.If) == 0) {
		return fmt.Errorf("%d conditions, rule %d of %d", len(r.If), i, len(m.List))
	}
	if len(r.Value) != len(m.Meta.Classes) {
		return fmt.Errorf("%d weights for %d classes", len(r.Value), len(m.Meta.Classes))
	}
	sum := 0.0
	for _, w := range r.Value {
		if !(w >= 0) {
			return fmt.Errorf("a class has weight %g", w)
		}
		sum += w
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return fmt.Errorf("the classes have weight %g", sum)
	}
	for _, w := range []float64{r.Decided, r.Covered, r.Right} {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("rows of weight %g", w)
		}
	}
	for k := range r.If {
		if err := m.validateCondition(&r.If[k]); err != nil {
			return fmt.Errorf("condition %d: %w", k, err)
		}
	}
	return nil
}

func (m *Rules) validateCondition(c *Condition) error {
	if c.Kind > NotIn {
		return fmt.Errorf("unknown kind %d", c.Kind)
	}
	if c.Feature < 0 || int(c.Feature) >= len(m.Meta.Schema.Fields) {
		return fmt.Errorf("there is no column %d", c.Feature)
	}
	f := &m.Meta.Schema.Fields[c.Feature]
	want := data.Numeric
	if c.Kind >= In {
		want = data.Categorical
	}
	switch {
	case f.Kind != want:
		return fmt.Errorf("the %s column %q is tested as %s", f.Kind, f.Name, want)
	case math.IsNaN(c.SplitPoint) || want == data.Categorical && c.SplitPoint != 0:
		return fmt.Errorf("column %q is compared with %g", f.Name, c.SplitPoint)
	case want == data.Numeric && len(c.Set) > 0:
		return fmt.Errorf("the numeric column %q has a set", f.Name)
	}
	for w, word := range c.Set {
		if top := 64*w + bits.Len64(word); word != 0 && top > len(f.Levels) {
			return fmt.Errorf("code %d in the set of a dictionary of %d", top-1, len(f.Levels))
		}
	}
	return nil
}
