package forest

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Criterion, found.Importances = training.Bagged, s.Criterion, s.Importances
	s.OutOfBag.Describe(m.Spec(), found)
	return found
}
