package isolation

import (
	"fmt"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind = training.Bagged
	text := training.ThresholdWords(m.Spec())
	if s.Anomalies != nil {
		text += fmt.Sprintf(", which %d of the %d training rows exceed", *s.Anomalies, s.Rows)
	}
	found.Facts = []model.Fact{{Name: "threshold", Text: text}}
	return found
}
