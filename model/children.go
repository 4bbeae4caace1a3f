package model

import "github.com/coppice-ml/coppice/loss/link"

// Child is a model that another consists of.
type Child struct {
	Role  Role
	Name  string // "" = it has a number alone
	Model Model
}

// Role is what a Child is to the whole.
type Role string

// The roles.
const (
	Member      Role = "member"       // its prediction is combined with those of others
	MetaLearner Role = "meta_learner" // it predicts by the predictions of the members
	Base        Role = "base"         // its probabilities are calibrated
)

// Composite is a Model that consists of others. Whoever checks a model walks through them.
type Composite interface {
	Model
	// Children returns the models in a fixed order.
	Children() []Child
}

// Children returns the models that m consists of, nil if it is no Composite.
func Children(m Model) []Child {
	if c, ok := m.(Composite); ok {
		return c.Children()
	}
	return nil
}

// Children returns those of the model whose decision was replaced.
func (m *decided) Children() []Child { return Children(m.Model) }

// Hazards reports whether a model predicts hazards, the larger the earlier the event, as in
// survival models with proportional hazards. The last of its children decides, as members are
// alike.
func Hazards(m Model) bool {
	if e, ok := m.(*Ensemble); ok {
		return e.Link == link.Link(link.Hazard{})
	}
	if children := Children(m); len(children) > 0 {
		return Hazards(children[len(children)-1].Model)
	}
	return false
}
