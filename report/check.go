package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// shownColumns is the number of columns that the section shows first, and more if more have
// findings.
const shownColumns = 15

// checkReport is the content of the section that compares the table with the training rows.
type checkReport struct{ *check.Report }

func (r checkReport) parts() []piece {
	parts := []piece{paragraph("%s.", sentence(r.Answer()))}
	g := &grid{Caption: fmt.Sprintf("Columns of the table beside those of %s, the worst first",
		humanize.Count(r.Training, "training row", "training rows")),
		Columns: []column{{Name: "column", Sort: true}, {Name: "PSI", Class: "number", Sort: true},
			{Name: "p", Class: "number", Sort: true}, {Name: "missing", Class: "number", Sort: true},
			{Name: "in training", Class: "number"}, {Name: "what", Class: "long"}}}
	add := func(prefix string, c *check.Column) {
		line := []cell{text(prefix + c.Name), text("–"), text("–"), {Text: share(c.Missing, 1),
			Key: fmt.Sprint(c.Missing)}, text(share(c.MissingTraining, 1)), {Text: strings.Join(c.Words(), "; "), Mark: c.Findings != nil}}
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
	shown := len(g.Rows) + shownColumns
	for i := range r.Columns {
		if add("", &r.Columns[i]); r.Columns[i].Findings != nil {
			shown = max(shown, len(g.Rows))
		}
	}
	shown = min(shown, len(g.Rows))
	first, others := *g, *g
	first.Rows, others.Rows = g.Rows[:shown], g.Rows[shown:]
	parts = append(parts, table(&first))
	if n := len(others.Rows); n > 0 {
		others.Caption = "Columns without a finding"
		parts = append(parts, folded(humanize.Count(n, "other column", "other columns"), table(&others)))
	}
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

// changes are the metrics beside those that the model stores.
func (r checkReport) changes() *grid {
	g := &grid{Caption: fmt.Sprintf("Metrics of the table beside the stored ones (%s, %s)",
		r.Stored.Origin, humanize.Count(r.Stored.Rows, "row", "rows")),
		Columns: []column{{Name: "metric"}, {Name: "table", Class: "number"},
			{Name: "stored", Class: "number"}, {Name: "change", Class: "number"},
			{Name: "95 % interval of the change", Class: "number"}}}
	for _, d := range r.Changes {
		before := r.Stored.Metric(d.Name).Value
		words := func(v float64) string { return humanize.Number(v, 4) }
		g.Rows = append(g.Rows, []cell{text(metric.Words(d.Name)), text(words(before + d.Value)),
			text(words(before)), text(words(d.Value)),
			{Text: words(d.Low) + " to " + words(d.High), Mark: d.Low > 0 || d.High < 0}})
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

// withLabel returns the table with the label as a column again, and with what metrics need beside
// it; "" where there is no such label.
func (s *subject) withLabel() (f *data.Frame, label string, err error) {
	t, schema := &s.data.Target, s.data.Schema
	schema.Fields = schema.Fields[:len(schema.Fields):len(schema.Fields)]
	columns := s.data.Columns[:len(s.data.Columns):len(s.data.Columns)]
	add := func(name string, c data.Column, levels []string) {
		if name == "" || schema.Index(name) >= 0 {
			return
		}
		f := data.Field{Name: name, Levels: levels}
		if levels != nil {
			f.Kind = data.Categorical
		}
		schema.Fields, columns = append(schema.Fields, f), append(columns, c)
	}
	switch label = cmp.Or(s.spec.Label, t.Name); {
	case label == "" || schema.Index(label) >= 0:
		return s.data.Frame, "", nil
	case t.Class != nil:
		add(label, data.Codes(t.Class), t.Classes)
	case len(t.Y) == 1:
		add(label, data.Numbers(t.Y[0]), nil)
	default:
		return s.data.Frame, "", nil
	}
	roles := &s.spec.Roles
	if t.Weight != nil {
		add(roles.Weight, data.Numbers(t.Weight), nil)
	}
	if t.Group != nil {
		add(roles.Group, data.Numbers(numbered(t.Group)), nil)
	}
	if t.Event != nil {
		add(roles.Event, data.Numbers(floatsOf(t.Event)), nil)
	}
	if t.Upper != nil {
		ends := slices.Clone(t.Upper)
		for i, end := range ends {
			if math.IsInf(end, 1) {
				ends[i] = math.NaN()
			}
		}
		add(roles.Upper, data.Numbers(ends), nil)
	}
	f, err = data.NewFrame(schema, columns)
	return f, label, err
}

// numbered returns the groups of rows with small numbers, which a column of numbers holds exactly.
func numbered(groups []int64) []float64 {
	numbers, places := make([]float64, len(groups)), map[int64]int{}
	for i, group := range groups {
		if _, known := places[group]; !known {
			places[group] = len(places)
		}
		numbers[i] = float64(places[group])
	}
	return numbers
}

func floatsOf(events []uint8) []float64 {
	numbers := make([]float64, len(events))
	for i, v := range events {
		numbers[i] = float64(v)
	}
	return numbers
}
