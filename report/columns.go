package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// columnReport is the content of the section about the columns of the table.
type columnReport struct {
	Rows     int // 0: there is no table
	Warnings []warning
	Columns  []columnValues
}

// warning is a finding of the checks of package quality.
type warning struct {
	Columns []string
	Message string
	Advice  string
}

// columnValues describes the values of a column.
type columnValues struct {
	Name     string
	Kind     string
	Label    bool
	Missing  int
	Distinct int
	Range    string
	Bins     *histogram // of numbers
	Top      []level    // the most frequent categories
	Checks   []string
}

// level is a category and its rows.
type level struct {
	Name string
	Rows int
}

// columnBins is the number of bins of the small histograms.
const columnBins = 24

// shownLevels is the number of categories that a small picture shows.
const shownLevels = 10

// tallColumns is the number of columns from which the table scrolls by itself.
const tallColumns = 20

func (r *columnReport) parts() []piece {
	var parts []piece
	switch {
	case r.Rows == 0:
		parts = append(parts,
			note("A table is missing: coppice report MODEL DATA shows distributions."))
	case len(r.Warnings) == 0:
		parts = append(parts, paragraph("No column is suspicious: none is constant, an identifier, a "+
			"copy of another, or predicts the label alone."))
	default:
		parts = append(parts, el("ul", class("warnings"), each(r.Warnings,
			func(w warning) piece { return el("li", el("strong", w.Message), ": "+w.Advice) })))
	}
	g := &grid{Caption: "Columns that the model was trained on", Tall: len(r.Columns) > tallColumns,
		Columns: []column{{Name: "column", Sort: true}, {Name: "kind", Sort: true}}}
	if r.Rows > 0 {
		g.Caption = fmt.Sprintf("Columns of the table, of %d rows", r.Rows)
		g.Columns = append(g.Columns, column{Name: "missing", Class: "number", Sort: true},
			column{Name: "distinct", Class: "number", Sort: true}, column{Name: "distribution"})
	}
	g.Columns = append(g.Columns, column{Name: "range, or most frequent", Class: "wrap"})
	if len(r.Warnings) > 0 {
		g.Columns = append(g.Columns, column{Name: "checks"})
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		line := []cell{text(c.Name), text(c.Kind)}
		if c.Label {
			line[0].Text += " (label)"
		}
		if r.Rows > 0 {
			line = append(line, cell{Text: "0", Key: fmt.Sprint(c.Missing)}, count(c.Distinct),
				cell{Inner: c.picture()})
			if c.Missing > 0 {
				line[2].Text = share(float64(c.Missing), float64(r.Rows))
			}
		}
		line = append(line, text(c.Range))
		if len(r.Warnings) > 0 {
			line = append(line, cell{Text: strings.Join(c.Checks, ", "), Mark: c.Checks != nil})
		}
		g.Rows = append(g.Rows, line)
	}
	return append(parts, table(g))
}

// picture draws the distribution of a column.
func (c *columnValues) picture() piece {
	if h := c.Bins; h != nil {
		return spark(h.Counts, fmt.Sprintf("histogram from %s to %s",
			numberWords(h.From, 4), numberWords(h.To, 4)))
	}
	var counts []int
	var words []string
	for _, top := range c.Top[:min(shownLevels, len(c.Top))] {
		counts = append(counts, top.Rows)
		words = append(words, fmt.Sprintf("%s: %d", top.Name, top.Rows))
	}
	if counts == nil {
		return ""
	}
	return spark(counts, strings.Join(words, ", "))
}

func columnsOf(ctx context.Context, s *subject) (content, error) {
	r := &columnReport{}
	if s.data == nil {
		for i := range s.spec.Schema.Fields {
			f := &s.spec.Schema.Fields[i]
			c := columnValues{Name: f.Name, Kind: f.Kind.String(), Distinct: len(f.Levels)}
			if f.Kind == data.Categorical {
				c.Range = humanize.Count(len(f.Levels), "category", "categories") + " in training"
			}
			r.Columns = append(r.Columns, c)
		}
		return r, nil
	}
	r.Rows = s.data.Rows()
	found, err := quality.Check(ctx, s.data, nil, nil, s.options.Workers)
	if err != nil {
		return nil, err
	}
	checks := map[string][]string{}
	for _, w := range found {
		r.Warnings = append(r.Warnings, warning{w.Columns, w.Message, w.Advice})
		for _, name := range w.Columns {
			checks[name] = append(checks[name], strings.ReplaceAll(w.Check, "_", " "))
		}
	}
	if c, ok := labelColumn(&s.data.Target); ok {
		r.Columns = append(r.Columns, c)
	}
	for i, d := range data.Describe(s.data.Frame, s.options.Workers) {
		c := describeColumn(&d, &s.data.Schema.Fields[i], &s.data.Columns[i])
		c.Checks = checks[d.Name]
		r.Columns = append(r.Columns, c)
	}
	return r, nil
}

func describeColumn(
	d *data.ColumnSummary, field *data.Field, values *data.Column,
) columnValues {
	c := columnValues{Name: d.Name, Kind: d.Kind.String(), Missing: d.Missing, Distinct: d.Distinct}
	switch {
	case d.Kind == data.Categorical:
		c.Missing += d.Unseen
		for _, top := range d.Top {
			c.Top = append(c.Top, level{humanize.Shorten(top.Level, 60), top.Rows})
		}
		if len(d.Top) > 0 {
			c.Range = fmt.Sprintf("%s: %s", humanize.Shorten(d.Top[0].Level, 30),
				humanize.Ratio(int64(d.Top[0].Rows), int64(d.Rows)))
		}
	case d.First != "":
		c.Range = d.First + " to " + d.Last
	case d.Min != nil && isDate(field):
		c.Range = spanWords(field, *d.Min, *d.Max)
	case d.Min != nil:
		c.Range = fmt.Sprintf("%s to %s, mean %s", humanize.Number(*d.Min, 4),
			humanize.Number(*d.Max, 4), humanize.Number(*d.Mean, 4))
	}
	if d.Kind != data.Categorical {
		c.Bins = binsOf(values.Numbers())
	}
	return c
}

// labelColumn describes the label; false where there is none.
func labelColumn(t *data.Target) (columnValues, bool) {
	c := columnValues{Name: t.Name, Label: true}
	switch {
	case t.Class != nil:
		c.Kind = data.Categorical.String()
		counts := make([]int, len(t.Classes))
		for _, class := range t.Class {
			counts[class]++
		}
		for k, n := range counts {
			c.Top = append(c.Top, level{t.Classes[k], n})
			if n > 0 {
				c.Distinct++
			}
		}
		slices.SortStableFunc(c.Top, func(a, b level) int { return b.Rows - a.Rows })
		c.Range = humanize.Count(len(t.Classes), "class", "classes")
	case len(t.Y) > 0 && len(t.Y[0]) > 0:
		c.Kind = data.Numeric.String()
		sorted := slices.Sorted(slices.Values(t.Y[0]))
		c.Distinct = len(slices.Compact(slices.Clone(sorted)))
		c.Range = fmt.Sprintf("%s to %s", humanize.Number(sorted[0], 4),
			humanize.Number(sorted[len(sorted)-1], 4))
		c.Bins = binsOf(sorted)
	default:
		return c, false
	}
	return c, true
}
