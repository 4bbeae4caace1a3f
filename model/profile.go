package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// Profile is what the training rows were like, column by column, so that other rows can be compared
// with them. Each row counts once, whatever its weight. It belongs to the outermost model.
type Profile struct {
	Rows int `json:"rows"` // training rows
	// Of long tables the quantiles are those of a sample of SampleRows rows; 0: of all rows.
	SampleRows int `json:"sample_rows,omitempty"`
	// RankError is by how much the fraction of all rows below a quantile may differ from that of
	// the sample: by less for all values of a column, with a probability of 99 % (Massart 1990).
	RankError float64 `json:"rank_error,omitempty"`
	// NoExtremes reports that the profile holds no least and no largest values. Its quantiles are
	// those from 1 % to 99 %.
	NoExtremes bool `json:"no_extremes,omitempty"`
	// the columns of the table that features are made of, in the order of the schema: a date or a
	// text column is one; nil: too many for a profile
	Columns []ColumnProfile `json:"columns"`
	// the distribution of the label, a column for each output; of survival the time and the event
	Label []ColumnProfile `json:"label,omitempty"`
	// what the model predicts for PredictionRows rows that it was not trained on, a column for each
	// output; nil: there were no such rows
	Predictions    []ColumnProfile `json:"predictions,omitempty"`
	PredictionRows int             `json:"prediction_rows,omitempty"`
}

// ColumnProfile is the profile of a column of a table.
type ColumnProfile struct {
	Name     string    `json:"name"`
	Kind     data.Kind `json:"kind"`
	Missing  int       `json:"missing"`            // rows without a value
	Infinite int       `json:"infinite,omitempty"` // rows that hold an infinity
	// different values, missing ones aside. Where More is true there are more than so many.
	Distinct int  `json:"distinct"`
	More     bool `json:"distinct_more,omitempty"`
	// of the finite numbers; of dates in microseconds since 1970; of texts the number of their
	// words; nil: there are none, or the table has too many columns
	Numbers *NumberProfile `json:"numbers,omitempty"`
	Empty   int            `json:"empty,omitempty"` // rows whose text has no words
	// the most frequent levels of a categorical column, at most 100, equally frequent ones bytewise
	Levels []data.LevelCount `json:"levels,omitempty"`
	// further levels, and the rows that hold them or a category of no dictionary
	OtherLevels int `json:"other_levels,omitempty"`
	OtherRows   int `json:"other_rows,omitempty"`
}

// NumberProfile is the distribution of finite numbers.
type NumberProfile struct {
	Min  *float64 `json:"min,omitempty"` // nil in a profile without extremes
	Max  *float64 `json:"max,omitempty"`
	Mean float64  `json:"mean"`
	// standard deviation, with the divisor n; of dates rounded to a microsecond
	Std float64 `json:"std"`
	// 33 quantiles: of n ascending numbers, from 0, number floor((n-1) i / 32), and without
	// extremes floor((n-1) (32 + 98 i) / 3200). nil: the table has too many columns, or the sample
	// no number.
	Quantiles []float64 `json:"quantiles,omitempty"`
	// how many of the n numbers are at most each quantile, so that those between two are known
	// where numbers repeat
	AtMost []int `json:"at_most,omitempty"`
}

// What a Profile holds at most.
const (
	ProfileQuantiles = 33
	ProfileLevels    = 100
	// ProfileBytes limits the JSON of a profile. Levels are left out to keep it, then quantiles,
	// and then all columns.
	ProfileBytes = 1 << 20
)

// Column returns the profile of a column, nil if there is none of the name.
func (p *Profile) Column(name string) *ColumnProfile {
	if p == nil {
		return nil
	}
	for i := range p.Columns {
		if p.Columns[i].Name == name {
			return &p.Columns[i]
		}
	}
	return nil
}

// Words describes the profile for reports.
func (p *Profile) Words() string {
	return fmt.Sprintf("%s of %s", humanize.Count(len(p.Columns), "column", "columns"),
		humanize.Count(p.Rows, "row", "rows"))
}

// SourceKind returns the kind of the column of a table that a field is made of.
func SourceKind(f *data.Field) data.Kind {
	switch {
	case f.From != nil:
		return data.Date
	case f.Text != nil:
		return data.Text
	}
	return f.Kind
}

// validate checks a profile against the schema and itself.
func (p *Profile) validate(s *data.Schema) error {
	if p == nil {
		return nil
	}
	if p.Rows < 0 || int64(p.Rows) > math.MaxInt32 || p.SampleRows < 0 || p.SampleRows > p.Rows ||
		!(p.RankError >= 0 && p.RankError <= 1) {
		return fmt.Errorf("profile of %d rows, %d of them a sample, with rank error %v", p.Rows,
			p.SampleRows, p.RankError)
	}
	if p.Columns != nil {
		if err := p.fits(s); err != nil {
			return err
		}
	}
	if p.PredictionRows < 0 || int64(p.PredictionRows) > math.MaxInt32 {
		return fmt.Errorf("profile of predictions for %d rows", p.PredictionRows)
	}
	for _, list := range []struct {
		columns []ColumnProfile
		rows    int
	}{{p.Columns, p.Rows}, {p.Label, p.Rows}, {p.Predictions, p.PredictionRows}} {
		for i := range list.columns {
			c := &list.columns[i]
			if err := c.validate(list.rows, p.NoExtremes); err != nil {
				return fmt.Errorf("profile of column %q: %w", c.Name, err)
			}
		}
	}
	return nil
}

// fits returns an error unless the columns are those that the fields of a schema are made of.
func (p *Profile) fits(s *data.Schema) error {
	n := 0
	seen := make(map[string]bool, len(p.Columns))
	for i := range s.Fields {
		f := &s.Fields[i]
		name, kind := f.Source(), SourceKind(f)
		if f.Derived() && seen[name] {
			continue
		}
		seen[name] = f.Derived()
		if n >= len(p.Columns) || p.Columns[n].Name != name || p.Columns[n].Kind != kind {
			return fmt.Errorf("profile: column %d is not the %s column %q of the schema", n+1, kind,
				name)
		}
		n++
	}
	if n < len(p.Columns) {
		return fmt.Errorf("profile of %d columns for %d of the schema", len(p.Columns), n)
	}
	return nil
}

// validate checks the profile of a column that so many rows have.
func (c *ColumnProfile) validate(rows int, noExtremes bool) error {
	left := rows
	for _, n := range []int{c.Missing, c.Infinite, c.OtherRows} {
		if n < 0 || n > left {
			return fmt.Errorf("%d rows are missing, %d infinite and %d others, of %d", c.Missing,
				c.Infinite, c.OtherRows, rows)
		}
		left -= n
	}
	if c.Distinct < 0 || c.Distinct > rows || c.OtherLevels < 0 || c.OtherLevels > c.Distinct ||
		c.Empty < 0 || c.Empty > rows {
		return fmt.Errorf("%d distinct values, %d other levels and %d empty texts of %d rows",
			c.Distinct, c.OtherLevels, c.Empty, rows)
	}
	if len(c.Levels) > ProfileLevels || len(c.Levels) > c.Distinct {
		return fmt.Errorf("%d levels of %d, the most is %d", len(c.Levels), c.Distinct,
			ProfileLevels)
	}
	last := data.LevelCount{Rows: left}
	for i, l := range c.Levels {
		if l.Rows < 1 || l.Rows > left || l.Rows > last.Rows ||
			i > 0 && l.Rows == last.Rows && l.Level <= last.Level {
			return fmt.Errorf("level %q has %d of %d rows, after one of %d", l.Level, l.Rows, left,
				last.Rows)
		}
		left, last = left-l.Rows, l
	}
	if c.Kind == data.Categorical && c.Numbers != nil ||
		c.Kind != data.Categorical && len(c.Levels)+c.OtherLevels+c.OtherRows > 0 {
		return fmt.Errorf("a %s column with levels and numbers", c.Kind)
	}
	return c.Numbers.validate(rows-c.Missing-c.Infinite, noExtremes)
}

// validate checks that the numbers of so many rows are finite and ordered.
func (n *NumberProfile) validate(rows int, noExtremes bool) error {
	if n == nil {
		return nil
	}
	if (n.Min == nil) != noExtremes || (n.Max == nil) != noExtremes {
		return fmt.Errorf("the least and the largest number are there: %v, %v", n.Min != nil,
			n.Max != nil)
	}
	if notFinite(n.Mean) || !(n.Std >= 0) || notFinite(n.Std) {
		return fmt.Errorf("mean %v with standard deviation %v", n.Mean, n.Std)
	}
	low, high := -math.MaxFloat64, math.MaxFloat64
	if !noExtremes {
		low, high = *n.Min, *n.Max
		if notFinite(low) || notFinite(high) || !(low <= n.Mean && n.Mean <= high) {
			return fmt.Errorf("mean %v of numbers from %v to %v", n.Mean, low, high)
		}
	}
	if q := n.Quantiles; len(q) != 0 {
		if len(q) != ProfileQuantiles {
			return fmt.Errorf("%d quantiles, want %d", len(q), ProfileQuantiles)
		}
		for _, x := range q {
			if !(x >= low && x <= high) {
				return fmt.Errorf("the quantile %v is not from %v on to %v", x, low, high)
			}
		}
		if !slices.IsSorted(q) {
			return fmt.Errorf("quantiles that do not ascend")
		}
	}
	return n.validateCounts(rows)
}

// validateCounts checks how many numbers of some rows are at most each quantile.
func (n *NumberProfile) validateCounts(rows int) error {
	if len(n.AtMost) != len(n.Quantiles) {
		return fmt.Errorf("%d counts of numbers at most %d quantiles", len(n.AtMost),
			len(n.Quantiles))
	}
	for i, count := range n.AtMost {
		switch {
		case count < 0 || count > rows:
			return fmt.Errorf("%d numbers of %d rows are at most a quantile", count, rows)
		case i > 0 && (count < n.AtMost[i-1] ||
			n.Quantiles[i] == n.Quantiles[i-1] && count != n.AtMost[i-1]):
			return fmt.Errorf("%d numbers are at most the quantile %v, after %d", count,
				n.Quantiles[i], n.AtMost[i-1])
		}
	}
	return nil
}
