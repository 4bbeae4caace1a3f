package vote

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	if members, subsets := len(m.Children()), max(1, s.Subsets); len(s.Members) <= members/subsets {
		found.Members = slices.Repeat(s.Members, subsets)
	}
	rows := humanize.Count(s.HoldOut, "row", "rows")
	text := ""
	switch {
	case s.HoldOut == 0:
	case s.Folds > 0:
		text = fmt.Sprintf("among %s, out of fold in %s", rows,
			training.FoldWords(s.Folds, s.Requested))
	case s.Requested > 0:
		text = fmt.Sprintf("among the %s that members were trained on: too few rows, groups or "+
			"times for out-of-fold predictions", rows)
	}
	if text != "" {
		found.Facts = []model.Fact{{Name: "ranks", Text: text}}
	}
	return found
}
