package report

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// checkReport is the content of the section that compares the table with the training rows.
type checkReport struct{ *check.Report }

func (r checkReport) parts() []piece {
	parts := []piece{paragraph("%s.", sentence(r.Answer()))}
	g := &grid{Caption: fmt.Sprintf("Columns of the table beside those of %s, the worst first",
		humanize.Count(r.Training, "training row", "training rows")), Tall: len(r.Columns) > tallColumns,
		Columns: []column{{Name: "column", Sort: true}, {Name: "PSI", Class: "number", Sort: true},
			{Name: "p", Class: "number", Sort: true}, {Name: "missing", Class: "number", Sort: true},
			{Name: "in training", Class: "number"}, {Name: "what", Class: "long"}}}
	add := func(prefix string, c *check.Column) {
		line := []cell{text(prefix + c.Name), text("–"), text("–"), share1(c.Missing),
			share1(c.MissingTraining), {Text: strings.Join(c.Words(), "; "), Mark: c.Findings != nil}}
		if c.PSI != nil {
			line[1], line[2] = amount(number(*c.PSI), 2), amount(number(*c.P), 2)
			if *c.P < 1e-4 {
				line[2].Text = "<0.0001"
			}
		}
		if c.Moves != "" {
			line[5].Text = strings.Join(append(c.Words(), "a "+c.Moves+", which moves by itself"), "; ")
		}
		g.Rows = append(g.Rows, line)
	}
	if r.Label != nil {
		add("label ", r.Label)
	}
	for i := range r.Predictions {
		add("prediction ", &r.Predictions[i])
	}
	for i := range r.Columns {
		add("", &r.Columns[i])
	}
	parts = append(parts, table(g))
	if r.Uncompared != "" {
		parts = append(parts, note("Predictions are not compared: %s.", r.Uncompared))
	}
	if r.Unevaluated != "" {
		parts = append(parts, note("No metrics: %s.", r.Unevaluated))
	}
	if r.Stored != nil && r.Changes != nil {
		parts = append(parts, table(r.changes()))
	}
	return parts
}

// sentence returns a text that begins with a capital.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// share1 is a cell of a part of 1 in percent.
func share1(part float64) cell {
	return cell{Text: humanize.Percent(part), Key: fmt.Sprint(part)}
}

// changes are the metrics beside those that the model stores.
func (r checkReport) changes() *grid {
	g := &grid{Caption: fmt.Sprintf("Metrics of the table beside the stored ones (%s, %s)",
		r.Stored.Origin, humanize.Count(r.Stored.Rows, "row", "rows")),
		Columns: []column{{Name: "metric"}, {Name: "table", Class: "number"},
			{Name: "stored", Class: "number"}, {Name: "change", Class: "number"},
			{Name: "95 % interval of the change", Class: "number"}}}
	for _, d := range r.Changes {
		before := r.Stored.Metric(d.Name).Value
		g.Rows = append(g.Rows, []cell{text(metric.Words(d.Name)), text(humanize.Metric(before + d.Value)),
			text(humanize.Metric(before)), text(humanize.Metric(d.Value)),
			{Text: humanize.Metric(d.Low) + " to " + humanize.Metric(d.High), Mark: d.Low > 0 || d.High < 0}})
	}
	return g
}

func checkOf(ctx context.Context, s *subject) (content, error) {
	switch {
	case s.data == nil:
		return nil, errNoTable
	case s.spec.Profile == nil:
		return nil, missing("The model has no profile of its training rows: coppice profile MODEL " +
			"DATA adds one.")
	}
	f, label, err := s.withLabel()
	if err != nil {
		return nil, err
	}
	r, err := check.Run(ctx, s.model, f, check.Options{Options: s.predicting(), Label: label,
		NoLabel: label == ""})
	return checkReport{r}, err
}

// withLabel returns the table with the label of classes or of a number, and with the weights, as
// columns again; "" where there is no such label.
func (s *subject) withLabel() (f *data.Frame, label string, err error) {
	t, schema := &s.data.Target, s.data.Schema
	schema.Fields = schema.Fields[:len(schema.Fields):len(schema.Fields)]
	columns := s.data.Columns[:len(s.data.Columns):len(s.data.Columns)]
	add := func(f data.Field, c data.Column) {
		schema.Fields, columns = append(schema.Fields, f), append(columns, c)
	}
	switch label = cmp.Or(s.spec.Label, t.Name); {
	case label == "" || schema.Index(label) >= 0:
		return s.data.Frame, "", nil
	case t.Class != nil && s.spec.Labels():
		add(data.Field{Name: label, Kind: data.Categorical, Levels: t.Classes}, data.Codes(t.Class))
	case len(t.Y) == 1 && s.spec.Task == data.Regression:
		add(data.Field{Name: label}, data.Numbers(t.Y[0]))
	default:
		return s.data.Frame, "", nil
	}
	if name := s.spec.Roles.Weight; t.Weight != nil && name != "" && schema.Index(name) < 0 {
		add(data.Field{Name: name}, data.Numbers(t.Weight))
	}
	f, err = data.NewFrame(schema, columns)
	return f, label, err
}
