package training

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// mostCharts is the number of metrics that a figure shows side by side.
const mostCharts = 3

// curves returns the curves of training and, behind them, that of the validation sets by which the
// number of rounds was chosen.
func (s *Boosting) curves() []LearningCurve {
	c := s.Chosen
	if c == nil || len(c.Curve) == 0 {
		return s.Curves
	}
	return append(slices.Clip(s.Curves),
		LearningCurve{Set: ValidationSet, Metric: c.Metric, Rounds: figure.UpTo(len(c.Curve)),
			Values: c.Curve})
}

// metricCurves are the curves of one metric.
type metricCurves struct {
	metric          string
	training, valid *LearningCurve // nil = not evaluated
}

// byMetric sorts curves by metric; those without a point are left out.
func byMetric(curves []LearningCurve) []metricCurves {
	var all []metricCurves
	for i := range curves {
		c := &curves[i]
		if len(c.Rounds) == 0 || len(c.Rounds) != len(c.Values) {
			continue
		}
		at := slices.IndexFunc(all, func(m metricCurves) bool { return m.metric == c.Metric })
		if at < 0 {
			at = len(all)
			all = append(all, metricCurves{metric: c.Metric})
		}
		if c.Set == ValidationSet {
			all[at].valid = c
		} else {
			all[at].training = c
		}
	}
	return all
}

// main returns the curve that counts: on the validation set, else on the training set.
func (m *metricCurves) main() *LearningCurve {
	if m.valid != nil {
		return m.valid
	}
	return m.training
}

// rounds returns the rounds at which one of the curves has a value, ascending.
func (m *metricCurves) rounds() []int {
	var all []int
	for _, c := range []*LearningCurve{m.training, m.valid} {
		if c != nil {
			all = append(all, c.Rounds...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// describeHistory describes the metrics over the rounds.
func (s *Boosting) describeHistory(spec *model.Spec) *History {
	curves := s.curves()
	all := byMetric(curves)
	if len(all) == 0 {
		return &History{Missing: "training evaluated no metric: " +
			"train with a validation set, or with training_metric=1"}
	}
	h := &History{Figure: s.figure(spec, all), Curves: curves,
		Content: map[string]any{"best_round": s.Best, "curves": curves}}
	for i := range all {
		t := all[i].table(s.Best)
		t.Caption = metricName(all[i].metric, s.Loss) + " over the number of rounds"
		h.Tables = append(h.Tables, t)
	}
	return h
}

// table lists some of the rounds, the best one among them.
func (m *metricCurves) table(best int) model.Table {
	t := model.Table{Columns: model.Numbers("rounds", "training")}
	if m.valid != nil {
		t.Columns = append(t.Columns, model.TableColumn{Name: humanize.Name(m.valid.Set)})
	}
	main := m.main()
	last := main.Rounds[len(main.Rounds)-1]
	for _, n := range m.rounds() {
		if n <= last && (n == last || n == best || figure.Listed(n)) {
			t.Add([]string{strconv.Itoa(n), m.training.At(n), m.valid.At(n)}[:len(t.Columns)]...)
		}
	}
	return t
}

// At writes the value of a curve after some rounds, "" if it was not evaluated then.
func (c *LearningCurve) At(rounds int) string {
	if c == nil {
		return ""
	}
	if i, found := slices.BinarySearch(c.Rounds, rounds); found {
		return humanize.Metric(c.Values[i])
	}
	return ""
}

// figure draws the first metrics side by side.
func (s *Boosting) figure(spec *model.Spec, all []metricCurves) *figure.Figure {
	f := &figure.Figure{Title: "Metrics against the number of rounds",
		Subtitle: fmt.Sprintf("Boosting of %s, on %s.", lossWords(s.Loss),
			humanize.Count(s.Rows, "row", "rows"))}
	if spec.Label != "" {
		f.Title = spec.Label + ": metrics against the number of rounds"
	}
	if s.Best > 0 {
		f.Subtitle += fmt.Sprintf(" Round %d is the best on the validation set.", s.Best)
	}
	for _, m := range all[:min(mostCharts, len(all))] {
		c := figure.Chart{X: figure.Scale{Label: "rounds"}, Y: figure.Scale{Label: metricName(m.metric, s.Loss)}}
		for i, curve := range []*LearningCurve{m.training, m.valid} {
			if curve != nil {
				c.Curves = append(c.Curves,
					figure.Curve{Name: curve.Set + " set", X: figure.Places(curve.Rounds),
						Y: curve.Values, Colour: i})
			}
		}
		f.Charts = append(f.Charts, c)
	}
	return f
}
