package describe

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/oob"
	"github.com/coppice-ml/coppice/model"
)

// OutOfBagFacts reports the out-of-bag metrics of a model; for other models nothing.
func OutOfBagFacts(s *model.Spec) []cli.Fact {
	r := OutOfBag(s)
	if r == nil {
		return nil
	}
	text := ""
	add := func(name string, value *float64) {
		if value != nil {
			text += fmt.Sprintf("%s %s, ", name, humanize.Metric(*value))
		}
	}
	add("error", r.Error)
	add("cost", r.Cost)
	add("logloss", r.LogLoss)
	if r.MSE != nil {
		rmse := math.Sqrt(*r.MSE)
		add("rmse", &rmse)
	}
	add("r2", r.R2)
	text += fmt.Sprintf("on %s", humanize.Count(r.Rows, "row", "rows"))
	if r.Never > 0 {
		text += fmt.Sprintf(" (%d more rows are in all bags)", r.Never)
	}
	if r.Settled {
		text += fmt.Sprintf(", converged after %s", humanize.Count(r.Members, "member", "members"))
	}
	if r.Optimistic {
		text += "; too optimistic, as the trees were pruned by the same rows"
	}
	return []cli.Fact{{Name: "oob", Text: text}}
}

// OutOfBag returns the out-of-bag report of a model's summary, nil if it has none.
func OutOfBag(s *model.Spec) *oob.Report {
	var found struct {
		OutOfBag *oob.Report `json:"oob"`
	}
	if json.Unmarshal(s.Summary, &found) != nil {
		return nil
	}
	return found.OutOfBag
}

// OutOfBagMetric names the metric of out-of-bag errors.
func OutOfBagMetric(s *model.Spec) string {
	if s.Task.Classes() {
		return "error rate"
	}
	return "mean squared error"
}
