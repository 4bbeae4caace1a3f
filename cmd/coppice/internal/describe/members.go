package describe

import (
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// member is one of the models that an ensemble of models consists of.
type member struct {
	model.Child
	name string // that training gave to it; "" = none
}

// members returns the models that the model consists of.
func (v *View) members() []member {
	children := v.Model.Children()
	all := make([]member, len(children))
	for i, c := range children {
		all[i].Child = c
		// training may have lost members, and a model that another program made has no names
		if len(v.Training.Members) == len(children) {
			all[i].name = v.Training.Members[i]
		}
	}
	return all
}

// PrintMembers prints what the members are, at most limit of them; 0 = all. Names are printed where
// one is other than that of its learner, and weights where one is other than 1.
func (v *View) PrintMembers(c *cli.Console, limit int) {
	all := v.members()
	named := slices.ContainsFunc(all, func(m member) bool {
		return m.name != "" && m.name != m.Model.Spec().Learner
	})
	weighted := slices.ContainsFunc(all, func(m member) bool { return m.Weight != 1 })
	g := cli.Grid{Columns: []cli.Column{{Name: "member", Right: true}}}
	if named {
		g.Columns = append(g.Columns, cli.Column{Name: "name"})
	}
	g.Columns = append(g.Columns, cli.Column{Name: "learner"})
	if weighted {
		g.Columns = append(g.Columns, cli.Column{Name: "weight", Right: true})
	}
	g.Columns = append(g.Columns, cli.Column{Name: "columns", Right: true},
		cli.Column{Name: "size"})
	shown := len(all)
	if limit > 0 {
		shown = min(limit, shown)
	}
	for i := range all[:shown] {
		m := &all[i]
		s, d := m.Model.Spec(), m.Model.Describe()
		row := []string{strconv.Itoa(i)}
		if named {
			row = append(row, humanize.Name(m.name))
		}
		row = append(row, humanize.Name(s.Learner))
		if weighted {
			row = append(row, humanize.Metric(m.Weight))
		}
		g.Add(append(row, strconv.Itoa(len(s.Schema.Fields)), d.String())...)
	}
	g.Print(c.Out)
	if more := len(all) - shown; more > 0 {
		c.Printf("and %d more\n", more)
	}
}

// memberReport is a member as it is printed in JSON.
type memberReport struct {
	Name    string  `json:"name,omitempty"` // where members have names
	Learner string  `json:"learner"`
	Weight  float64 `json:"weight"`
	// of its probabilities (inverse temperature); absent: they are not scaled
	Power   float64    `json:"power,omitempty"`
	Size    model.Size `json:"size"`
	Columns int        `json:"columns"` // that it was trained on
}

// memberReports describes the members.
func (v *View) memberReports() []memberReport {
	var reports []memberReport
	for _, m := range v.members() {
		s := m.Model.Spec()
		reports = append(reports, memberReport{
			Name: m.name, Learner: s.Learner, Weight: m.Weight, Power: m.Power,
			Size: m.Model.Describe().Size, Columns: len(s.Schema.Fields),
		})
	}
	return reports
}
