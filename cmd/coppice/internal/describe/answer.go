package describe

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// answerMetrics are the metrics that an answer of one sentence has. Those of its task are taken, at
// most mostAnswered of those that have a value.
var answerMetrics = []string{"accuracy", "auc", "roc_auc_ovr", "logloss", "rmse", "r2", "pinball", "ndcg@10",
	"concordance"}

const mostAnswered = 3

// Answer names the metrics that tell most, with their values: "accuracy 0.9, AUC 0.95". value
// writes that of a metric, "" where it has none. Without any value it is "".
func Answer(value func(name string) string) string {
	var texts []string
	for _, name := range answerMetrics {
		if text := value(name); text != "" && len(texts) < mostAnswered {
			texts = append(texts, metric.Words(name)+" "+text)
		}
	}
	return strings.Join(texts, ", ")
}

// AnswerOf is Answer for the metrics of a report, or the reason why it has none.
func AnswerOf(r *eval.Report) string {
	text := Answer(func(name string) string {
		if v, ok := r.Metrics.Get(name); ok {
			return humanize.Metric(v)
		}
		return ""
	})
	if text == "" {
		return "no metric has a value: " + r.Undefined
	}
	return text
}

// Sentence describes the model: what it is, what it predicts from how many columns, and how good it
// is on rows that it was not trained on, if it stores that.
func (v *View) Sentence() string {
	s := v.Spec
	learner := humanize.Name(s.Learner)
	article := "A"
	if strings.ContainsRune("aeiouAEIOU", rune(learner[0])) {
		article = "An"
	}
	what := humanize.Name(s.Label)
	switch {
	case s.Task == data.Anomaly:
		what = "scores of anomalies"
	case s.Label == "":
		what = "a label without a name"
	}
	text := fmt.Sprintf("%s %s model (%s) predicts %s from %s", article, learner, v.size(), what,
		humanize.Count(v.sources(), "column", "columns"))
	e := s.Best()
	if e == nil {
		return text + "."
	}
	quality := Answer(func(name string) string {
		if m := e.Metric(name); m != nil {
			return humanize.Metric(m.Value)
		}
		return ""
	})
	if quality == "" {
		return text + "."
	}
	return fmt.Sprintf("%s: %s %s.", text, quality, evaluated(e))
}

// size is how large the model is, in words.
func (v *View) size() string {
	words, _, _ := strings.Cut(v.Words, ", and a constant")
	if strings.Contains(words, v.Title) || v.Ensemble != nil {
		return words
	}
	number, rest, _ := strings.Cut(words, ",") // of members, of which the rest is
	if rest == "" {
		return words + " " + v.Title
	}
	return fmt.Sprintf("%s %s,%s", number, v.Title, rest)
}

// sources counts the columns of a table that the model is for.
func (v *View) sources() int {
	seen := map[string]bool{}
	for i := range v.Spec.Schema.Fields {
		seen[v.Spec.Schema.Fields[i].Source()] = true
	}
	return len(seen)
}

// evaluated names the rows of an evaluation.
func evaluated(e *model.Evaluation) string {
	rows := humanize.Count(e.Rows, "row", "rows")
	switch e.Origin {
	case model.OfFolds, model.OfOutOfBagRows:
		return fmt.Sprintf("in %s predictions of %s", map[string]string{
			model.OfFolds: "out-of-fold", model.OfOutOfBagRows: "out-of-bag"}[e.Origin], rows)
	case model.OfTest:
		return "on its test set of " + rows
	}
	return "on a validation set of " + rows
}
