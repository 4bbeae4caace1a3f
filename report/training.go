package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// trainingReport is the content of the section about the training.
type trainingReport struct {
	Title  string
	About  string
	Charts []plot.Chart
	Tables []model.Table
	Notes  []string
	Log    string
}

func (r *trainingReport) parts() []piece {
	var parts []piece
	if r.About != "" {
		parts = append(parts, paragraph("%s", r.About))
	}
	var charts []captioned
	for i := range r.Charts {
		c := r.Charts[i]
		c.Y.Label = metricWords(c.Y.Label)
		charts = append(charts, figureOf(c.Y.Label, plot.PanelOf(&c)))
	}
	if charts != nil {
		parts = append(parts, figures(charts...))
	}
	parts = append(parts, notes(r.Notes)...)
	for k := range r.Tables {
		parts = append(parts, wordTable(&r.Tables[k], fmt.Sprintf("What training found (%d)", k+1))...)
	}
	if r.Log != "" {
		parts = append(parts, heading("What training printed"), el("pre", attr{"tabindex", "0"}, r.Log))
	}
	return parts
}

func trainingOf(_ context.Context, s *subject) (content, error) {
	r := &trainingReport{Log: s.options.TrainingLog}
	h := s.found.History
	if h != nil && h.Missing != "" {
		r.Notes = append(r.Notes, h.Missing)
	}
	if h != nil && h.Figure != nil {
		r.Title, r.About = h.Figure.Title, h.Figure.Subtitle
		r.Notes = append(r.Notes, h.Figure.Notes...)
		r.Charts = append(r.Charts, h.Figure.Charts...)
	}
	if f := training.StudyFigure(s.model.Spec().Study, ""); f != nil {
		r.Charts = append(r.Charts, f.Charts[0])
		r.Notes = append(r.Notes, fmt.Sprintf("Search of parameters: the mean %s of %s in each trial.",
			metricWords(f.Charts[0].Y.Label), humanize.Count(s.model.Spec().Study.Folds, "fold", "folds")),
			f.Notes[0])
	}
	r.Tables = s.found.Tables
	if len(r.Charts) == 0 && len(r.Tables) == 0 && r.Log == "" {
		return nil, missing("%s", option.Expand("The training stored no curve: a boosted model stores one "+
			"with a validation set or training_metric, a forest with out-of-bag rows. "+
			"{training-log FILE} shows the text that training printed."))
	}
	return r, nil
}

// metricWords returns what people call a metric or a loss that a training reports.
func metricWords(name string) string {
	if _, known := metric.Lookup(name); !known && slices.Contains(loss.Names(), name) {
		return strings.ReplaceAll(name, "_", " ") + " loss"
	}
	return metric.Words(name)
}
