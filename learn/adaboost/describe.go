package adaboost

import (
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Describe implements learn.Summary: the number of rounds, why training ended, the training error
// and the margins; errors, bounds, margins and weights over the rounds.
func (s *Summary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Kind, found.Rounds, found.Facts, found.Importances = training.Rounds, s.Rounds, s.facts(),
		s.Importances
	found.History = s.history(m.Spec())
	return found
}

// facts reports the number of rounds, why training ended, its training error and margins.
func (s *Summary) facts() []model.Fact {
	text := fmt.Sprintf("%d of %s over %s", s.Rounds, s.Variant, humanize.Name(s.Base))
	if s.Resampled {
		text += ", on bootstrap samples by weight"
	}
	if s.Stopped != "" {
		text += "; training ended: " + s.Stopped
	}
	facts := []model.Fact{{Name: "rounds", Text: text}}
	last := s.Rounds - 1
	if last < 0 {
		return facts
	}
	if len(s.Training) > 0 {
		text := humanize.Percent(s.Training[last]) + " of the training weight is misclassified"
		if len(s.Bound) > 0 {
			text += ", at most " + humanize.Percent(min(1, s.Bound[last])) + " by the weighted " +
				"errors"
		}
		facts = append(facts, model.Fact{Name: "error", Text: text})
	}
	if curve := s.validCurve(); curve != nil {
		facts = append(facts, model.Fact{Name: "valid", Text: validWords(curve)})
	}
	if len(s.Margins) > 0 {
		g := &s.Margins[len(s.Margins)-1]
		facts = append(facts, model.Fact{Name: "margins",
			Text: fmt.Sprintf("from %s, mean %s; %s are at most 0.5",
				humanize.Metric(g.Least), humanize.Metric(g.Mean),
				humanize.Percent(g.Upto[3*MarginSteps/4]))})
	}
	return facts
}

// validCurve returns the learning curve of the validation set, nil if there was none.
func (s *Summary) validCurve() *training.LearningCurve {
	if len(s.Curves) == 0 {
		return nil
	}
	return &s.Curves[0]
}

// validWords reports the last error on the validation set, and the least.
func validWords(c *training.LearningCurve) string {
	best, last := 0, len(c.Values)-1
	for i, v := range c.Values {
		if v < c.Values[best] {
			best = i
		}
	}
	return fmt.Sprintf("%s %s on the validation set after all rounds; least %s, after round %d",
		metric.Words(c.Metric), humanize.Metric(c.Values[last]), humanize.Metric(c.Values[best]), c.Rounds[best])
}

// errorWords names the error of a round.
func (s *Summary) errorWords() string {
	switch s.Variant {
	case "r2":
		return "mean loss"
	case LogitBoost:
		return "log loss"
	}
	return "weighted error"
}

// history describes errors, bounds, margins and weights over the rounds.
func (s *Summary) history(spec *model.Spec) *training.History {
	if s.Rounds == 0 {
		return &training.History{Missing: "the model has no rounds: " + s.Stopped}
	}
	h := &training.History{Tables: []model.Table{s.roundTable()}, Figure: s.figure(spec), Content: s}
	if len(s.Margins) > 0 {
		h.Tables = append(h.Tables, s.marginTable())
	}
	if s.Training != nil {
		h.Curves = append(h.Curves, training.LearningCurve{Set: training.TrainingSet,
			Metric: "error", Rounds: figure.UpTo(s.Rounds), Values: s.Training})
	}
	if c := s.validCurve(); c != nil {
		h.Curves = append(h.Curves, *c)
	}
	return h
}

// series is a number for each round that only some variants have.
type series struct {
	name   string
	values []float64
}

// roundTable lists some of the rounds.
func (s *Summary) roundTable() model.Table {
	t := model.Table{Columns: model.Numbers("round", s.errorWords(), "weight", "effective rows")}
	var optional []series
	for _, o := range []series{{"training error", s.Training}, {"bound", s.Bound},
		{"bound by edges", s.EdgeBound}} {
		if o.values != nil {
			optional = append(optional, o)
			t.Columns = append(t.Columns, model.Numbers(o.name)...)
		}
	}
	valid := s.validCurve()
	if valid != nil {
		t.Columns = append(t.Columns, model.Numbers("validation "+metric.Words(valid.Metric))...)
	}
	for i := range s.Rounds {
		if i != s.Rounds-1 && !figure.Listed(i+1) {
			continue
		}
		row := []string{strconv.Itoa(i + 1), humanize.Metric(s.Error[i]),
			humanize.Metric(s.Weight[i]), strconv.FormatFloat(s.Effective[i], 'f', 1, 64)}
		for _, o := range optional {
			row = append(row, humanize.Metric(o.values[i]))
		}
		if valid != nil {
			row = append(row, valid.At(i+1))
		}
		t.Add(row...)
	}
	return t
}

// marginTable lists how the margins are distributed.
func (s *Summary) marginTable() model.Table {
	t := model.Table{Caption: "Fraction of the training weight with a margin of at most",
		Columns: model.Numbers("rounds", "least", "mean")}
	at := []int{0, MarginSteps / 4, MarginSteps / 2, 5 * MarginSteps / 8, 3 * MarginSteps / 4,
		7 * MarginSteps / 8}
	for _, i := range at {
		t.Columns = append(t.Columns,
			model.Numbers(strconv.FormatFloat(MarginAt(i), 'g', -1, 64))...)
	}
	for _, g := range s.Margins {
		row := []string{strconv.Itoa(g.Rounds), humanize.Metric(g.Least), humanize.Metric(g.Mean)}
		for _, i := range at {
			row = append(row, humanize.Metric(g.Upto[i]))
		}
		t.Add(row...)
	}
	return t
}
