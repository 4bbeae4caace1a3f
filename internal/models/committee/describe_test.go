package committee_test

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// A committee whose probabilities, and those of its members, are scaled by temperatures is
// described by its members as they were trained, with the exponents of their probabilities.
func TestDescribeScaled(t *testing.T) {
	scaled := func(m model.Model, power float64) *committee.Committee {
		return &committee.Committee{Meta: model.Spec{Learner: m.Spec().Learner}, Combine: committee.Product,
			Members: []model.Model{m}, Weights: []float64{power}}
	}
	one, two := &model.Ensemble{Meta: model.Spec{Learner: "cart"}}, &model.Ensemble{Meta: model.Spec{Learner: "gbm"}}
	pool := &committee.Committee{Meta: model.Spec{Learner: "stack"}, Combine: committee.Mean,
		Members: []model.Model{scaled(one, 2), two}, Weights: []float64{0.75, 0.25}}
	m := scaled(pool, 0.5)
	children := m.Children()
	if len(children) != 2 || children[0].Model != model.Model(one) || children[1].Model != model.Model(two) {
		t.Fatalf("children %+v", children)
	}
	if a, b := children[0], children[1]; a.Weight != 0.75 || a.Power != 2 || b.Weight != 0.25 || b.Power != 0 {
		t.Errorf("weights and exponents of %+v", children)
	}
	if d := m.Describe(); d.Combine != "mean" || d.Size.Members != 2 || d.Title != "members" {
		t.Errorf("described as %+v", d)
	}
}
