package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// roundsOf returns the training summary of a model that was trained in rounds, nil for others.
func roundsOf(s *model.Spec) *boosting.Summary {
	var found boosting.Summary
	if json.Unmarshal(s.Summary, &found) != nil || found.Loss == "" || found.History.Rounds == 0 && !found.Exhausted {
		return nil
	}
	if c := found.Chosen; c != nil && len(c.Curve) > 0 {
		holdOutCurve := boosting.Curve{Part: holdOut, Metric: c.Metric, Values: c.Curve}
		for i := range c.Curve {
			holdOutCurve.Rounds = append(holdOutCurve.Rounds, i+1)
		}
		found.Curves = append(found.Curves, holdOutCurve)
	}
	return &found
}

// roundsFlag limits a boosted model to its first rounds.
type roundsFlag struct {
	rounds int // 0 = all
	of     int // the rounds of the model, set by check; 0 if all are used
	given  *pflag.FlagSet
}

func (o *roundsFlag) define(f *pflag.FlagSet) {
	o.given = f
	f.IntVar(&o.rounds, "rounds", 0, "of a boosted model, predict with its first `N` rounds (default: all)")
}

// check finds misuse of the flag for a model.
func (o *roundsFlag) check(m model.Model) error {
	if !o.given.Changed("rounds") {
		return nil
	}
	var found struct {
		Rounds int `json:"rounds"` // of a model that was trained in rounds
	}
	switch err := json.Unmarshal(m.Spec().Summary, &found); {
	case err != nil || found.Rounds == 0:
		return misusef("--rounds is for models that were trained in rounds, by %s: this one is of %s", humanize.Or(learnersThat(trainsInRounds)), m.Spec().Learner)
	case o.rounds < 1 || o.rounds > found.Rounds:
		return misusef("--rounds %d: want a number from 1 to %d, the rounds of the model", o.rounds, found.Rounds)
	}
	o.of = found.Rounds
	return nil
}

// requested reports how many of the rounds are used, nothing if all are.
func (o *roundsFlag) requested() []fact {
	if o.rounds == 0 {
		return nil
	}
	return []fact{{"rounds", fmt.Sprintf("the first %d of %d", o.rounds, o.of)}}
}

// holdOut is the name of the sets by which the number of rounds was chosen.
const holdOut = "hold-out"

// roundFacts reports how many rounds a boosted model has, why, and the parameters in effect.
func roundFacts(s *model.Spec) []fact {
	if b := boostOf(s); b != nil {
		return boostFacts(b)
	}
	r := roundsOf(s)
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
	return append([]fact{{"rounds", text}}, effectFacts(s, r.InEffect)...)
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

// effectFacts lists the parameters whose values training chose, in the order of the learner's.
func effectFacts(s *model.Spec, effect json.RawMessage) []fact {
	var values map[string]any
	if json.Unmarshal(effect, &values) != nil {
		return nil
	}
	var texts []string
	for _, p := range paramsOf(s).All() {
		switch v := values[p.Name].(type) {
		case float64:
			texts = append(texts, p.Name+"="+strconv.FormatFloat(v, 'g', 4, 64))
		case string:
			texts = append(texts, p.Name+"="+humanize.Name(v))
		}
	}
	if texts == nil {
		return nil
	}
	return []fact{{"in effect", strings.Join(texts, ", ")}}
}

// roundWords is a line of progress: the stage, and the last metrics.
func roundWords(r *learn.Round) string {
	words := []string{r.Stage}
	for _, m := range r.Metrics {
		words = append(words, fmt.Sprintf("%s %s %s", m.Part, m.Name, humanize.Metric(m.Value)))
	}
	return strings.Join(words, "  ")
}

// roundCurves are the curves of one metric of a boosted model.
type roundCurves struct {
	metric          string
	training, valid *boosting.Curve // nil = not evaluated
}

// main returns the curve that counts: on the validation set, else on the training set.
func (r *roundCurves) main() *boosting.Curve {
	if r.valid != nil {
		return r.valid
	}
	return r.training
}

// rounds returns the rounds at which one of the curves has a value, ascending.
func (r *roundCurves) rounds() []int {
	var all []int
	for _, c := range []*boosting.Curve{r.training, r.valid} {
		if c != nil {
			all = append(all, c.Rounds...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// curvesOf sorts the curves of a training by metric; those without a point are left out.
func curvesOf(s *boosting.Summary) []roundCurves {
	var all []roundCurves
	for i := range s.Curves {
		c := &s.Curves[i]
		if len(c.Rounds) == 0 || len(c.Rounds) != len(c.Values) {
			continue
		}
		at := slices.IndexFunc(all, func(r roundCurves) bool { return r.metric == c.Metric })
		if at < 0 {
			at = len(all)
			all = append(all, roundCurves{metric: c.Metric})
		}
		if c.Part == "validation" || c.Part == holdOut {
			all[at].valid = c
		} else {
			all[at].training = c
		}
	}
	return all
}

// showRounds shows the metrics over the rounds of a boosted model.
func (o *showCommand) showRounds(path string, spec *model.Spec, r *boosting.Summary) error {
	all := curvesOf(r)
	if len(all) == 0 {
		return fmt.Errorf("%s: training evaluated no metric: train with --valid, or with --set training_metric=1", path)
	}
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		switch {
		case o.jsonFlag.json:
			return out.json(map[string]any{"best_round": r.Best, "curves": r.Curves})
		case o.format == "svg":
			return roundFigure(spec, r, all).Write(w)
		}
		for i := range all {
			if i > 0 {
				out.printf("\n")
			}
			printRounds(&out, &all[i], r.Best)
		}
		return nil
	})
}

// printRounds prints a metric over the number of rounds, of which one is the best.
func printRounds(c *console, r *roundCurves, best int) {
	main := r.main()
	c.printf("%s on the %s set over the number of rounds.\n\n", r.metric, main.Part)
	plotted := chart{main.Rounds, main.Values, chartColumns, chartLines}
	c.printf("%s\n\n", strings.Join(plotted.draw(), "\n"))
	g := grid{columns: numbers("rounds", "training", "validation")}
	if r.valid != nil {
		g.columns[2].name = r.valid.Part
	}
	if r.valid == nil {
		g.columns = g.columns[:2]
	}
	last := main.Rounds[len(main.Rounds)-1]
	for _, n := range r.rounds() {
		if n <= last && (n == last || n == best || printedPoint(n)) {
			g.add([]string{strconv.Itoa(n), valueAt(r.training, n), valueAt(r.valid, n)}[:len(g.columns)]...)
		}
	}
	g.print(c.out)
}

// valueAt writes the value of a curve after some rounds, "" if it was not evaluated then.
func valueAt(c *boosting.Curve, rounds int) string {
	if c == nil {
		return ""
	}
	if i, found := slices.BinarySearch(c.Rounds, rounds); found {
		return humanize.Metric(c.Values[i])
	}
	return ""
}

// roundFigure draws up to three metrics side by side.
func roundFigure(spec *model.Spec, r *boosting.Summary, all []roundCurves) *plot.Figure {
	fig := &plot.Figure{Title: "Metrics against the number of rounds", Subtitle: fmt.Sprintf("Boosting by loss %s, on %s.", r.Loss, humanize.Count(r.Rows, "row", "rows"))}
	if spec.Label != "" {
		fig.Title = spec.Label + ": metrics against the number of rounds"
	}
	if r.Best > 0 {
		fig.Subtitle += fmt.Sprintf(" Round %d is the best on the validation set.", r.Best)
	}
	for _, m := range all[:min(3, len(all))] {
		c := plot.Chart{X: plot.Scale{Label: "rounds"}, Y: plot.Scale{Label: m.metric}}
		for i, curve := range []*boosting.Curve{m.training, m.valid} {
			if curve == nil {
				continue
			}
			x := make([]float64, len(curve.Rounds))
			for k, n := range curve.Rounds {
				x[k] = float64(n)
			}
			c.Curves = append(c.Curves, plot.Curve{Name: curve.Part + " set", X: x, Y: curve.Values, Style: plot.Line, Colour: i})
		}
		fig.Charts = append(fig.Charts, c)
	}
	return fig
}
