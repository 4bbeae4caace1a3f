// Package committee owns the model that is several models: each member predicts a row, and the committee answers with the
// mean or with the vote of its members. Members are models of any type, committees too. It knows no learner.
package committee

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Committee is a model of member models.
//
// Each member finds its columns by name, so members may be trained on different columns of the committee's schema, and
// with different dictionaries.
type Committee struct {
	Meta    model.Spec
	Members []model.Model
	Combine Combine
	Weights []float64 // one per member, above 0; nil = all 1
}

// Combine is how the members make one response.
type Combine uint8

// The ways to combine.
const (
	Mean Combine = iota // the weighted mean of the members' responses: shares of classes, or numbers
	Vote                // the response is the share of the members' weight that chose each class, by its own decision; classes only
)

var combineNames = []string{"mean", "vote"}

// String returns "mean" or "vote".
func (c Combine) String() string {
	if int(c) < len(combineNames) {
		return combineNames[c]
	}
	return fmt.Sprintf("combine(%d)", c)
}

// ParseCombine reads what String returns.
func ParseCombine(name string) (Combine, error) {
	if i := slices.Index(combineNames, name); i >= 0 {
		return Combine(i), nil
	}
	return 0, fmt.Errorf("unknown way %q to combine members: use mean or vote", name)
}

// MaxDepth is how many committees may stand inside each other.
const MaxDepth = 16

// Spec returns the model's description.
func (c *Committee) Spec() *model.Spec { return &c.Meta }

// Outputs returns the number of classes, else that of the outputs of the members.
func (c *Committee) Outputs() int {
	if c.Meta.Task.Classes() || len(c.Members) == 0 {
		return len(c.Meta.Classes)
	}
	return c.Members[0].Outputs()
}

// Weight returns the weight of a member.
func (c *Committee) Weight(member int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[member]
}

// Validate checks that members, weights and schema fit together, and every member. Codecs call it on what they read.
func (c *Committee) Validate() error { return c.validate(1) }

// validate is Validate for a committee that depth-1 others are around.
func (c *Committee) validate(depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("more than %d committees inside each other", MaxDepth)
	}
	if err := c.Meta.Validate(); err != nil {
		return err
	}
	switch {
	case c.Combine > Vote:
		return fmt.Errorf("unknown way %d to combine members", c.Combine)
	case c.Combine == Vote && !c.Meta.Task.Classes():
		return fmt.Errorf("members vote for classes, the task is %s", c.Meta.Task)
	case len(c.Members) == 0:
		return errors.New("no member")
	}
	if err := c.validateWeights(); err != nil {
		return err
	}
	kinds := make(map[string]data.Kind, len(c.Meta.Schema.Fields))
	for i := range c.Meta.Schema.Fields {
		kinds[c.Meta.Schema.Fields[i].Name] = c.Meta.Schema.Fields[i].Kind
	}
	for i, m := range c.Members {
		if err := c.validateMember(m, kinds, depth); err != nil {
			return fmt.Errorf("member %d: %w", i, err)
		}
	}
	return nil
}

func (c *Committee) validateWeights() error {
	if c.Weights == nil {
		return nil
	}
	if len(c.Weights) != len(c.Members) {
		return fmt.Errorf("%d weights for %d members", len(c.Weights), len(c.Members))
	}
	sum := 0.0
	for i, w := range c.Weights {
		if !(w > 0) {
			return fmt.Errorf("member %d has weight %g", i, w)
		}
		sum += w
	}
	if math.IsInf(sum, 0) {
		return fmt.Errorf("the members have weight %g", sum)
	}
	return nil
}

// validateMember checks one member; kinds are those of the committee's fields, by name.
func (c *Committee) validateMember(m model.Model, kinds map[string]data.Kind, depth int) error {
	if m == nil {
		return errors.New("is nil")
	}
	var err error
	switch m := m.(type) {
	case *Committee:
		if m == nil {
			return errors.New("is nil")
		}
		err = m.validate(depth + 1)
	case interface{ Validate() error }:
		err = m.Validate()
	}
	if err != nil {
		return err
	}
	s := m.Spec()
	switch {
	case s.Task != c.Meta.Task || !slices.Equal(s.Classes, c.Meta.Classes):
		return fmt.Errorf("predicts %s, classes %q, the committee %s, classes %q", s.Task, s.Classes, c.Meta.Task, c.Meta.Classes)
	case m.Outputs() != c.Outputs():
		return fmt.Errorf("has %d outputs, the committee %d", m.Outputs(), c.Outputs())
	}
	for i := range s.Schema.Fields {
		f := &s.Schema.Fields[i]
		kind, ok := kinds[f.Name]
		if !ok || kind != f.Kind {
			return fmt.Errorf("looks at a %s column %q, which the committee does not have", f.Kind, f.Name)
		}
	}
	return nil
}
