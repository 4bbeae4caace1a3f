package report

import (
	"context"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// trainingReport is the content of the section about the training.
type trainingReport struct {
	Title  string          `json:"title,omitempty"`
	About  string          `json:"about,omitempty"`
	Charts []trainingChart `json:"charts"`
	Tables []textTable     `json:"tables"`
	Notes  []string        `json:"notes"`
	Log    string          `json:"log,omitempty"`
}

// trainingChart is curves over rounds, members or the like.
type trainingChart struct {
	X      scale           `json:"x"`
	Y      scale           `json:"y"`
	Curves []trainingCurve `json:"curves"`
}

// scale is what an axis shows.
type scale struct {
	Label string `json:"label"`
	Zero  bool   `json:"zero"`
	Log   bool   `json:"log"`
}

// trainingCurve is a sequence of points.
type trainingCurve struct {
	Name   string   `json:"name"`
	X      []number `json:"x"`
	Y      []number `json:"y"`
	Dashed bool     `json:"dashed"`
	Points bool     `json:"points"` // marks without a line
	Colour int      `json:"colour"`
}

// textTable is a table of texts.
type textTable struct {
	Caption string     `json:"caption"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Notes   []string   `json:"notes"`
}

func trainingOf(_ context.Context, s *subject) (any, error) {
	r := &trainingReport{Log: s.options.TrainingLog}
	h := s.found.History
	if h != nil && h.Missing != "" {
		r.Notes = append(r.Notes, h.Missing)
	}
	if h != nil && h.Figure != nil {
		r.Title, r.About = h.Figure.Title, h.Figure.Subtitle
		r.Notes = append(r.Notes, h.Figure.Notes...)
		for _, c := range h.Figure.Charts {
			r.Charts = append(r.Charts, trainingChartOf(&c))
		}
	}
	if f := training.StudyFigure(s.model.Spec().Study, ""); f != nil {
		r.Charts = append(r.Charts, trainingChartOf(&f.Charts[0]))
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

func trainingChartOf(c *training.Chart) trainingChart {
	t := trainingChart{X: scale{c.X.Label, c.X.Zero, c.X.Log}, Y: scale{c.Y.Label, c.Y.Zero, c.Y.Log}}
	for _, of := range c.Curves {
		t.Curves = append(t.Curves, trainingCurve{Name: of.Name, X: numbers(of.X), Y: numbers(of.Y),
			Dashed: of.Style == training.Dashes,
			Points: of.Style == training.Marks || of.Style == training.Points, Colour: of.Colour})
	}
	return t
}

func textTableOf(t *model.Table) textTable {
	return textTable{t.Caption, t.Heading(), t.Rows, t.Notes}
}
