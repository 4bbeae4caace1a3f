package describe

import (
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/calibrated"
	"github.com/coppice-ml/coppice/model/dense"
	"github.com/coppice-ml/coppice/tree/draw"
)

// TrainingSummary reads what training found as far as it is known; learners that keep other summaries
// leave fields empty.
func TrainingSummary(s *model.Spec) cart.Summary {
	var found cart.Summary
	if json.Unmarshal(s.Summary, &found) != nil {
		return cart.Summary{}
	}
	return found
}

// TreeNames are the words of a model's trees.
func TreeNames(e *model.Ensemble) draw.Names {
	s := e.Spec()
	if s.Task == data.Anomaly {
		return draw.Names{Schema: e.Features(), Label: "path length"} // in units of the usual one
	}
	return draw.Names{Schema: e.Features(), Classes: s.Classes, Label: s.Label, Impurity: TrainingSummary(s).Criterion, Costs: s.Decision.Costs}
}

// ThresholdFacts reports the threshold of a model of anomaly scores; for other models nothing.
func ThresholdFacts(s *model.Spec) []cli.Fact {
	if s.Task != data.Anomaly {
		return nil
	}
	text := fmt.Sprintf("%s: a greater score is called %s", humanize.Metric(s.Decision.Threshold), humanize.Name(s.Classes[1]))
	var found isolation.Summary
	if json.Unmarshal(s.Summary, &found) == nil && found.Anomalies != nil {
		text += fmt.Sprintf(", which %d of the %d training rows exceed", *found.Anomalies, found.Rows)
	}
	return []cli.Fact{{Name: "threshold", Text: text}}
}

// RowsFor counts the rows for a purpose, and those of weight 0 among them.
func RowsFor(purpose string, rows, weightless int) string {
	text := fmt.Sprintf("%d for %s", rows, purpose)
	if weightless > 0 {
		text += fmt.Sprintf(" (%d of weight 0)", weightless)
	}
	return text
}

// PositiveName names the positive class of a model of two classes; "" for others, and for scores of
// anomalies.
func PositiveName(s *model.Spec) string {
	if at := s.Positive(); at >= 0 && s.Task.Classes() {
		return s.Classes[at]
	}
	return ""
}

// CalibrationFacts report how probabilities were calibrated and what the threshold was chosen for.
// For models that are not calibrated they report nothing.
func CalibrationFacts(m model.Model) []cli.Fact {
	c, ok := m.(*calibrated.Calibrated)
	if !ok {
		return nil
	}
	var found calibrate.Summary
	if json.Unmarshal(c.Meta.Summary, &found) != nil {
		return nil
	}
	facts := []cli.Fact{{Name: "base", Text: memberWords(SizeOf(c.Base))}}
	switch {
	case found.Why != "":
		facts = append(facts, cli.Fact{Name: "folds", Text: "none: " + found.Why + "; probabilities are not calibrated"})
	case found.Before != nil && found.After != nil:
		text := fmt.Sprintf("%s in %s", humanize.Count(found.HoldOut, "row", "rows"), foldWords(found.Folds, found.Requested))
		if c.Method != calibrated.None {
			text += fmt.Sprintf("; log loss %s -> %s, Brier score %s -> %s by calibrators fitted to these rows", humanize.Metric(found.Before.LogLoss), humanize.Metric(found.After.LogLoss),
				humanize.Metric(found.Before.Brier), humanize.Metric(found.After.Brier))
		}
		facts = append(facts, cli.Fact{Name: "folds", Text: text})
	}
	if found.ThresholdValue != nil {
		facts = append(facts, cli.Fact{Name: "threshold", Text: fmt.Sprintf("%s: a greater probability is predicted as %s; %s %s on the out-of-fold rows that it was chosen on", humanize.Metric(c.Meta.Decision.Threshold),
			humanize.Name(PositiveName(&c.Meta)), found.ThresholdFor, humanize.Metric(*found.ThresholdValue))})
	}
	return facts
}

// EncodingFacts describes how a model encodes rows as vectors, and how its training went. For other
// models it returns nothing.
func EncodingFacts(s *model.Spec) []cli.Fact {
	var found struct {
		Encoding *dense.Report `json:"encoding"`
		Solution string        `json:"solution"`
	}
	if json.Unmarshal(s.Summary, &found) != nil || found.Encoding == nil {
		return nil
	}
	facts := make([]cli.Fact, 0, 2)
	for i, line := range found.Encoding.Words(humanize.Name) {
		facts = append(facts, cli.Fact{Name: []string{"encoding", ""}[min(i, 1)], Text: line})
	}
	if found.Solution != "" {
		facts = append(facts, cli.Fact{Name: "solution", Text: humanize.Name(found.Solution)})
	}
	return facts
}

// RankFacts reports the rows that a vote's rank scales are made of; for other models nothing.
func RankFacts(spec *model.Spec) []cli.Fact {
	var found vote.Summary
	if spec.Learner != vote.Name || json.Unmarshal(spec.Summary, &found) != nil || found.HoldOut == 0 {
		return nil
	}
	switch {
	case found.Folds == 0 && found.Requested > 0:
		return []cli.Fact{{Name: "ranks", Text: fmt.Sprintf("among the %s that members were trained on: too few rows, groups or times for out-of-fold predictions", humanize.Count(found.HoldOut, "row", "rows"))}}
	case found.Folds == 0:
		return nil
	}
	return []cli.Fact{{Name: "ranks", Text: fmt.Sprintf("among %s, out of fold in %s", humanize.Count(found.HoldOut, "row", "rows"), foldWords(found.Folds, found.Requested))}}
}

// foldWords counts folds; requested is their requested number where there are fewer, else 0.
func foldWords(folds, requested int) string {
	text := humanize.Count(folds, "fold", "folds")
	if requested > 0 {
		text += fmt.Sprintf(", not %d: there are too few rows, groups or times", requested)
	}
	return text
}
