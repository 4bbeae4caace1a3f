package report

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/metric"
)

// errorReport is the content of the section about errors.
type errorReport struct {
	Rows        int               `json:"rows"`
	Label       string            `json:"label"`
	Classes     []string          `json:"classes,omitempty"`
	Metrics     []metricValue     `json:"metrics"`
	Undefined   string            `json:"undefined,omitempty"` // why there are no metrics
	Queries     *metric.Queries   `json:"queries,omitempty"`   // of rankings: those that count
	Confusion   [][]int64         `json:"confusion,omitempty"` // [true class][predicted class]
	Curves      []curve           `json:"curves,omitempty"`    // of each class against all others
	Threshold   *number           `json:"threshold,omitempty"` // of two classes
	Calibration *eval.Calibration `json:"calibration,omitempty"`
	Residuals   *residuals        `json:"residuals,omitempty"`
}

// metricValue is a metric with its bootstrap interval.
type metricValue struct {
	Name   string `json:"name"`
	Help   string `json:"help"`
	Higher bool   `json:"higher"`
	Value  number `json:"value"`
	Low    number `json:"low"`
	High   number `json:"high"`
}

// calibrationBins is the number of bins of the reliability diagram.
const calibrationBins = 10

func errorsOf(ctx context.Context, s *subject) (any, error) {
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
