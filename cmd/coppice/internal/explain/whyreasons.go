package explain

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// reasons are the contributions to a raw score, or estimates of those to the response.
type reasons struct {
	Score         string    `json:"score,omitempty"`    // the class that they are towards
	Raw           *float64  `json:"raw,omitempty"`      // the raw score of exact reasons, towards it
	Response      *float64  `json:"response,omitempty"` // that of estimates
	Bias          float64   `json:"bias"`
	Features      []string  `json:"features"`
	Contributions []float64 `json:"contributions"`
	StdErrors     []float64 `json:"std_errors,omitempty"` // of estimates
	// Samples is the number of pairs of orders of estimates, Background that of the other rows.
	Samples    int `json:"samples,omitempty"`
	Background int `json:"background,omitempty"`
}

// What reasons are estimated by where they cannot be computed.
const (
	reasonSamples = 100 // pairs of orders of the columns
	reasonRows    = 100 // of the background, at most
)

// reasons computes the contributions of the row, towards the positive one of two classes or the
// predicted one of several: exact ones where the model has them, else estimates.
func (o *why) reasons(ctx context.Context, m model.Model, a *answer) error {
	if _, trees := model.AsTrees(m); !trees && !explain.IsExact(m) {
		return o.estimate(ctx, m, a)
	}
	limit, err := o.ReadFlags.Limit()
	if err != nil {
		return err
	}
	c, err := explain.Shapley(ctx, m, a.Frame, []int32{int32(o.row - 1)},
		explain.ShapleyOptions{Workers: o.Threads, Memory: limit.Bytes() / 4})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // such as of trees that keep no training weights
		return o.estimate(ctx, m, a)
	}
	describe.Divided(o.Console, m, "")
	r := &reasons{Features: c.Features}
	r.set(c, r.towards(c, a), &r.Raw)
	a.Reasons = r
	return nil
}

// estimate estimates the contributions to the response by sampled orders of the columns, against
// rows of --like, or of the table without it.
func (o *why) estimate(ctx context.Context, m model.Model, a *answer) error {
	background := a.reference
	if background == nil {
		background = a.Frame
	}
	if a.reference == nil && background.Rows() < 2 {
		a.Without = "they are estimated against other rows, and the table has none: add --like FILE"
		return nil
	}
	if n := background.Rows(); n > reasonRows {
		background = background.Subset(rng.New(0, forBackground).Some(nil, n, reasonRows))
	}
	c, err := explain.Sampled(ctx, m, a.Frame, []int32{int32(o.row - 1)}, explain.SampledOptions{
		Background: background, Output: model.Response, Samples: reasonSamples, Workers: o.Threads})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		a.Without = err.Error()
		return nil
	}
	r := &reasons{Features: c.Features, Samples: reasonSamples, Background: background.Rows()}
	score := r.towards(&c.Contributions, a)
	r.StdErrors = slices.Clone(c.RowErrors(0, score))
	r.set(&c.Contributions, score, &r.Response)
	a.Reasons = r
	return nil
}

// towards chooses the score that is explained, and names its class.
func (r *reasons) towards(c *explain.Contributions, a *answer) (score int) {
	if c.Classes == nil {
		return a.spec.Median()
	}
	if len(c.Classes) > 1 {
		if score = a.spec.Positive(); score < 0 {
			score = a.spec.Decision.Label(a.Change.Before)
		}
	}
	r.Score = c.Classes[score]
	return score
}

// set sets what explains a score of the only row, and the score.
func (r *reasons) set(c *explain.Contributions, score int, value **float64) {
	r.Bias, r.Contributions = c.Bias[score], slices.Clone(c.Row(0, score))
	sum := describe.Total(r.Bias, r.Contributions)
	*value = &sum
}

// printReasons writes the reasons as text, after the prediction.
func (o *why) printReasons(a *answer) {
	r := a.Reasons
	of := ""
	if r != nil && r.Score != "" {
		of = " of " + humanize.Name(r.Score)
	}
	switch {
	case r == nil:
		o.Printf("\nno reasons: %s\n", a.Without)
		return
	case r.Raw != nil:
		o.Printf("; %s %s\n", describe.ScoreWords(a.spec, r.Score), humanize.Number(*r.Raw, 4))
	default:
		what := "number"
		if a.spec.Task.Classes() {
			what = "probability"
		} else if a.spec.Task == data.Anomaly {
			what = "score"
		}
		o.Printf("\nestimates for the %s%s, by %s of columns against %s\n", what, of,
			humanize.Count(r.Samples, "pair of orders", "pairs of orders"),
			humanize.Count(r.Background, "row", "rows"))
	}
	columns, values, stdErrors := a.columns()
	describe.Contributions(columns, values, stdErrors, r.Bias, o.top,
		func(i int) string { return a.value(columns[i]) }).Print(o.Out)
}

// columns adds up the contributions of the parts of a date. So it does of standard errors, which
// are at most the sum.
func (a *answer) columns() (names []string, values, stdErrors []float64) {
	for i, name := range a.Reasons.Features {
		if f := &a.spec.Schema.Fields[i]; f.From != nil {
			name = f.Source()
		}
		at := slices.Index(names, name)
		if at < 0 {
			at = len(names)
			names, values = append(names, name), append(values, 0)
			if a.Reasons.StdErrors != nil {
				stdErrors = append(stdErrors, 0)
			}
		}
		values[at] += a.Reasons.Contributions[i]
		if stdErrors != nil {
			stdErrors[at] += a.Reasons.StdErrors[i]
		}
	}
	return names, values, stdErrors
}

// value returns the value of a column of the row, of a date or a feature.
func (a *answer) value(column string) string {
	at := a.Frame.Schema.Index(column)
	if at < 0 {
		at = a.Frame.Schema.Index(a.spec.Schema.Fields[a.spec.Schema.PartsOf(column)[0]].Name)
	}
	return describe.Cell(a.RowBlock, a.Row-1, at)
}
