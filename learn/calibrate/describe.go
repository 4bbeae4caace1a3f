package calibrate

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	add := func(name, text string) {
		found.Facts = append(found.Facts,
			model.Fact{Name: name, Text: text})
	}
	switch {
	case s.Why != "":
		add("folds", "none: "+s.Why+"; probabilities are not calibrated")
	case s.Before != nil && s.After != nil:
		text := fmt.Sprintf("%s in %s", humanize.Count(s.HoldOut, "row", "rows"),
			training.FoldWords(s.Folds, s.Requested))
		if c, ok := m.(*committee.Calibrated); ok && c.Method != MethodNone {
			text += fmt.Sprintf("; log loss %s -> %s, Brier score %s -> %s by calibrators fitted "+
				"to these rows",
				humanize.Metric(s.Before.LogLoss), humanize.Metric(s.After.LogLoss),
				humanize.Metric(s.Before.Brier), humanize.Metric(s.After.Brier))
		}
		add("folds", text)
	}
	if spec := m.Spec(); s.ThresholdValue != nil {
		add("threshold", fmt.Sprintf("%s: a greater probability is predicted as %s; %s %s on the "+
			"out-of-fold rows that it was chosen on",
			humanize.Metric(spec.Decision.Threshold), humanize.Name(spec.Classes[spec.Positive()]),
			s.ThresholdFor, humanize.Metric(*s.ThresholdValue)))
	}
	return found
}
