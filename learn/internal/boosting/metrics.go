package boosting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/param"
)

// The metrics of metric=auto: the loss itself and, for rankings, a metric of the order.
const (
	lossMetric    = "loss"
	rankingMetric = "ndcg@10"
)

// EvaluationParams declares how rounds are evaluated and when they end: valid_fraction,
// early_stopping, metric and training_metric.
func EvaluationParams(validFraction *float64, earlyStopping *int, metrics *string,
	trainingMetric *int) param.Set {
	return param.Set{
		param.Float(validFraction, "valid_fraction", 0, 0, 0.5,
			"fraction of the training rows that is the validation set, where none is given",
			param.Zero("none")).
			Also("validation_fraction"),
		param.Int(earlyStopping, "early_stopping", 50, 1, math.MaxInt,
			"rounds without improvement on the validation set that end the training; the model "+
				"keeps the rounds up to its best",
			param.Zero("all rounds are trained and kept")).
			Also("early_stopping_rounds", "n_iter_no_change"),
		param.Text(metrics, "metric", param.Auto,
			"auto, or loss and names of metrics with commas between them", checkMetrics,
			"metrics of the validation set after each round; the first decides early stopping; "+
				"auto: the loss, of rankings "+rankingMetric).
			Also("eval_metric"),
		param.Int(trainingMetric, "training_metric", 10, 1, math.MaxInt,
			"rounds after which the metrics of the training set are evaluated again",
			param.Zero("never")),
	}
}

func checkMetrics(text string) error {
	if text == param.Auto {
		return nil
	}
	seen := map[string]bool{}
	for name := range strings.SplitSeq(text, ",") {
		switch _, ok := metric.Lookup(name); {
		case !ok && name != lossMetric:
			return param.Unknown("metric", name, append([]string{lossMetric}, metric.Names()...))
		case seen[name]:
			return fmt.Errorf("metric %q is there twice", name)
		}
		seen[name] = true
	}
	return nil
}

// namedMetric is a metric of the parameter metric, or of the caller's own.
type namedMetric struct {
	name   string
	higher bool
	of     func(p *Set) (float64, error)
}

// lookUp finds the metrics, the loss by its own name.
func (m *Monitoring) lookUp() ([]namedMetric, error) {
	all, err := m.own()
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(m.Metric, ",") {
		if name == param.Auto {
			if name = lossMetric; m.Target.Task == data.Ranking {
				name = rankingMetric
			}
		}
		if name == lossMetric {
			all = append(all, namedMetric{m.Loss, false,
				func(p *Set) (float64, error) { return p.value(m.Workers) }})
			continue
		}
		found, _ := metric.Lookup(name)
		_, quantiles := m.Train.Objective.(loss.Quantiler)
		switch {
		case !slices.Contains(found.Tasks, m.Target.Task):
			return nil, fmt.Errorf("metric=%s is for %s, the label is one of %s", name,
				taskWords(found.Tasks), m.Target.Task)
		case !m.Target.Task.Classes() && m.Train.Objective.Outputs() > 1 && !quantiles:
			return nil, fmt.Errorf("metric=%s evaluates one number, there are %d: use metric=%s",
				name, m.Train.Objective.Outputs(), lossMetric)
		}
		all = append(all, namedMetric{name, found.Higher,
			func(p *Set) (float64, error) { return m.of(found.Func, p) }})
	}
	return all, nil
}

// own returns the metrics of the caller's own.
func (m *Monitoring) own() ([]namedMetric, error) {
	seen := map[string]bool{m.Loss: true}
	for name := range strings.SplitSeq(m.Metric, ",") {
		seen[name] = true
	}
	var all []namedMetric
	for _, own := range m.Own {
		switch {
		case own.Name == "" || own.Func == nil:
			return nil, errors.New("a metric of one's own needs a Name and a Func")
		case seen[own.Name]:
			return nil, fmt.Errorf("metric %q is there twice: give the metric of one's own "+
				"another name", own.Name)
		case own.Tasks != nil && !own.Fits(m.Target.Task):
			return nil, fmt.Errorf("metric %q is for %s, the label is one of %s", own.Name,
				taskWords(own.Tasks), m.Target.Task)
		}
		seen[own.Name] = true
		all = append(all, namedMetric{own.Name, own.Higher,
			func(p *Set) (float64, error) { return m.of(own.Func, p) }})
	}
	return all, nil
}

// of returns a metric of all rows of a set.
func (m *Monitoring) of(
	metric func(s *metric.Sample) (float64, error), p *Set,
) (float64, error) {
	if err := p.complete(); err != nil {
		return 0, err
	}
	return metric(m.sample(p))
}

// sample returns the rows of a set as metrics take them.
func (m *Monitoring) sample(p *Set) *metric.Sample {
	s := metric.SampleOf(m.Target, p.Rows)
	s.Workers, s.Compat = m.Workers, m.Compat
	if q, ok := p.Objective.(loss.Quantiler); ok {
		s.Quantiles = q.Quantiles()
	}
	s.Risk = p.Objective.Link() == link.Hazard()
	s.Width, s.Pred = p.responses(m.Target)
	return s
}

// evaluate evaluates a metric on a set after a round. A value that is not finite is an error.
func (m *Monitoring) evaluate(of *namedMetric, p *Set, round int) (float64, error) {
	v, err := of.of(p)
	var undefined *metric.Undefined
	switch {
	case errors.As(err, &undefined):
		return 0, fmt.Errorf("%s set: %w: use another metric", p.Name, err)
	case err != nil:
		return 0, err
	case v-v != 0:
		return 0, fmt.Errorf("round %d: %s of the %s set is %v: %s", round, of.name, p.Name, v,
			m.Advice)
	}
	return v, nil
}
