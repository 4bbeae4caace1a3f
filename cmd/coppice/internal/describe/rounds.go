package describe

import (
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// Rounds returns the training summary of a model that was trained in rounds, nil for others.
func Rounds(s *model.Spec) *boosting.Summary {
	var found boosting.Summary
	if json.Unmarshal(s.Summary, &found) != nil || found.Loss == "" || found.History.Rounds == 0 && !found.Exhausted {
		return nil
	}
	if c := found.Chosen; c != nil && len(c.Curve) > 0 {
		holdOutCurve := boosting.Curve{Part: HoldOut, Metric: c.Metric, Values: c.Curve}
		for i := range c.Curve {
			holdOutCurve.Rounds = append(holdOutCurve.Rounds, i+1)
		}
		found.Curves = append(found.Curves, holdOutCurve)
	}
	return &found
}

// HoldOut is the name of the sets by which the number of rounds was chosen.
const HoldOut = "hold-out"

// RoundFacts reports how many rounds a boosted model has, why, and the parameters in effect.
func RoundFacts(s *model.Spec) []cli.Fact {
	if b := AdaBoost(s); b != nil {
		return boostFacts(b)
	}
	r := Rounds(s)
	if r == nil {
		return nil
	}
	text := humanize.Count(r.Kept, "boosting round", "boosting rounds")
	if r.Base != "" {
		text += " of " + r.Base
	}
	if r.Before > 0 {
		text += fmt.Sprintf(", %d of them from the model before", r.Before)
	}
	text += ", " + lossName(r.Loss) + chosenWords(r.Chosen, r.Loss)
	if r.Best > 0 {
		c := validationCurve(r.Curves)
		text += fmt.Sprintf("; best on the %s set: round %d, %s", c.Part, r.Before+r.Best, metricWords(c.Metric, r.Value, r.Loss))
	}
	switch trained := r.Before + r.Rounds; {
	case r.Stopped:
		text += fmt.Sprintf("; early stopping after round %d", trained)
	case r.Exhausted && r.Base != "":
		text += "; no member lowers the loss any more"
	case r.Exhausted:
		text += "; no leaf can be split any more"
	case trained > r.Kept:
		text += fmt.Sprintf("; the model keeps these of %d rounds", trained)
	}
	if c := r.Chosen; c != nil && c.Folds == 0 && !r.Exhausted {
		text += "; too few rows to choose their number by cross-validation"
	}
	return append([]cli.Fact{{Name: "rounds", Text: text}}, effectFacts(s, r.InEffect)...)
}

// lossName names a loss as the literature does.
func lossName(loss string) string {
	switch loss {
	case "logistic", "softmax":
		return "log loss"
	}
	return humanize.Name(loss) + " loss"
}

// metricWords writes the value of a metric, which may be the loss itself.
func metricWords(name string, value float64, loss string) string {
	if name == loss {
		return lossName(loss) + " " + humanize.Metric(value)
	}
	return humanize.Name(name) + " " + humanize.Metric(value)
}

// chosenWords reports how the number of rounds was chosen: the best number on the folds, and the
// factor by which all rows outnumber those that a fold trains on.
func chosenWords(c *boosting.Choice, loss string) string {
	if c == nil || c.Folds == 0 {
		return ""
	}
	where := fmt.Sprintf("in %d-fold cross-validation", c.Folds)
	if c.Folds == 1 {
		where = "on a hold-out set"
	}
	text := fmt.Sprintf("; best %s: round %d, %s", where, c.Best, metricWords(c.Metric, c.Value, loss))
	if c.Factor == 0 {
		return text // a model of a version that did not store it
	}
	return text + fmt.Sprintf("; %d x %.4g = %d for all rows", c.Best, c.Factor, c.Rounds)
}

// validationCurve returns the first curve of the validation set, else the last one of all.
func validationCurve(curves []boosting.Curve) boosting.Curve {
	for _, c := range curves {
		if c.Part == boosting.Validation {
			return c
		}
	}
	if len(curves) == 0 {
		return boosting.Curve{Part: boosting.Validation}
	}
	return curves[len(curves)-1]
}
