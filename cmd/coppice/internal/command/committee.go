package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	learnstack "github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/calibrated"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/model/rules"
	"github.com/coppice-ml/coppice/model/stack"
)

// memberOf returns the member that --member names.
func (o *showCommand) memberOf(path string, m model.Model) (model.Model, error) {
	members := membersOf(m)
	if members == nil {
		return nil, misusef("--member is for models that consist of several: %s is one%s", path, treeHint(m))
	}
	if o.member < 0 || o.member >= len(members) {
		return nil, misusef("--member %d: the model has %s, counted from 0", o.member, humanize.Count(len(members), "member", "members"))
	}
	return members[o.member], nil
}

// membersOf returns what --member counts, nil of models that are one; behind the members of a stack
// stands its meta-learner, and a calibrated model has one, its base.
func membersOf(m model.Model) []model.Model {
	switch m := m.(type) {
	case *committee.Committee:
		return bare(pooled(m).Members)
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

// pooled returns the committee whose members a model's are.
func pooled(m *committee.Committee) *committee.Committee {
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

func treeHint(m model.Model) string {
	if sizeOf(m).Trees > 1 {
		return " of trees, use --tree"
	}
	return ""
}

// showCommittee lists the members of a committee.
func (o *showCommand) showCommittee(path string, m *committee.Committee) error {
	for _, flag := range []string{"path", "tree", "depth", "format"} {
		if o.flags.Changed(flag) {
			return misusef("--%s is for a single member: choose one of the %d of %s by --member", flag, len(pooled(m).Members), path)
		}
	}
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		if o.jsonFlag.json {
			s := summaryOfModel(m)
			s.Combine, s.Committee = pooled(m).Combine.String(), memberReports(m)
			return out.json(s)
		}
		o.heading(&out, path, m)
		out.printf("\n")
		printMembers(&out, m, 0)
		printHoldOut(&out, m.Spec())
		return nil
	})
}

// memberReport is a member as it is printed in JSON.
type memberReport struct {
	Name    string  `json:"name,omitempty"` // where members have names
	Learner string  `json:"learner"`
	Weight  float64 `json:"weight"`
	// of its probabilities (inverse temperature); absent: they are not scaled
	Power   float64   `json:"power,omitempty"`
	Size    modelSize `json:"size"`
	Columns int       `json:"columns"` // that it was trained on
}

func memberReports(m *committee.Committee) []memberReport {
	pool, names := pooled(m), memberNames(m)
	reports := make([]memberReport, len(pool.Members))
	for i, member := range pool.Members {
		s := member.Spec()
		reports[i] = memberReport{Learner: s.Learner, Weight: pool.Weight(i), Size: sizeOf(member), Columns: len(s.Schema.Fields)}
		if c, is := member.(*committee.Committee); is && within(member) != member {
			reports[i].Power = c.Weight(0)
		}
		if names != nil {
			reports[i].Name = names[i]
		}
	}
	return reports
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
		if subsets := max(1, found.Parts); len(found.Members) <= len(pooled(m).Members)/subsets {
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
	if len(names) != len(pooled(m).Members) { // models read from files have one subset of the rows
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

// printMembers prints what the members are, at most limit of them; 0 = all.
func printMembers(c *console, m *committee.Committee, limit int) {
	g := grid{columns: []column{{name: "member", right: true}}}
	names := memberNames(m)
	m = pooled(m)
	if reportsMore(names, m.Members) {
		g.columns = append(g.columns, column{name: "name"})
	} else {
		names = nil
	}
	g.columns = append(g.columns, column{name: "learner"})
	if m.Weights != nil {
		g.columns = append(g.columns, column{name: "weight", right: true})
	}
	g.columns = append(g.columns, column{name: "columns", right: true}, column{name: "size"})
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
		g.add(append(row, strconv.Itoa(len(s.Schema.Fields)), memberWords(sizeOf(member)))...)
	}
	g.print(c.out)
	if more := len(m.Members) - len(shown); more > 0 {
		c.printf("and %d more\n", more)
	}
}

// memberWords describes the size of any model.
func memberWords(size modelSize) string {
	switch {
	case size.Members > 0:
		return "members: " + committeeWords(size)
	case size.Rules > 0:
		return ruleWords(size)
	case size.words != "":
		return size.name + ": " + size.words
	}
	return shapeWords(size)
}

// committeeWords describes the size of a committee.
func committeeWords(size modelSize) string {
	words := []string{strconv.Itoa(size.Members)}
	if size.Trees > 0 {
		words = append(words, shapeWords(size))
	}
	if size.Rules > 0 {
		words = append(words, ruleWords(size))
	}
	return strings.Join(words, ", ")
}

// leafColumns names the columns of predict --output leaf: what a row reaches in each tree and each
// list of rules.
func leafColumns(m model.Model) []string {
	var names []string
	switch m := within(m).(type) {
	case *model.Ensemble:
		for i := range m.Trees {
			names = append(names, fmt.Sprintf("tree_%d", i))
		}
	case *rules.Rules:
		names = []string{"rule"}
	case *stack.Stack:
		for _, name := range leafColumns(m.MetaModel) {
			names = append(names, "meta_learner_"+name)
		}
	case *calibrated.Calibrated:
		return leafColumns(m.Base)
	case *committee.Committee:
		for i, member := range m.Members {
			for _, name := range leafColumns(member) {
				names = append(names, fmt.Sprintf("member_%d_%s", i, name))
			}
		}
	}
	return names
}
