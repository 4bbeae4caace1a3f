package committee

import (
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// part is what a report states of a member, or of the meta-learner.
type part struct {
	Name    string `json:"name"`
	Learner string `json:"learner"`
	Columns int    `json:"columns"` // that it reads
}

// Describe lists the members and the meta-learner.
func (s *Stack) Describe() model.Description {
	t := model.NewTable("member", "columns")
	parts := s.parts()
	for _, p := range parts {
		t.Add(humanize.Name(p.Name+" ("+p.Learner+")"), strconv.Itoa(p.Columns))
	}
	d := model.Description{Title: "stack", Table: t, Content: parts,
		Words: fmt.Sprintf("%d members, and %s to combine them", len(s.Members),
			s.MetaModel.Spec().Learner),
		Obstacle: fmt.Sprintf("has a meta-learner of %s behind the predictions of its members",
			s.MetaModel.Spec().Learner)}
	for _, name := range s.MetaModel.Describe().Leaves {
		d.Leaves = append(d.Leaves, string(model.MetaLearner)+"_"+name)
	}
	return d
}

// Children returns the members and, behind them, the model of the meta-learner.
func (s *Stack) Children() []model.Child {
	var all []model.Child
	for i, m := range s.Members {
		all = append(all, model.Child{Role: model.Member, Name: s.Names[i], Model: m, Weight: 1})
	}
	return append(all, model.Child{Role: model.MetaLearner, Name: string(model.MetaLearner),
		Model: s.MetaModel, Weight: 1})
}

// parts describes the children.
func (s *Stack) parts() []part {
	var all []part
	for _, c := range s.Children() {
		all = append(all, part{c.Name, c.Model.Spec().Learner, len(c.Model.Spec().Schema.Fields)})
	}
	return all
}
