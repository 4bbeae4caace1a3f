package report

import (
	"cmp"
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// trainingReport is the content of the section about the training.
type trainingReport struct {
	Title  string
	About  string
	Charts []training.Chart
	Tables []textTable
	Notes  []string
	Log    string
}

// textTable is a table of texts.
type textTable struct {
	Caption string
	Columns []string
	Rows    [][]string
	Notes   []string
}

func (r *trainingReport) parts() []piece {
	var parts []piece
	if r.About != "" {
		parts = append(parts, paragraph("%s", r.About))
	}
	var charts []figure
	for i := range r.Charts {
		c := &r.Charts[i]
		charts = append(charts, figureOf(c.Y.Label, plot.PanelOf(c)))
	}
	if charts != nil {
		parts = append(parts, figures(charts...))
	}
	parts = append(parts, notes(r.Notes)...)
	for k, t := range r.Tables {
		g := &grid{Caption: cmp.Or(t.Caption, fmt.Sprintf("What training found (%d)", k+1))}
		for _, name := range t.Columns {
			g.Columns = append(g.Columns, column{Name: name})
		}
		for _, row := range t.Rows {
			var line []cell
			for _, field := range row {
				line = append(line, text(field))
			}
			g.Rows = append(g.Rows, line)
		}
		parts = append(append(parts, table(g)), notes(t.Notes)...)
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
		r.Notes = append(r.Notes, f.Title+". "+f.Subtitle, f.Notes[0])
	}
	for i := range s.found.Tables {
		r.Tables = append(r.Tables, textTableOf(&s.found.Tables[i]))
	}
	if len(r.Charts) == 0 && len(r.Tables) == 0 && r.Log == "" {
		return nil, missing("The training stored no curve: a boosted model stores one with a " +
			"validation set or training_metric, a forest with out-of-bag rows. --training-log FILE " +
			"shows the text that training printed.")
	}
	return r, nil
}

func textTableOf(t *model.Table) textTable {
	return textTable{t.Caption, t.Heading(), t.Rows, t.Notes}
}
