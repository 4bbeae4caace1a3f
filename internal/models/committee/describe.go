package committee

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/model"
)

// Describe counts the members and what they consist of. A committee that only scales the
// probabilities of one member by a temperature is described as that member is.
func (c *Committee) Describe() model.Description {
	inner := unscaled(c)
	pool, ok := inner.(*Committee)
	if !ok {
		return inner.Describe()
	}
	d := model.Description{Title: "members", Combine: pool.Combine.String(),
		Size: model.Size{Members: len(pool.Members)}}
	for i, m := range pool.Members {
		member := m.Describe()
		d.Size.Add(member.Size)
		for _, name := range member.Leaves {
			d.Leaves = append(d.Leaves, fmt.Sprintf("member_%d_%s", i, name))
		}
	}
	words := []string{strconv.Itoa(d.Size.Members)}
	if d.Size.Trees > 0 {
		words = append(words, d.Size.TreeWords())
	}
	if d.Size.Rules > 0 {
		words = append(words, d.Size.RuleWords())
	}
	d.Words = strings.Join(words, ", ")
	if d.Obstacle = pool.obstacle(); c.Meta.Roles.Offset != "" {
		d.Obstacle = fmt.Sprintf(option.Expand("has the offset %s (train without {offset})"),
			humanize.Name(c.Meta.Roles.Offset))
	}
	return d
}

// obstacle says what keeps the members from being one ensemble of trees: one that is no ensemble of
// trees itself, one whose predictions are more than the sum of its trees, or the way in which they
// are combined.
func (c *Committee) obstacle() string {
	linked := ""
	for i, m := range c.Members {
		d := m.Describe()
		if why := d.Obstructs(); why != "" {
			return fmt.Sprintf("has the member %d, which %s", i+1, why)
		}
		if l := d.Ensemble.Link; l != nil && linked == "" {
			linked = fmt.Sprintf("has the member %d, whose predictions are the link %s of the sum of "+
				"its trees, and combines predictions by %s", i+1, l.Name(), c.Combine)
		}
	}
	if linked != "" {
		return linked
	}
	return fmt.Sprintf("combines the predictions of %s by %s, which is not one sum or mean of trees",
		humanize.Count(len(c.Members), "member", "members"), c.Combine)
}

// Children returns the members, without the committees that only scale their probabilities by a
// temperature: Child.Power is its inverse.
func (c *Committee) Children() []model.Child {
	pool, ok := unscaled(c).(*Committee)
	if !ok {
		pool = c
	}
	all := make([]model.Child, len(pool.Members))
	for i, m := range pool.Members {
		all[i] = model.Child{Role: model.Member, Model: unscaled(m), Weight: pool.Weight(i)}
		if scaled, ok := m.(*Committee); ok && all[i].Model != m {
			all[i].Power = scaled.Weight(0)
		}
	}
	return all
}

// unscaled unwraps committees of one member that scale its probabilities by a temperature. The
// tempered pool of a stack wraps each member, and the pool itself, in one. Any other model is
// returned as it is.
func unscaled(m model.Model) model.Model {
	for {
		c, ok := m.(*Committee)
		if !ok || c.Combine != Product || len(c.Members) != 1 ||
			c.Members[0].Spec().Learner != c.Meta.Learner {
			return m
		}
		m = c.Members[0]
	}
}
