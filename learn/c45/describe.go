package c45

import (
	"fmt"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Criterion = training.Tree, s.Criterion
	switch {
	case s.Grown == 0 || s.Prune == "":
	case s.Prune == "none":
		found.Pruning = "not pruned"
	case s.Prune == "validation":
		found.Pruning = fmt.Sprintf("pruned from %d leaves by the validation set", s.Grown)
	default:
		found.Pruning = fmt.Sprintf("pruned from %d leaves by %s", s.Grown, s.Prune)
	}
	return found
}
