package training

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// FoldWords counts the folds of a cross-validation. requested is their requested number where
// there are fewer, else 0.
func FoldWords(folds, requested int) string {
	text := humanize.Count(folds, "fold", "folds")
	if requested > 0 {
		text += fmt.Sprintf(", not %d: there are too few rows, groups or times", requested)
	}
	return text
}

// LossWords names the metric of out-of-bag errors.
func LossWords(s *model.Spec) string {
	if s.Task.Classes() {
		return "error rate"
	}
	return "mean squared error"
}

// ThresholdWords describes the threshold of a model of anomaly scores.
func ThresholdWords(s *model.Spec) string {
	return humanize.Metric(s.Decision.Threshold) + ": a greater score is called " +
		humanize.Name(s.Classes[1])
}
