package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Entrant is a learner that is compared with others.
type Entrant struct {
	Name    string // by which it is reported; no two are the same
	Learner learn.Learner
}

// CompareOptions are the choices of Compare. The zero value assigns the rows to folds once.
type CompareOptions struct {
	Options
	// Repeats is how often rows are assigned to folds, each time by other random choices; 0 = 1.
	// Plans without random choices, by time and of one row each, allow 1 only.
	Repeats int
	// Metric is what learners are ranked by, a name of metric.Table; "" = what their losses
	// minimise if that is one metric (learn.Capabilities.Metric), else metric.Main of the task.
	Metric string
}

// Comparison is learners, trained and tested on the same folds.
type Comparison struct {
	Metric  string    `json:"metric"` // by which they are ranked
	Higher  bool      `json:"higher"` // whether higher is better
	Task    data.Task `json:"task"`
	Folds   int       `json:"folds"` // of one assignment
	Repeats int       `json:"repeats"`
	// LeftOut is as in CrossValidation.
	LeftOut int `json:"left_out,omitempty"`
	// Learners has those with the best mean first. Those without the metric are last, in their own
	// order.
	Learners []Compared `json:"learners"`
}

// Compared is a learner of a comparison. A test is one fold of one assignment.
type Compared struct {
	Name string `json:"name"`
	// Tests has the metric of each test, nil if one of them does not have it. Then Value and Rank
	// are nil too.
	Tests []float64 `json:"tests,omitempty"`
	// Value is the mean of Tests. Its interval ends where the metric does: a log loss at 0.
	Value *Corrected `json:"value,omitempty"`
	// Rank is the mean over the tests of the place among the learners, from 1; ties have the mean
	// of their places.
	Rank *float64 `json:"rank,omitempty"`
	// Behind is the mean of how much worse than the best learner's the metric is, test by test,
	// nil for the best.
	Behind  *Corrected `json:"behind,omitempty"`
	Summary Summaries  `json:"summary"` // of all metrics
	// TrainSeconds and PredictSeconds are means over the tests, by the clock.
	TrainSeconds   float64 `json:"train_seconds"`
	PredictSeconds float64 `json:"predict_seconds"`
}

// Corrected is the mean of a number over tests, with an interval that allows for their overlap:
// training sets of different folds have most rows in common, so tests are not independent. Nadeau
// and Bengio (2003), "Inference for the Generalization Error", section 3, multiply the variance
// between J tests by 1/J + test rows / training rows in place of 1/J.
type Corrected struct {
	Mean float64 `json:"mean"`
	// Low and High are the ends of the 95 % interval, by Student's t of J-1 degrees of freedom.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// P is how probable a mean so far from 0, on either side, is if the true one is 0.
	P float64 `json:"p"`
}

// ErrOneAssignment reports Repeats with a plan by time, of one row each, or that the caller made.
var ErrOneAssignment = errors.New("the plan assigns rows to folds in one way only")

// Compare trains and tests learners on the same folds, and ranks them. Each training, Prepare
// included, uses the fold's training rows alone, and seeds do not depend on the learner.
//
// Observe gets rounds of stage "test", one for each learner and test. Errors: fewer than two
// learners, two of the same name, one that is trained without a label, a *MetricError,
// ErrOneAssignment, and those of CrossValidate, with the learner's name.
func Compare(ctx context.Context, all []Entrant, ds *data.Dataset, plan *split.Plan,
	o CompareOptions) (*Comparison, error) {
	if err := checkEntrants(all); err != nil {
		return nil, err
	}
	ds, err := ds.Expanded(nil)
	if err != nil {
		return nil, err
	}
	rows := ds.Chosen(o.Rows)
	own := *ds
	own.Target.ChoosePositive(rows)
	var metrics []string
	for i := range all {
		metrics = append(metrics, all[i].Learner.Capabilities().Metric)
	}
	c := &Comparison{Repeats: max(1, o.Repeats), Task: own.Target.Task}
	if c.Repeats > 1 && !repeatable(plan, &own.Target) {
		return nil, ErrOneAssignment
	}
	if c.Metric, c.Higher, err = ChooseMetric(o.Metric, c.Task, metrics...); err != nil {
		return nil, err
	}
	t := tester{o: o, ds: &own, tests: make([]tests, len(all))}
	for repeat := range c.Repeats {
		p := *plan
		if repeat > 0 {
			p.Seed = rng.New(plan.Seed, seedStream, uint64(repeat)).Uint64()
		}
		folds, err := p.Folds(&own.Target, rows)
		if err != nil {
			return nil, err
		}
		c.Folds, c.LeftOut = len(folds), split.LeftOut(folds)
		t.of = c.Repeats * len(folds) * len(all)
		if err := t.run(ctx, all, &p, folds); err != nil {
			return nil, err
		}
	}
	c.rank(all, &t)
	return c, nil
}

func checkEntrants(all []Entrant) error {
	if len(all) < 2 {
		return fmt.Errorf("%d learners: a comparison needs two or more", len(all))
	}
	for i := range all {
		if all[i].Learner.Capabilities().Unsupervised {
			return fmt.Errorf("%s is trained without a label: it cannot be compared by one",
				all[i].Name)
		}
		if slices.ContainsFunc(all[:i], func(e Entrant) bool { return e.Name == all[i].Name }) {
			return fmt.Errorf("two learners are called %q", all[i].Name)
		}
	}
	return nil
}

// repeatable reports whether a plan assigns rows by random choices.
func repeatable(plan *split.Plan, t *data.Target) bool {
	kind := plan.KindFor(t)
	return plan.Assign == nil && kind != split.ByTime && kind != split.LeaveOneOut
}

// ChooseMetric returns the metric by which learners of a task are compared, and whether higher
// values of it are better. An empty name is the metric that all learners have in common
// (learn.Capabilities.Metric), else metric.Main. The error of a name that is not of the task is a
// *MetricError.
func ChooseMetric(name string, task data.Task, learners ...string) (
	chosen string, higher bool, err error) {
	if len(slices.Compact(learners)) == 1 {
		name = cmp.Or(name, learners[0])
	}
	name = cmp.Or(name, metric.Main(task))
	var names []string
	for _, m := range metric.ForTask(task) {
		if m.Name == name {
			return name, m.Higher, nil
		}
		names = append(names, m.Name)
	}
	return "", false, &MetricError{Name: name, Task: task, Known: names}
}

// MetricError reports that a comparison cannot rank by a metric.
type MetricError struct {
	Name  string
	Task  data.Task
	Known []string // those of the task
}

func (e *MetricError) Error() string {
	return fmt.Sprintf("%q is no metric of %s", e.Name, e.Task)
}

// tester trains and tests entrants.
type tester struct {
	o      CompareOptions
	ds     *data.Dataset
	tests  []tests // by entrant
	ratio  float64 // sum over the tests of test rows / training rows
	n, of  int     // done, and all
	number int     // of the test
}

// tests is what is known of an entrant.
type tests struct {
	reports        []Report
	train, predict time.Duration
}

// run tests all entrants on the folds of one assignment.
func (t *tester) run(ctx context.Context, all []Entrant, plan *split.Plan, folds []split.Fold) error {
	for i, f := range folds {
		t.ratio += float64(len(f.Test)) / float64(len(f.Train))
		for k := range all {
			if err := t.test(ctx, all[k].Learner, &t.tests[k], plan.Within(i), f); err != nil {
				return fmt.Errorf("%s, fold %d of %d: %w", all[k].Name, i+1, len(folds), err)
			}
			if t.n++; t.o.Observe == nil {
				continue
			}
			if err := t.o.Observe(learn.Round{Stage: "test", N: t.n, Of: t.of}); err != nil {
				return err
			}
		}
		t.number++
	}
	return nil
}

// test trains a learner on the rows of a fold, and tests the model on the others.
func (t *tester) test(ctx context.Context, l learn.Learner, to *tests, within *split.Plan,
	f split.Fold) error {
	start := outside.Now()
	m, err := t.o.train(ctx, l, t.ds, f, t.number, within)
	if err != nil {
		return err
	}
	trained := outside.Now()
	s, err := Sample(ctx, m, t.ds, f.Test, model.Options{Workers: t.o.Workers, Memory: t.o.Memory})
	if err != nil {
		return err
	}
	to.train, to.predict = to.train+trained.Sub(start), to.predict+outside.Since(trained)
	r, err := newReport(m.Spec().Task, t.ds.Target.Classes, s)
	if err == nil {
		to.reports = append(to.reports, *r)
	}
	return err
}

// rank sets Learners by the tests.
func (c *Comparison) rank(all []Entrant, t *tester) {
	n := float64(t.number)
	ratio := t.ratio / n
	var ranked, others []Compared
	for k := range all {
		e := Compared{Name: all[k].Name, Summary: summarise(c.Task, t.tests[k].reports),
			TrainSeconds:   t.tests[k].train.Seconds() / n,
			PredictSeconds: t.tests[k].predict.Seconds() / n}
		for i := range t.tests[k].reports {
			if v, ok := t.tests[k].reports[i].Metrics.Get(c.Metric); ok {
				e.Tests = append(e.Tests, v)
			}
		}
		if len(e.Tests) < t.number {
			e.Tests = nil
			others = append(others, e)
			continue
		}
		mean := Correct(c.Metric, e.Tests, ratio)
		e.Value, e.Rank = &mean, new(float64)
		ranked = append(ranked, e)
	}
	sign := 1.0 // of worse
	if c.Higher {
		sign = -1
	}
	slices.SortStableFunc(ranked, func(a, b Compared) int {
		return cmp.Compare(sign*a.Value.Mean, sign*b.Value.Mean)
	})
	for i := range ranked {
		if i > 0 {
			behind := correct(differences(ranked[i].Tests, ranked[0].Tests, sign), ratio)
			ranked[i].Behind = &behind
		}
	}
	for test := range t.number {
		addRanks(ranked, test, sign, n)
	}
	c.Learners = append(ranked, others...)
}

// within cuts an interval off at the least and the greatest value of a metric. By the normal
// distribution it may reach beyond them where values are near them and vary.
func (c *Corrected) within(name string) {
	if m, ok := metric.Lookup(name); ok {
		least, greatest := m.Range()
		c.Low, c.High = max(c.Low, least), min(c.High, greatest)
	}
}

// differences returns sign times the difference of two learners, test by test.
func differences(a, b []float64, sign float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = sign * (a[i] - b[i])
	}
	return d
}

// addRanks adds the places in one of n tests to the mean ranks.
func addRanks(ranked []Compared, test int, sign, n float64) {
	for i := range ranked {
		better, ties := 0, 0
		for k := range ranked {
			switch a, b := sign*ranked[k].Tests[test], sign*ranked[i].Tests[test]; {
			case a < b:
				better++
			case a == b:
				ties++ // with itself too
			}
		}
		*ranked[i].Rank += (float64(better) + float64(float64(ties+1)/2)) / n
	}
}

// Correct computes the mean of a metric over tests, of which each has ratio times as many rows as
// its training set. The interval ends where the metric does.
func Correct(metric string, tests []float64, ratio float64) Corrected {
	c := correct(tests, ratio)
	c.within(metric)
	return c
}

// correct is Correct for any values.
func correct(values []float64, ratio float64) Corrected {
	s := summaryOf("", values)
	n := len(values)
	c := Corrected{Mean: s.Mean, Low: s.Mean, High: s.Mean, P: 1}
	if n < 2 {
		return c
	}
	deviation := s.SD * math.Sqrt(1/float64(n)+ratio)
	half := float64(kernel.StudentQuantile(0.975, n-1) * deviation)
	c.Low, c.High = s.Mean-half, s.Mean+half
	switch {
	case deviation > 0:
		c.P = 2 * kernel.StudentTail(math.Abs(s.Mean)/deviation, n-1)
	case s.Mean != 0:
		c.P = 0
	}
	return c
}
