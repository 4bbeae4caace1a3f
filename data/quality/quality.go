// Package quality owns the checks of a table that run before a learner is trained on it. Each check
// finds columns or rows that make a model look better than it is, or that teach it nothing.
// Examples are identifiers, constant and repeated columns, repeated rows, and a feature that gives
// the label away. Others are a test set whose values are distributed otherwise than those of the
// training set, and a rare positive class.
//
// A check warns; it changes nothing and refuses nothing. Checks that would have to sort whole
// columns look at a sample of evenly spaced rows, so that they are fast beside the training. The
// same table gives the same warnings for any number of workers.
//
// Information is measured, not judged: what each column alone holds about a class label.
package quality

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Warning is one finding, on one line.
type Warning struct {
	Check    string `json:"check"`    // the name of its Entry
	Severity int    `json:"severity"` // of its Entry
	// the columns that it is about; one that was made of a date or a text goes by the name of that
	Columns []string `json:"columns,omitempty"`
	// the number of rows that it is about, if it is about rows
	Rows    int     `json:"rows,omitempty"`
	Value   float64 `json:"value,omitempty"` // the AUC, R2, distance or fraction that was found
	Message string  `json:"message"`         // what was found
	Advice  string  `json:"advice"`          // the remedy
}

// String returns the message and the advice, on one line.
func (w Warning) String() string { return w.Message + ": " + w.Advice }

// Severities of findings: what makes metrics worthless comes before what makes a table untidy.
const (
	untidy   = 1 + iota // a learner loses little by it
	disorder            // new rows may not be like those of training
	learned             // columns that can only be memorised
	repeated            // rows that are no independent examples
	labels              // metrics hide what the label is like
	leak                // metrics are worthless
)

// Entry is an entry of the table of checks.
type Entry struct {
	Name string
	// from 6, which makes metrics worthless, down to 1, which costs a learner little
	Severity int
	Meaning  string // what the check warns of, in one sentence
	run      func(t *inspected) []Warning
}

// TimeOrder is the name of the check whether later rows are predicted worse.
const TimeOrder = "time_order"

// Table returns all checks, those of the most severe findings first.
func Table() []Entry {
	return []Entry{
		{"leakage", leak, "single features, or two numbers, that predict the label nearly alone", leakage},
		{RarePositive, labels, "a positive class that few training rows are of", rarePositive},
		{"total_row", labels, "a row whose label is the sum of all others", totals},
		{"duplicates_across", repeated, "test rows that repeat a training row", duplicatesAcross},
		{"duplicate_rows", repeated, "training rows that repeat an earlier training row",
			duplicateRows},
		{"repeated_key", repeated, "keys of several rows each, whose labels are alike", repeatedKeys},
		{"identifier", learned, "columns that name or number the rows", identifiers},
		{"shift", disorder, "columns whose distribution differs between training and test set",
			shift},
		{TimeOrder, disorder, "rows in the order of time, of which later ones are predicted worse",
			timeOrder},
		{"sentinel", untidy, "values far from all others that may stand for missing ones", sentinels},
		{"not_numbers", untidy, "texts that keep a column from being one of numbers or dates",
			notQuiteNumbers},
		{"constant", untidy, "columns with one value or none", constants},
		{"duplicate_columns", untidy, "columns that repeat another column", duplicateColumns},
	}
}

// Sort orders warnings, the most important first, and sets their severities. Equally important ones
// are in the order of Table, those of other packages behind them.
func Sort(found []Warning) {
	table := Table()
	place := func(w *Warning) int {
		at := slices.IndexFunc(table, func(e Entry) bool { return e.Name == w.Check })
		if at < 0 {
			return len(table)
		}
		return at
	}
	for i := range found {
		w := &found[i]
		if at := place(w); at < len(table) {
			w.Severity = table[at].Severity
		}
	}
	slices.SortStableFunc(found, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(place(&a), place(&b)))
	})
}

// Check runs all checks on the features and the target of a data set, and returns what they found,
// the most important first. rows are the training rows, nil for all rows of the frame; test are the
// rows of the test set, nil where there is none. Checks of the label are left out where the target
// has neither classes nor one column of numbers. workers is the number of goroutines, 0 for one per
// processor.
//
// The only error is that of the context.
func Check(
	ctx context.Context, ds *data.Dataset, rows, test []int32, workers int,
) ([]Warning, error) {
	if rows == nil {
		rows = data.AllRows(ds.Rows())
	}
	if len(rows) == 0 {
		return nil, ctx.Err()
	}
	t, err := inspect(ctx, ds, rows, test, workers)
	if err != nil {
		return nil, err
	}
	return t.check(ctx)
}

// check runs all checks but for some.
func (t *inspected) check(ctx context.Context, but ...string) ([]Warning, error) {
	var found []Warning
	for _, e := range Table() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if slices.Contains(but, e.Name) {
			continue
		}
		for _, w := range e.run(t) {
			if e.Name == TimeOrder && leaks(found, w.Columns[0]) {
				continue // the label follows from the time
			}
			w.Check, w.Severity = e.Name, e.Severity
			found = append(found, w)
		}
	}
	return found, ctx.Err()
}

// leaks reports whether a column was found to leak the label.
func leaks(found []Warning, column string) bool {
	return slices.ContainsFunc(found, func(w Warning) bool {
		return w.Severity == leak && slices.Contains(w.Columns, column)
	})
}

// Samples hold at most sampledValues values of all columns together, of sampledRows rows at most
// and leastRows at least.
const (
	sampledRows   = 20_000
	sampledValues = 5_000_000
	leastRows     = 1_000
)

// inspected is a data set with what several checks need.
type inspected struct {
	*data.Dataset
	rows, test       []int32
	sample, testSeen []int32 // evenly spaced ones of rows and of test
	ascend           bool    // the rows of the sample do
	part             string  // what rows are, in messages: " sampled" if others were not read
	columns          []profile
	listed           sync.Once
	stored           *storedRows // of the columns by which rows are compared, once listed
	keysOnce         sync.Once
	keys             []repeatedKey // by column, once they were looked for
	orderOnce        sync.Once
	order            int     // the column in whose order later rows are worse, once it was looked for
	gap              float64 // by what part
	workers          int
}

func inspect(
	ctx context.Context, ds *data.Dataset, rows, test []int32, workers int,
) (*inspected, error) {
	most := min(sampledRows, max(leastRows, sampledValues/max(1, len(ds.Columns))))
	t := &inspected{Dataset: ds, rows: rows, test: test, sample: evenly(rows, most),
		testSeen: evenly(test, most),
		columns:  make([]profile, len(ds.Columns)), workers: parallel.Workers(workers)}
	t.ascend = slices.IsSorted(t.sample)
	err := parallel.EachUntil(ctx, t.workers, len(t.columns), func(_, i int) {
		t.columns[i] = t.profile(i)
	})
	return t, err
}

// evenly returns at most that many of some rows, at equal distances.
func evenly(rows []int32, most int) []int32 {
	if len(rows) <= most {
		return rows
	}
	some := make([]int32, most)
	for i := range some {
		some[i] = rows[i*len(rows)/most]
	}
	return some
}

// each calls do for the number of every column, on several goroutines.
func (t *inspected) each(do func(column int)) {
	parallel.Each(t.workers, len(t.columns), func(_, i int) { do(i) })
}

// name returns what users call a column: the date or the text that it was made of, or itself.
func (t *inspected) name(column int) string { return t.Schema.Fields[column].Source() }

// about returns a warning of all columns for which held is true, nil if there is none. The formats
// take the columns' names; one is for a single column.
func (t *inspected) about(held func(column int) bool, one, many, advice string) []Warning {
	var names []string
	for i := range t.columns {
		if held(i) {
			names = append(names, t.name(i))
		}
	}
	if names = slices.Compact(names); names == nil {
		return nil
	}
	w := Warning{Columns: names, Message: fmt.Sprintf(one, quoted(names)), Advice: advice}
	if len(names) > 1 {
		w.Message = fmt.Sprintf(many, len(names), quoted(names))
	}
	return []Warning{w}
}

// listed is the number of names that a message holds at most.
const listed = 5

// quoted lists names: "a", "b" and 7 more.
func quoted(names []string) string {
	texts := make([]string, min(len(names), listed))
	for i := range texts {
		texts[i] = strconv.Quote(names[i])
	}
	return andMore(texts, len(names))
}

// andMore joins the first of so many texts.
func andMore(texts []string, all int) string {
	text := strings.Join(texts, ", ")
	if more := all - len(texts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
