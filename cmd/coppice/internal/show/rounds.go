package show

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

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
		if c.Part == "validation" || c.Part == describe.HoldOut {
			all[at].valid = c
		} else {
			all[at].training = c
		}
	}
	return all
}

// showRounds shows the metrics over the rounds of a boosted model.
func (o *command) showRounds(path string, spec *model.Spec, r *boosting.Summary) error {
	all := curvesOf(r)
	if len(all) == 0 {
		return fmt.Errorf("%s: training evaluated no metric: train with --valid, or with --set training_metric=1", path)
	}
	return o.FileFlag.Write(o.Console, func(w io.Writer) error {
		out := *o.Console
		out.Out = w
		switch {
		case o.JSONFlag.JSON:
			return out.JSON(map[string]any{"best_round": r.Best, "curves": r.Curves})
		case o.format == "svg":
			return roundFigure(spec, r, all).Write(w)
		}
		for i := range all {
			if i > 0 {
				out.Printf("\n")
			}
			printRounds(&out, &all[i], r.Best)
		}
		return nil
	})
}

// printRounds prints a metric over the number of rounds, of which one is the best.
func printRounds(c *cli.Console, r *roundCurves, best int) {
	main := r.main()
	c.Printf("%s on the %s set over the number of rounds.\n\n", r.metric, main.Part)
	plotted := cli.Chart{X: main.Rounds, Y: main.Values, Columns: chartColumns, Lines: chartLines}
	c.Printf("%s\n\n", strings.Join(plotted.Draw(), "\n"))
	g := cli.Grid{Columns: cli.Numbers("rounds", "training", "validation")}
	if r.valid != nil {
		g.Columns[2].Name = r.valid.Part
	}
	if r.valid == nil {
		g.Columns = g.Columns[:2]
	}
	last := main.Rounds[len(main.Rounds)-1]
	for _, n := range r.rounds() {
		if n <= last && (n == last || n == best || printedPoint(n)) {
			g.Add([]string{strconv.Itoa(n), valueAt(r.training, n), valueAt(r.valid, n)}[:len(g.Columns)]...)
		}
	}
	g.Print(c.Out)
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
