package describe

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	learnstack "github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/calibrated"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/model/rules"
	"github.com/coppice-ml/coppice/model/stack"
)

// Members returns what --member counts, nil of models that are one; behind the members of a stack
// stands its meta-learner, and a calibrated model has one, its base.
func Members(m model.Model) []model.Model {
	switch m := m.(type) {
	case *committee.Committee:
		return bare(Pooled(m).Members)
	case *calibrated.Calibrated:
		return []model.Model{m.Base}
	case *stack.Stack:
		return append(slices.Clone(m.Members), m.MetaModel)
	}
	return nil
}

// within unwraps a committee of one member that scales probabilities by a temperature. The tempered
// pool of a stack wraps each member, and the pool itself, in one. Any other model is returned as it
// is.
func within(m model.Model) model.Model {
	for {
		c, is := m.(*committee.Committee)
		if !is || c.Combine != committee.Product || len(c.Members) != 1 || c.Members[0].Spec().Learner != c.Meta.Learner {
			return m
		}
		m = c.Members[0]
	}
}

// Pooled returns the committee whose members a model's are.
func Pooled(m *committee.Committee) *committee.Committee {
	if c, is := within(m).(*committee.Committee); is {
		return c
	}
	return m
}

// bare returns members without their temperature scaling.
func bare(members []model.Model) []model.Model {
	out := make([]model.Model, len(members))
	for i, m := range members {
		out[i] = within(m)
	}
	return out
}

// memberNames returns the names that training gave to a committee's members, nil if there are none.
// Each subset of the rows has all members of a vote; members to which a stack gives no weight are
// left out of its model.
func memberNames(m *committee.Committee) []string {
	var names []string
	switch m.Meta.Learner {
	case vote.Name:
		var found vote.Summary
		if json.Unmarshal(m.Meta.Summary, &found) != nil {
			return nil
		}
		if subsets := max(1, found.Parts); len(found.Members) <= len(Pooled(m).Members)/subsets {
			names = slices.Repeat(found.Members, subsets)
		}
	case learnstack.Name:
		var found learnstack.Summary
		if json.Unmarshal(m.Meta.Summary, &found) != nil {
			return nil
		}
		for _, member := range found.Members {
			if member.Weight != nil && *member.Weight > 0 {
				names = append(names, member.Name)
			}
		}
	}
	if len(names) != len(Pooled(m).Members) { // models read from files have one subset of the rows
		return nil
	}
	return names
}

// reportsMore reports whether some member's name is other than its learner's.
func reportsMore(names []string, members []model.Model) bool {
	for i, name := range names {
		if name != members[i].Spec().Learner {
			return true
		}
	}
	return false
}

// PrintMembers prints what the members are, at most limit of them; 0 = all.
func PrintMembers(c *cli.Console, m *committee.Committee, limit int) {
	g := cli.Grid{Columns: []cli.Column{{Name: "member", Right: true}}}
	names := memberNames(m)
	m = Pooled(m)
	if reportsMore(names, m.Members) {
		g.Columns = append(g.Columns, cli.Column{Name: "name"})
	} else {
		names = nil
	}
	g.Columns = append(g.Columns, cli.Column{Name: "learner"})
	if m.Weights != nil {
		g.Columns = append(g.Columns, cli.Column{Name: "weight", Right: true})
	}
	g.Columns = append(g.Columns, cli.Column{Name: "columns", Right: true}, cli.Column{Name: "size"})
	shown := m.Members
	if limit > 0 {
		shown = shown[:min(limit, len(shown))]
	}
	for i, member := range shown {
		s := member.Spec()
		row := []string{strconv.Itoa(i)}
		if names != nil {
			row = append(row, humanize.Name(names[i]))
		}
		row = append(row, humanize.Name(s.Learner))
		if m.Weights != nil {
			row = append(row, humanize.Metric(m.Weights[i]))
		}
		g.Add(append(row, strconv.Itoa(len(s.Schema.Fields)), memberWords(SizeOf(member)))...)
	}
	g.Print(c.Out)
	if more := len(m.Members) - len(shown); more > 0 {
		c.Printf("and %d more\n", more)
	}
}

// LeafColumns names the columns of predict --output leaf: what a row reaches in each tree and each
// list of rules.
func LeafColumns(m model.Model) []string {
	var names []string
	switch m := within(m).(type) {
	case *model.Ensemble:
		for i := range m.Trees {
			names = append(names, fmt.Sprintf("tree_%d", i))
		}
	case *rules.Rules:
		names = []string{"rule"}
	case *stack.Stack:
		for _, name := range LeafColumns(m.MetaModel) {
			names = append(names, "meta_learner_"+name)
		}
	case *calibrated.Calibrated:
		return LeafColumns(m.Base)
	case *committee.Committee:
		for i, member := range m.Members {
			for _, name := range LeafColumns(member) {
				names = append(names, fmt.Sprintf("member_%d_%s", i, name))
			}
		}
	}
	return names
}
