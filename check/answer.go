package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// Answer is what was found, in a line.
func (r *Report) Answer() string {
	var parts []string
	if n := len(r.Missing); n > 0 {
		parts = append(parts, humanize.Count(n, "column is", "columns are")+" missing")
	}
	if n := len(r.Kinds); n > 0 {
		parts = append(parts, humanize.Count(n, "column is", "columns are")+" of another kind")
	}
	switch {
	case r.Training == 0:
		parts = append(parts, "drift is not known")
	case r.Drifted > 0:
		parts = append(parts, fmt.Sprintf("%d of %s drifted", r.Drifted,
			humanize.Count(len(r.Columns), "column", "columns")))
	case slices.ContainsFunc(r.Columns, func(c Column) bool { return c.PSI != nil }):
		parts = append(parts, "no drift")
	case r.Rows < leastTest:
		parts = append(parts, fmt.Sprintf("nothing found, but %d rows are needed to compare a distribution",
			leastTest))
	default:
		parts = append(parts, "nothing found, but no distribution could be compared")
	}
	if slices.ContainsFunc(r.Predictions, func(c Column) bool { return len(c.Findings) > 0 }) {
		if last := len(parts) - 1; parts[last] == "no drift" {
			parts[last] = "no column drifted"
		}
		parts = append(parts, "the predictions drifted")
	}
	if r.Worse {
		parts = append(parts, metric.Words(metric.Main(r.Evaluation.Task))+" is worse than in training")
	}
	return strings.Join(parts, ", ")
}

// Words describe the findings of a column.
func (c *Column) Words() []string {
	var all []string
	for _, f := range c.Findings {
		share := humanize.Percent(f.Value)
		switch f.What {
		case Drift:
			all = append(all, "the distribution changed")
		case MissingValues:
			before := "none"
			if c.MissingTraining > 0 {
				before = humanize.Percent(c.MissingTraining)
			}
			all = append(all, fmt.Sprintf("%s missing, %s in training", share, before))
		case InfiniteValues:
			all = append(all, share+" infinite")
		case NewCategories:
			text := share + " of a new category"
			if c.Example != "" {
				text += ", such as " + humanize.Name(c.Example)
			}
			all = append(all, text)
		case OutOfRange:
			all = append(all, share+" outside of the range of training")
		case OtherScale:
			all = append(all, fmt.Sprintf("about %s times the values of training: another unit?",
				humanize.Number(f.Value, 4)))
		}
	}
	return all
}
