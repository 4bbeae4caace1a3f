package models

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/calibrated"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/model/stack"
)

// Obstacle says what keeps a model from being one ensemble of trees, which other formats hold: it
// completes "this one ...". It is "" for an ensemble of trees.
func Obstacle(m model.Model) string {
	if m.Describe().Ensemble != nil {
		return ""
	}
	switch m := m.(type) {
	case *calibrated.Calibrated:
		return fmt.Sprintf("has probabilities that are calibrated by %s (train without --calibrate)",
			m.Method)
	case *stack.Stack:
		return fmt.Sprintf("has a meta-learner of %s behind the predictions of its members",
			m.MetaModel.Spec().Learner)
	case *committee.Committee:
		return obstacleOf(m)
	}
	return "consists of " + m.Describe().Title
}

// obstacleOf is Obstacle for members: one that is no ensemble of trees itself, one whose
// predictions are more than sums of its trees, or the way in which they are combined.
func obstacleOf(m *committee.Committee) string {
	linked := ""
	for i, child := range m.Children() {
		name := child.Name
		if name == "" {
			name = fmt.Sprint(i + 1)
		}
		if why := Obstacle(child.Model); why != "" {
			return fmt.Sprintf("has the member %s, which %s", humanize.Name(name), why)
		}
		if e := child.Model.Describe().Ensemble; e.Link != nil && linked == "" {
			linked = fmt.Sprintf("has the member %s, whose predictions are the link %s of the sum of "+
				"its trees, and combines predictions by %s", humanize.Name(name), e.Link.Name(), m.Combine)
		}
	}
	if linked != "" {
		return linked
	}
	return fmt.Sprintf("combines the predictions of %s by %s, which is not one sum or mean of trees",
		humanize.Count(len(m.Children()), "member", "members"), m.Combine)
}
