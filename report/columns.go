package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// columnReport is the content of the section about the columns of the table.
type columnReport struct {
	Rows     int            `json:"rows"` // 0: there is no table
	Warnings []warning      `json:"warnings"`
	Columns  []columnValues `json:"columns"`
}

// warning is a finding of the checks of package quality.
type warning struct {
	Columns []string `json:"columns"`
	Message string   `json:"message"`
	Advice  string   `json:"advice"`
}

// columnValues describes the values of a column.
type columnValues struct {
	Name     string     `json:"name"`
	Kind     string     `json:"kind"`
	Label    bool       `json:"label,omitempty"`
	Missing  int        `json:"missing"`
	Distinct int        `json:"distinct"`
	Range    string     `json:"range"`
	Bins     *histogram `json:"bins,omitempty"` // of numbers
	Top      []level    `json:"top,omitempty"`  // the most frequent categories
	Checks   []string   `json:"checks,omitempty"`
}

// level is a category and its rows.
type level struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

// columnBins is the number of bins of the small histograms.
const columnBins = 24

func columnsOf(ctx context.Context, s *subject) (any, error) {
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
			checks[name] = append(checks[name], w.Check)
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
