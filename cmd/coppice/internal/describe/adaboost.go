package describe

import (
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/model"
)

// AdaBoost returns the training summary of adaptive boosting, nil for models of other learners.
func AdaBoost(s *model.Spec) *adaboost.Summary {
	var found adaboost.Summary
	if s.Learner != adaboost.Name && s.Learner != adaboost.LogitBoost || json.Unmarshal(s.Summary, &found) != nil {
		return nil
	}
	return &found
}

// boostFacts reports the number of rounds, why training ended, its training error and margins.
func boostFacts(b *adaboost.Summary) []cli.Fact {
	text := fmt.Sprintf("%d of %s over %s", b.Rounds, b.Variant, humanize.Name(b.Base))
	if b.Resampled {
		text += ", on bootstrap samples by weight"
	}
	if b.Stopped != "" {
		text += "; training ended: " + b.Stopped
	}
	facts := []cli.Fact{{Name: "rounds", Text: text}}
	last := b.Rounds - 1
	if last < 0 {
		return facts
	}
	if len(b.Training) > 0 {
		text := humanize.Percent(b.Training[last]) + " of the training weight is misclassified"
		if len(b.Bound) > 0 {
			text += ", at most " + humanize.Percent(min(1, b.Bound[last])) + " by the weighted errors"
		}
		facts = append(facts, cli.Fact{Name: "error", Text: text})
	}
	if len(b.Margins) > 0 {
		m := b.Margins[len(b.Margins)-1]
		facts = append(facts, cli.Fact{Name: "margins", Text: fmt.Sprintf("from %s, mean %s; %s are at most 0.5", humanize.Metric(m.Least), humanize.Metric(m.Mean), humanize.Percent(m.Upto[3*adaboost.MarginSteps/4]))})
	}
	return facts
}
