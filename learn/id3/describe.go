package id3

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Criterion = training.Tree, s.Criterion
	return found
}
