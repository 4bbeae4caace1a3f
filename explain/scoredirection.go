package explain

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// scoreDirection is what the scores or responses of a model point towards.
//
//	scores of a row       classes             turned
//	one of two classes    the positive one    if that is the first: the score is the second's
//	one of each class     all                 never
//	of anomalies          the anomaly         if raw ones fall where the response rises
//	of numbers            none                never
type scoreDirection struct {
	classes []string // by score
	turned  bool
}

// directionOf returns the direction of a number of raw scores of a model, or of its responses.
func directionOf(m model.Model, of model.Output, scores int) scoreDirection {
	s := m.Spec()
	switch at := s.Positive(); {
	case s.Task == data.Anomaly && scores == 1:
		e, trees := model.AsTrees(m)
		return scoreDirection{[]string{s.Classes[at]}, of == model.Raw && trees && e.Link != nil &&
			e.Link.Describe().Monotone < 0}
	case !s.Task.Classes():
	case scores == len(s.Classes):
		return scoreDirection{classes: slices.Clone(s.Classes)}
	case scores == 1 && len(s.Classes) == 2:
		return scoreDirection{[]string{s.Classes[at]}, at == 0}
	}
	return scoreDirection{}
}

// turn gives scores, or what adds up to them, the sign by which they point towards the class.
func (d scoreDirection) turn(values []float64) {
	if !d.turned {
		return
	}
	for i, v := range values {
		values[i] = 0 - v // not -v: of 0 that is -0
	}
}
