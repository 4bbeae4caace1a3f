package training

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// Describe implements learn.Summary: how many rounds the model has, why, the parameters in effect,
// and the metrics over the rounds.
func (s *Boosting) Describe(m model.Model) *Summary {
	found := s.Trained.Describe(m)
	if s.Base == "" { // trees, whose splits store the gain
		found.SplitKind = Gain
	}
	if s.Loss == "" || s.Log.Rounds == 0 && !s.Exhausted {
		return found
	}
	found.Kind, found.Rounds = Rounds, s.Kept
	found.Facts = []model.Fact{{Name: "rounds", Text: s.words()}}
	if c := s.Chosen; c != nil && len(c.Shifts) > 0 {
		found.Facts = append(found.Facts, model.Fact{Name: "shifts", Text: c.shiftWords()})
	} else if c != nil && c.Temperature > 0 {
		found.Facts = append(found.Facts, model.Fact{Name: "temperature", Text: "scores are divided by " +
			humanize.Number(c.Temperature, 4) + ", which lowers the log loss of validation rows"})
	}
	if s.Rehearsal != nil {
		latest := s.Chosen != nil && s.Chosen.Time
		found.Facts = append(found.Facts, s.Rehearsal.fact(s.Loss, latest))
		found.Tables = append(found.Tables, s.Rehearsal.table(s.Loss, latest))
	}
	found.Settings = settings(s.InEffect)
	if s.TimeOrder != nil {
		found.Warning = &Warning{Columns: s.TimeOrder.Columns}
		found.Warning.Message, found.Warning.Advice = s.TimeOrder.words(s.Loss)
	}
	found.Brief = s.brief()
	found.History, found.Estimate = s.describeHistory(m.Spec()), s.estimate()
	return found
}

// words reports how many rounds the model has, and why.
func (s *Boosting) words() string {
	text := humanize.Count(s.Kept, "boosting round", "boosting rounds")
	if s.Base != "" {
		text += " of " + humanize.Name(s.Base)
	}
	if s.Before > 0 {
		text += fmt.Sprintf(", %d of them from the model before", s.Before)
	}
	if chosen := s.Chosen.words(s.Loss); chosen != "" {
		text += ", " + chosen
	} else {
		text += ", " + lossWords(s.Loss)
	}
	if s.Best > 0 {
		c := s.validationCurve()
		text += fmt.Sprintf("; best on the %s set: round %d, %s",
			humanize.Name(c.Set), s.Before+s.Best, metricWords(c.Metric, s.Value, s.Loss))
	}
	switch trained := s.Before + s.Log.Rounds; {
	case s.Stopped:
		text += fmt.Sprintf("; early stopping after round %d", trained)
	case s.Flat:
		text += fmt.Sprintf("; training ended after round %d, where the second derivatives of the "+
			"loss do not add up to a number above 0", trained)
	case s.Exhausted && s.Base != "":
		text += "; no member lowers the loss any more"
	case s.Exhausted:
		text += "; no leaf can be split any more"
	case trained > s.Kept:
		text += fmt.Sprintf("; the model keeps these of %d rounds", trained)
	}
	if s.Chosen != nil && s.Chosen.Folds == 0 && !s.Exhausted {
		text += "; too few rows to choose their number by cross-validation"
	}
	return text
}

// words reports how the number of rounds was chosen: where, and how good the best one was there. It
// is less than that of the model, whose training has more rows, or a lower learning rate.
func (c *Choice) words(loss string) string {
	if c == nil || c.Folds == 0 {
		return ""
	}
	where := fmt.Sprintf("by %d-fold cross-validation", c.Folds)
	switch {
	case c.Time && c.Folds > 1:
		where = fmt.Sprintf("by the latest %d expanding folds in order of time", c.Folds)
	case c.Time:
		where = "on the latest rows"
	case c.Of > c.Folds:
		where = fmt.Sprintf("by %d folds of %d-fold cross-validation", c.Folds, c.Of)
	case c.Folds == 1:
		where = "on a validation set"
	}
	text := fmt.Sprintf("chosen %s: %s after %s", where, metricWords(c.Metric, c.Value, loss),
		humanize.Count(c.Best, "round", "rounds"))
	if c.FoldRate > 0 {
		text += " at learning rate " + humanize.Number(c.FoldRate, 4)
	}
	if c.Factor > 1 {
		text += " on fewer rows"
	}
	if last := len(c.Later) - 1; last >= 0 {
		text += "; the learning rate rises to " + humanize.Number(c.Later[last].Rate, 4)
	}
	return text
}

// shiftWords reports what was added to quantiles.
func (c *Choice) shiftWords() string {
	var all []string
	for _, s := range c.Shifts {
		all = append(all, humanize.Signed(s, 6))
	}
	return strings.Join(all, ", ") + " on the quantiles, so that labels of validation rows lie below them as " +
		"often as the levels say"
}

// lossWords names a loss as the literature does.
func lossWords(loss string) string {
	switch loss {
	case "logistic", "softmax":
		return "log loss"
	}
	return humanize.Name(loss) + " loss"
}

// metricWords writes the value of a metric, which may be the loss itself.
func metricWords(name string, value float64, loss string) string {
	return metricName(name, loss) + " " + humanize.Metric(value)
}

// validationCurve returns the first curve of the validation set, else the last one of all.
func (s *Boosting) validationCurve() LearningCurve {
	curves := s.curves()
	at := slices.IndexFunc(curves, func(c LearningCurve) bool { return c.Set == ValidationSet })
	switch {
	case at >= 0:
		return curves[at]
	case len(curves) == 0:
		return LearningCurve{Set: ValidationSet}
	}
	return curves[len(curves)-1]
}

// settings lists parameters, an object of values, as NAME=VALUE in their order.
func settings(object json.RawMessage) []string {
	values := json.NewDecoder(bytes.NewReader(object))
	if start, err := values.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	var texts []string
	for values.More() {
		name, err := values.Token()
		if err != nil {
			return nil
		}
		var value any
		if values.Decode(&value) != nil {
			return nil
		}
		text := ""
		switch v := value.(type) {
		case float64:
			text = humanize.Number(v, 6)
		case string:
			text = humanize.Name(v)
		default:
			continue
		}
		texts = append(texts, humanize.Name(fmt.Sprint(name))+"="+text)
	}
	return texts
}
