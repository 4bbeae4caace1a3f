package check

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Report is what a check found.
type Report struct {
	Rows     int `json:"rows"`          // of the table
	Training int `json:"training_rows"` // of the profile; 0: the model has none
	// columns of the table with a finding, without the label and the predictions
	Drifted int          `json:"drifted"`
	Missing []string     `json:"missing_columns,omitempty"` // which the model was trained on
	Kinds   []KindChange `json:"kinds,omitempty"`
	Columns []Column     `json:"columns"` // those with findings first, the worst before others
	// the label, and the predictions by output; nil: they are not compared
	Label       *Column  `json:"label,omitempty"`
	Predictions []Column `json:"predictions,omitempty"`
	Uncompared  string   `json:"predictions_not_compared,omitempty"` // why; "": they are
	// the metrics of rows that have a label, with intervals of 95 %; nil: there are none
	Evaluation *eval.Report    `json:"evaluation,omitempty"`
	Intervals  []eval.Interval `json:"intervals,omitempty"`
	// what the model stores of its own evaluation (model.Spec.Best), nil: nothing
	Stored *model.Evaluation `json:"stored_evaluation,omitempty"`
	// metrics of the table minus those that are stored, with intervals of 95 % of the difference
	Changes []eval.Interval `json:"changes,omitempty"`
	Worse   bool            `json:"worse,omitempty"` // the main metric is, beyond its interval
	// why the labels, which the table has, are not compared with predictions
	Unevaluated string `json:"not_evaluated,omitempty"`
}

// KindChange is a column whose values are of another kind than those of training.
type KindChange struct {
	Column string    `json:"column"`
	Want   data.Kind `json:"want"`
	What   string    `json:"what"` // the table has
}

// Column is what a check found in a column. Fractions are of the rows of the table, and of those of
// training.
type Column struct {
	Name string    `json:"name"`
	Kind data.Kind `json:"kind"`

	Missing         float64 `json:"missing"`
	MissingTraining float64 `json:"missing_training"`
	Infinite        float64 `json:"infinite,omitempty"`
	New             float64 `json:"new,omitempty"`     // of a category that training had not
	Example         string  `json:"example,omitempty"` // such a category
	// below the least or above the largest number of training; 0 without a profile
	Outside float64 `json:"outside,omitempty"`
	// population stability index; nil: the profile has no bins, or there are too few values
	PSI *float64 `json:"psi,omitempty"`
	// p-value that the distribution is that of training, corrected for all tests; nil as PSI
	P *float64 `json:"p,omitempty"`
	// "date" or "counter": the values move with time, and their distribution is not compared
	Moves    string    `json:"moves,omitempty"`
	Findings []Finding `json:"findings,omitempty"`

	severity float64
	pending  []pending
}

// pending is what becomes a finding if its p-value is small; nil: in any case.
type pending struct {
	Finding
	p *float64
}

// Finding is something in a column that is beyond chance, and not small.
type Finding struct {
	What  What    `json:"what"`
	Value float64 `json:"value"` // PSI, fraction of the rows, or factor
	P     float64 `json:"p"`     // corrected for all tests of the table; 0 of a factor
}

// What is the kind of a finding.
type What string

// The kinds of findings.
const (
	Drift          What = "drift"    // the distribution changed; the value is the PSI
	MissingValues  What = "missing"  // the fraction of missing values changed
	InfiniteValues What = "infinite" // there are more infinite values
	NewCategories  What = "new"      // categories that training had not
	OutOfRange     What = "outside"  // numbers outside of the range of training
	OtherScale     What = "scale"    // numbers are so many times as large: about 1,000, or 0.001
)

// What makes a finding. Differences of long tables are beyond chance however small they are.
const (
	level     = 0.05  // of all tests together
	leastPSI  = 0.02  // a shift by a seventh of a standard deviation
	leastRows = 0.002 // of the rows
	leastTest = 50    // values that a sample has for PSI and its test
	scaledBy  = 300   // 1,000, up to a factor of 3.3
	found     = 1e6   // severity of columns with findings, before all others
)

// Report returns what was found in all rows that were added. Errors are those of metrics.
func (c *Checker) Report(ctx context.Context) (*Report, error) {
	r := &Report{Rows: c.rows, Training: c.profile.Rows, Missing: c.absent, Kinds: c.kinds,
		Uncompared: c.uncompared, Unevaluated: c.unevaluated}
	t := &tests{checker: c}
	for _, k := range c.columns {
		if k.rows > 0 || c.rows == 0 {
			r.Columns = append(r.Columns, t.column(k, c.profile))
		}
	}
	predicted := &model.Profile{Rows: c.profile.PredictionRows, NoExtremes: c.profile.NoExtremes}
	for _, k := range c.predictions {
		r.Predictions = append(r.Predictions, t.column(k, predicted))
	}
	if c.label != nil {
		own := t.column(c.label, c.profile)
		r.Label = &own
	}
	t.decide(r)
	if c.evaluation == nil || c.unevaluated != "" {
		return r, nil
	}
	var err error
	r.Evaluation, r.Intervals, err = c.evaluation.Report(ctx,
		eval.IntervalOptions{Workers: c.options.Workers})
	if err == nil {
		c.compare(r)
	}
	return r, err
}

// compare compares the metrics of a table with those that the model stores. Both have intervals, of
// which that of their difference is made: its ends are as far from it as those of both together, by
// the root of the sum of their squares (Zou and Donner 2008).
func (c *Checker) compare(r *Report) {
	if r.Stored = c.m.Spec().Best(); r.Stored == nil || r.Stored.Positive != r.Evaluation.Positive {
		r.Stored = nil
		return
	}
	for _, i := range r.Intervals {
		before := r.Stored.Metric(i.Name)
		if before == nil || before.Low == nil {
			continue
		}
		d := eval.Interval{Name: i.Name, Value: i.Value - before.Value}
		d.Low = d.Value - math.Hypot(i.Value-i.Low, *before.High-before.Value)
		d.High = d.Value + math.Hypot(i.High-i.Value, before.Value-*before.Low)
		r.Changes = append(r.Changes, d)
		if m, known := metric.Lookup(i.Name); known && i.Name == metric.Main(r.Evaluation.Task) {
			r.Worse = m.Higher && d.High < 0 || !m.Higher && d.Low > 0
		}
	}
}

// tests are the tests of all columns, which are corrected together.
type tests struct {
	checker *Checker
	p       []*float64
}

// test notes a p-value.
func (t *tests) test(p float64) *float64 {
	own := new(p)
	t.p = append(t.p, own)
	return own
}

// column describes a column of a profile. Its findings are what decide makes of the tests.
func (t *tests) column(k *counter, trained *model.Profile) Column {
	own := k.profile
	c := Column{Name: own.Name, Kind: own.Kind, Example: k.texts.Most()}
	rows, before := float64(max(1, k.rows)), float64(max(1, trained.Rows))
	c.Missing, c.MissingTraining = float64(k.missing)/rows, float64(own.Missing)/before
	c.Infinite, c.New, c.Outside = float64(k.infinite)/rows, float64(k.fresh)/rows, float64(k.outside)/rows
	switch {
	case own.Kind == data.Date:
		c.Moves = "date"
	case k.countsUp(trained):
		c.Moves = "counter"
	}
	if trained.Rows == 0 || k.rows == 0 {
		return c
	}
	n, m, more := trained.Rows, k.rows, kernel.HypergeometricTail
	if k.missing+own.Missing > 0 {
		side := min(1, 2*min(more(own.Missing, n, k.missing, m), more(k.missing, m, own.Missing, n)))
		c.find(MissingValues, c.Missing-c.MissingTraining, c.Missing, t.test(side))
	}
	if k.infinite > 0 {
		c.find(InfiniteValues, c.Infinite-float64(own.Infinite)/before, c.Infinite,
			t.test(more(own.Infinite, n, k.infinite, m)))
	}
	if k.fresh > 0 {
		// Rows of training that are alone with their level were new as well. Of a longer table more
		// rows share a new level, so they count as in one that is as long.
		fresh, of := k.fresh, m
		if m > n {
			fresh, of = int(float64(k.fresh)*(float64(n)/float64(m))), n
		}
		singles := min(k.single(), n)
		c.find(NewCategories, c.New-float64(singles)/before, c.New, t.test(more(singles, n, fresh, of)))
	}
	if c.Moves != "" {
		return c
	}
	if finite := n - own.Missing - own.Infinite; k.outside > 0 {
		c.find(OutOfRange, c.Outside, c.Outside, t.test(more(1, finite, k.outside, k.values())))
	}
	if s := k.scale(); s >= scaledBy || s <= 1/float64(scaledBy) {
		c.find(OtherScale, math.Inf(1), roundScale(s), nil)
	}
	if a, b := k.trained(trained); a != nil && total(a) >= leastTest && total(b) >= leastTest {
		a, b := merged(a, b)
		c.PSI, c.P = new(stability(a, b)), t.test(homogeneity(a, b))
		c.severity = *c.PSI
	}
	return c
}

// find notes what becomes a finding if its p-value is small. More is by how much a fraction of the
// rows is larger than in training; little is none.
func (c *Column) find(what What, more, value float64, p *float64) {
	if math.Abs(more) < leastRows {
		return
	}
	c.pending = append(c.pending, pending{Finding{What: what, Value: value}, p})
}

// roundScale returns the power of ten next to a factor.
func roundScale(s float64) float64 { return math.Pow10(int(math.Round(math.Log10(s)))) }

// decide corrects the tests for their number, and sorts the columns.
func (t *tests) decide(r *Report) {
	adjust(t.p)
	all := r.Predictions
	for i := range r.Columns {
		r.Columns[i].decide()
		if len(r.Columns[i].Findings) > 0 {
			r.Drifted++
		}
	}
	for i := range all {
		all[i].decide()
	}
	if r.Label != nil {
		r.Label.decide()
	}
	slices.SortStableFunc(r.Columns, func(a, b Column) int {
		return cmp.Compare(b.severity, a.severity)
	})
}

// decide makes findings of what is beyond chance.
func (c *Column) decide() {
	if c.P != nil && *c.P < level && *c.PSI >= leastPSI {
		c.Findings = append(c.Findings, Finding{Drift, *c.PSI, *c.P})
	}
	for _, f := range c.pending {
		if f.p == nil {
			c.severity = math.Inf(1)
		} else if f.P = *f.p; f.P >= level {
			continue
		}
		c.severity = max(c.severity, f.Value)
		c.Findings = append(c.Findings, f.Finding)
	}
	if c.pending = nil; len(c.Findings) > 0 {
		c.severity += found
	}
}
