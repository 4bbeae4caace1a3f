package report

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/metric"
)

// errorReport is the content of the section about errors.
type errorReport struct {
	Rows        int
	Label       string
	Classes     []string
	Metrics     []metricValue
	Undefined   string          // why there are no metrics
	Queries     *metric.Queries // of rankings: those that count
	Confusion   [][]int64       // [true class][predicted class]
	Curves      []curve         // of each class against all others
	Threshold   *number         // of two classes
	Calibration *eval.Calibration
	Residuals   *residuals
}

// metricValue is a metric with its bootstrap interval.
type metricValue struct {
	Name   string
	Help   string
	Higher bool
	Value  number
	Low    number
	High   number
}

// calibrationBins is the number of bins of the reliability diagram.
const calibrationBins = 10

func (r *errorReport) parts() []piece {
	var parts []piece
	if r.Metrics != nil {
		parts = append(parts, r.metricTable())
	}
	if r.Undefined != "" {
		parts = append(parts, note("%s", r.Undefined))
	}
	if q := r.Queries; q != nil {
		parts = append(parts, note("%d of %d queries count: those with a relevant row.", q.Counted, q.All))
	}
	if r.Confusion != nil {
		c := confusion{"Confusion: rows by true class (down) and predicted class (across)", "true class",
			"recall", r.Classes, r.Confusion}
		parts = append(parts, c.table())
	}
	if t := r.thresholds(); t != nil {
		parts = append(parts, heading("Decision threshold"), paragraph("A row is labeled %s if its "+
			"probability of that class is greater than the threshold.", t.Class), t.table())
	}
	if r.Curves != nil {
		parts = append(parts, heading("Curves over all thresholds"), curveFigures(r.Curves))
		if n := len(r.Curves); n > shownClasses {
			parts = append(parts, note("The curves are of %d of %d classes, those with the most rows.",
				shownClasses, n))
		}
	}
	if r.Calibration != nil {
		parts = append(parts, figures(reliability(r.Calibration)))
	}
	if r.Residuals != nil {
		parts = append(parts, r.Residuals.parts(r.Label)...)
	}
	return parts
}

// thresholds returns what the threshold of two classes decides; nil where there is none.
func (r *errorReport) thresholds() *thresholds {
	if r.Threshold == nil || len(r.Curves) != 1 {
		return nil
	}
	return newThresholds(&r.Curves[0], *r.Threshold)
}

// forScripts returns what the slider needs.
func (r *errorReport) forScripts() any {
	if t := r.thresholds(); t != nil {
		return t
	}
	return nil
}

func (r *errorReport) metricTable() piece {
	g := &grid{Caption: fmt.Sprintf("Metrics on %d rows, with bootstrap intervals of 95 %%", r.Rows),
		Columns: []column{{Name: "metric"}, {Name: "value", Class: "number"},
			{Name: "interval", Class: "number"}, {Name: "better"}, {Name: "meaning", Class: "long"}}}
	for _, m := range r.Metrics {
		better := map[bool]string{true: "higher", false: "lower"}[m.Higher]
		g.Rows = append(g.Rows, []cell{text(m.words()), amount(m.Value, 4), text(m.interval()),
			text(better), text(m.Help)})
	}
	return table(g)
}

func errorsOf(ctx context.Context, s *subject) (content, error) {
	switch {
	case s.data == nil:
		return nil, errNoTable
	case s.sample == nil:
		return nil, errNoLabel
	}
	r := &errorReport{Rows: s.sample.Rows(), Label: s.data.Target.Name, Classes: s.classes()}
	var err error
	if r.Metrics, r.Undefined, err = s.metrics(ctx); err != nil {
		return nil, err
	}
	if s.spec.Task == data.Ranking {
		queries := metric.CountQueries(s.sample)
		r.Queries = &queries
	}
	switch {
	case s.sample.Class != nil && s.sample.Width == len(r.Classes):
		r.Confusion = metric.Confusion(s.sample)
		r.Curves = curvesOf(s)
		if len(r.Classes) == 2 {
			r.Threshold = thresholdOf(s)
		}
	case s.spec.Task == data.Regression && s.sample.Width == 1:
		r.Residuals = residualsOf(s)
	}
	if !s.spec.Task.Classes() {
		return r, nil
	}
	r.Calibration, err = eval.ReliabilityOf(s.sample, s.spec.Classes, calibrationBins)
	return r, err
}

// metrics computes the metrics of the task with their intervals, once; else it returns why there
// are none.
func (s *subject) metrics(ctx context.Context) ([]metricValue, string, error) {
	if s.measured != nil || s.undefined != "" {
		return s.measured, s.undefined, nil
	}
	all, none, err := eval.Intervals(ctx, s.spec.Task, s.sample,
		eval.IntervalOptions{Seed: s.options.Seed, Workers: s.options.Workers})
	if err != nil {
		return nil, "", err
	}
	if none != nil {
		s.undefined = none.Error()
	}
	for _, i := range all {
		m, _ := metric.Lookup(i.Name)
		s.measured = append(s.measured, metricValue{i.Name, m.Help, m.Higher, number(i.Value),
			number(i.Low), number(i.High)})
	}
	return s.measured, s.undefined, nil
}

func (m *metricValue) words() string { return metric.Words(m.Name) }

func (m *metricValue) interval() string {
	return numberWords(m.Low, 4) + " to " + numberWords(m.High, 4)
}

// thresholdOf returns the threshold of the model's decision; nil where costs of labels decide.
func thresholdOf(s *subject) *number {
	d := s.spec.Decision
	t := number(0.5)
	switch {
	case d.Threshold > 0:
		t = number(d.Threshold)
	case d.Costs != nil:
		return nil
	}
	return &t
}
