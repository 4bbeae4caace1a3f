package cart

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Criterion, found.Pruning = training.Tree, s.Criterion, s.pruning()
	found.Path = training.Path{Cost: s.PruneBy, Method: s.Prune, Points: s.Path}
	if s.Leaves == 1 && s.Grown > 1 && (s.Prune == "cv" || s.Prune == "cv-min") {
		found.Brief.Pruned = fmt.Sprintf("from %d leaves to 1: in cross-validation no split helps new "+
			"rows; prune=none keeps them", s.Grown)
	}
	return found
}

// pruning describes how the tree was pruned.
func (s *Summary) pruning() string {
	if s.Grown == 0 {
		return ""
	}
	switch s.Prune {
	case "":
		return ""
	case "validation":
		return fmt.Sprintf("pruned from %d leaves by the validation set", s.Grown)
	case "none":
		return "not pruned"
	case "alpha":
		return fmt.Sprintf("pruned from %d leaves with alpha %s", s.Grown,
			humanize.Number(s.Alpha, 4))
	case "cv", "cv-min":
		if s.Requested > 0 && s.Folds == 0 {
			return "not pruned: too few rows, groups or times for cross-validation"
		}
		text := fmt.Sprintf("pruned from %d leaves by cross-validation, alpha %s", s.Grown,
			humanize.Number(s.Alpha, 4))
		if s.Requested > 0 {
			text += "; " + training.FoldWords(s.Folds, s.Requested)
		}
		return text
	}
	return fmt.Sprintf("pruned from %d leaves by %s", s.Grown, s.Prune)
}
