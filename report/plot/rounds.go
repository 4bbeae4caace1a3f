package plot

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// tableSet names the table of a scene beside the sets of the training.
const tableSet = "this table"

// curveColours are those of the sets that curves over rounds are of.
var curveColours = map[string]int{training.TrainingSet: 0, training.ValidationSet: 1,
	tableSet: 2, training.OutOfBagSet: 3}

// Rounds draws metrics against the number of rounds, or of members: those that training stored, on
// the training set, the validation set or out-of-bag rows, and the same on the rows of the scene,
// by the model's first rounds. The error rate, or the root mean squared error, is there in any
// case. Up to three metrics stand side by side.
//
// It fails if the model has no rounds, and if nothing can be evaluated.
func Rounds(ctx context.Context, w io.Writer, s *Scene) error {
	n := s.roundCount()
	if n == 0 {
		return s.noRounds()
	}
	var stored []training.LearningCurve
	if s.found.History != nil {
		stored = s.found.History.Curves
	}
	h := &history{Scene: s, stored: stored, label: "rounds"}
	if s.found.Rounds == 0 {
		h.label = "members"
	}
	h.evaluated = thinRounds(n)
	values, err := h.evaluate(ctx)
	if err != nil {
		return err
	}
	fig := &Figure{Title: "Metrics against the number of " + h.label,
		Subtitle: fmt.Sprintf("Model of %s; this table has %s.", humanize.Name(s.Spec.Learner),
			humanize.Count(s.Data.Rows(), "row", "rows"))}
	if s.Spec.Label != "" {
		fig.Title = s.Spec.Label + ": metrics against the number of " + h.label
	}
	for _, name := range h.metrics() {
		if c := h.chart(name, values[name]); len(c.Curves) > 0 && len(fig.Charts) < mostCharts {
			fig.Charts = append(fig.Charts, *c)
		}
	}
	if len(fig.Charts) == 0 {
		return fmt.Errorf("no metric of a model for %s can be drawn: training stored none",
			s.Spec.Task)
	}
	fig.Notes = h.notes(n)
	return fig.Write(w)
}

// history is the picture of Rounds while it is made.
type history struct {
	*Scene
	stored    []training.LearningCurve
	evaluated []int // rounds after which the table is evaluated, ascending
	label     string
}

// mostRounds is the number of rounds up to which each is evaluated.
const mostRounds = 64

// thinRounds returns the numbers from 1 to n, or some of them at even distances of logarithms.
func thinRounds(n int) []int {
	if n <= mostRounds {
		return figure.UpTo(n)
	}
	return someRounds(n, mostRounds)
}

// metricOf names the metric of a stored curve: a loss that is a metric of its own has its name.
func metricOf(c *training.LearningCurve) string {
	if c.Metric == "logistic" || c.Metric == "softmax" {
		return "logloss"
	}
	return c.Metric
}

// metrics names what is drawn: the error first, then what training stored.
func (h *history) metrics() []string {
	var names []string
	switch {
	case h.classes():
		names = []string{"error"}
	case h.Spec.Task == data.Regression && h.Spec.Quantiles == nil:
		names = []string{"rmse"}
	}
	for i := range h.stored {
		if name := metricOf(&h.stored[i]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// evaluate returns the metrics on the table after each of the rounds that are evaluated. A metric
// that is undefined there is NaN.
func (h *history) evaluate(ctx context.Context) (map[string][]float64, error) {
	values := map[string][]float64{}
	for _, n := range h.evaluated {
		sample, err := eval.Sample(ctx, h.Model, h.Data, nil, model.Options{Rounds: n})
		if err != nil {
			return nil, err
		}
		for _, name := range h.metrics() {
			m, ok := metric.Lookup(name)
			if !ok || !m.Fits(h.Spec.Task) {
				continue
			}
			v, err := m.Func(sample)
			if err != nil {
				v = math.NaN()
			}
			values[name] = append(values[name], v)
		}
	}
	return values, nil
}

// chart draws the curves of one metric.
func (h *history) chart(name string, table []float64) *Chart {
	last := h.evaluated[len(h.evaluated)-1]
	c := &Chart{Y: Scale{Label: metric.Words(name), Zero: name == "error"}}
	for i := range h.stored {
		of := &h.stored[i]
		if metricOf(of) != name || len(of.Rounds) == 0 {
			continue
		}
		last = max(last, of.Rounds[len(of.Rounds)-1])
		c.Curves = append(c.Curves, Curve{Name: of.Set, X: figure.Places(of.Rounds),
			Y: of.Values, Colour: curveColours[of.Set]})
	}
	if slices.ContainsFunc(table, finite) {
		c.Curves = append(c.Curves, Curve{Name: tableSet, X: figure.Places(h.evaluated),
			Y: table, Style: Dashes, Colour: curveColours[tableSet]})
	}
	c.X = figure.Counts(h.label, last)
	return c
}

// notes report what is not in the charts.
func (h *history) notes(n int) []string {
	last, has := 0, map[string]bool{}
	for i := range h.stored {
		if r := h.stored[i].Rounds; len(r) > 0 {
			last, has[h.stored[i].Set] = max(last, r[len(r)-1]), true
		}
	}
	var notes []string
	if last > n {
		notes = append(notes, fmt.Sprintf("The model keeps %d of %d %s: on this table it is "+
			"evaluated up to there.", n, last, h.label))
	}
	if !has[training.ValidationSet] && !has[training.OutOfBagSet] {
		notes = append(notes, option.Expand("Training had no validation set: with {valid} its error is recorded ")+
			"after each round.")
	}
	return notes
}
