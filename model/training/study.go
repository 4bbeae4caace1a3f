package training

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// StudyFigure returns the picture of the search that chose the parameters of a model: the mean of
// each trial, and the best mean so far. label is what the model predicts, "" = it has no name. It
// returns nil if no trial is known.
func StudyFigure(s *model.Study, label string) *figure.Figure {
	if s == nil || len(s.Means) == 0 {
		return nil
	}
	trials := figure.Curve{Name: "trial", Style: figure.Marks}
	best := figure.Curve{Name: "best so far", Style: figure.Line, Colour: 1}
	sofar := s.Means[0].Mean
	for _, t := range s.Means {
		if s.Higher {
			sofar = max(sofar, t.Mean)
		} else {
			sofar = min(sofar, t.Mean)
		}
		x := float64(t.Trial)
		trials.X, trials.Y = append(trials.X, x), append(trials.Y, t.Mean)
		best.X, best.Y = append(best.X, x), append(best.Y, sofar)
	}
	title := "Search of parameters"
	if label != "" {
		title = label + ": search of parameters"
	}
	return &figure.Figure{Title: title,
		Subtitle: fmt.Sprintf("Mean %s over %s of each trial.", s.Metric,
			humanize.Count(s.Folds, "fold", "folds")),
		Charts: []figure.Chart{{X: figure.Scale{Label: "trial"}, Y: figure.Scale{Label: s.Metric},
			Curves: []figure.Curve{trials, best}}},
		Notes: []string{"The best mean is optimistic: the same tests chose it."}}
}
