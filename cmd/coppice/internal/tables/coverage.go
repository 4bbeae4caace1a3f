package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// The checks of tables that are read for a model, as warnings in JSON name them.
const (
	newCategories = "new_categories"
	allMissing    = "all_missing"
	newMissing    = "new_missing"
	outOfRange    = "out_of_range"
	otherDates    = "other_dates"
	fewColumns    = "few_columns"
)

// coverages are what models do not know of the tables that a command reads for them: the
// cli.Remarks of these commands.
type coverages []*model.Coverage

// cover returns the coverage of what a command reads for a model, on which the console reports at
// the end.
func cover(c *cli.Console, m model.Model) *model.Coverage {
	own := model.NewCoverage(m)
	all, _ := c.Remarks.(coverages)
	c.Remarks = append(all, own)
	return own
}

// warnings returns those of all tables, the worst first and each once.
func (all coverages) warnings() []quality.Warning {
	var found []quality.Warning
	add := func(w quality.Warning) {
		if !slices.ContainsFunc(found, func(x quality.Warning) bool {
			return x.Check == w.Check && slices.Equal(x.Columns, w.Columns)
		}) {
			found = append(found, w)
		}
	}
	for _, c := range all {
		if named, columns, few := c.Named(); few {
			add(quality.Warning{Check: fewColumns, Value: float64(named) / float64(columns),
				Message: fmt.Sprintf("the table names values of %d of the model's %s", named,
					humanize.Count(columns, "column", "columns")),
				Advice: "were its features numbered as in the training set?"})
		}
		for _, x := range c.Suspicious() {
			for _, kind := range x.Beyond {
				add(warningOf(&x, kind))
			}
		}
	}
	slices.SortStableFunc(found, func(a, b quality.Warning) int { return worse(&a, &b) })
	return found
}

// worse puts tables of few columns first, then columns by the fraction of their rows, and dates at
// the end: those of new rows are later.
func worse(a, b *quality.Warning) int {
	rank := func(w *quality.Warning) int {
		switch w.Check {
		case fewColumns:
			return 0
		case otherDates:
			return 2
		}
		return 1
	}
	if r := cmp.Compare(rank(a), rank(b)); r != 0 || rank(a) == 0 {
		return r
	}
	return cmp.Compare(b.Value, a.Value)
}

func warningOf(x *model.ColumnCoverage, kind model.FlagKind) quality.Warning {
	name := humanize.Name(x.Column)
	n := x.Count(kind)
	w := quality.Warning{Check: newCategories, Columns: []string{x.Column}, Rows: n,
		Value: float64(n) / float64(x.Rows)}
	where := "all rows"
	if n < x.Rows {
		where = humanize.Percent(w.Value) + " of the rows"
	}
	switch {
	case kind == model.NewMissing && x.Empty():
		w.Check = allMissing
		w.Message = fmt.Sprintf("%s is missing in all %s", name,
			humanize.Count(x.Rows, "row", "rows"))
		w.Advice = "is the column filled?"
		return w
	case kind == model.NewMissing:
		w.Check = newMissing
		w.Message = fmt.Sprintf("in %s %s is missing", where, name)
		w.Advice = "no training row missed it"
		return w
	case kind == model.OutOfRange:
		if w.Check = outOfRange; x.Dates {
			w.Check = otherDates
		}
		w.Message = fmt.Sprintf("in %s %s is out of the range of training, as %s", where, name,
			x.Farthest)
		w.Advice = "training had " + x.Range
		return w
	}
	w.Message = fmt.Sprintf("in %s %s is new", where, name)
	if x.Example != "" {
		w.Message += ", as " + humanize.Name(x.Example)
	}
	const few = 4 // categories that one line lists
	switch {
	case x.Nearest != "":
		w.Advice = fmt.Sprintf("did you mean %s?", humanize.Name(x.Nearest))
	case len(x.Levels) <= few:
		w.Advice = "training had " + humanize.And(names(x.Levels))
	default:
		w.Advice = "training had no such category"
	}
	return w
}

// Line is one line about the worst column and the names of further ones, "" if all is known.
func (all coverages) Line() string {
	found := all.warnings()
	if len(found) == 0 {
		return ""
	}
	line, more := found[0].String(), found[1:]
	if len(more) == 0 {
		return line
	}
	const few = 3
	var columns []string
	for _, w := range more[:min(few, len(more))] {
		columns = append(columns, w.Columns...)
	}
	list := strings.Join(names(columns), ", ")
	if len(more) > few {
		list += ", ..."
	}
	return fmt.Sprintf("%s (and %s: %s)", line,
		humanize.Count(len(more), "more column", "more columns"), list)
}

// names are names as they are printed.
func names(all []string) []string {
	shown := make([]string, len(all))
	for i, name := range all {
		shown[i] = humanize.Name(name)
	}
	return shown
}

// Entries are the warnings of the JSON object.
func (all coverages) Entries() any { return all.warnings() }
