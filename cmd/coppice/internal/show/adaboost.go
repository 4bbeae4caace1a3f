package show

import (
	"fmt"
	"io"
	"strconv"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// errorWord names the error of a round.
func errorWord(b *adaboost.Summary) string {
	switch b.Variant {
	case "r2":
		return "mean loss"
	case adaboost.LogitBoost:
		return "log loss"
	}
	return "weighted error"
}

// showBoost shows errors, bounds, margins and weights over the rounds of adaptive boosting.
func (o *command) showBoost(path string, spec *model.Spec, b *adaboost.Summary) error {
	if b.Rounds == 0 {
		return fmt.Errorf("%s: the model has no rounds: %s", path, b.Stopped)
	}
	return o.FileFlag.Write(o.Console, func(w io.Writer) error {
		out := *o.Console
		out.Out = w
		switch {
		case o.JSONFlag.JSON:
			return out.JSON(b)
		case o.format == "svg":
			return boostFigure(spec, b).Write(w)
		}
		main, word := b.Training, "Fraction of the training weight that the ensemble so far misclassifies"
		if main == nil {
			main, word = b.Error, "Mean loss of each member"
		}
		out.Printf("%s, over the rounds.\n\n", word)
		c := cli.Chart{X: upTo(b.Rounds), Y: main, Columns: chartColumns, Lines: chartLines}
		for _, line := range c.Draw() {
			out.Printf("%s\n", line)
		}
		out.Printf("\n")
		printBoost(&out, b)
		printMargins(&out, b)
		return nil
	})
}

func upTo(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i+1)
	}
	return all
}

// printBoost prints some of the rounds.
func printBoost(c *cli.Console, b *adaboost.Summary) {
	g := cli.Grid{Columns: cli.Numbers("round", errorWord(b), "weight", "effective rows")}
	optional := []struct {
		name   string
		values []float64
	}{{"training error", b.Training}, {"bound", b.Bound}, {"bound by edges", b.EdgeBound}}
	for _, o := range optional {
		if o.values != nil {
			g.Columns = append(g.Columns, cli.Numbers(o.name)...)
		}
	}
	for i := range b.Rounds {
		if i != b.Rounds-1 && !printedPoint(i+1) {
			continue
		}
		row := []string{strconv.Itoa(i + 1), humanize.Metric(b.Error[i]), humanize.Metric(b.Weight[i]), strconv.FormatFloat(b.Effective[i], 'f', 1, 64)}
		for _, o := range optional {
			if o.values != nil {
				row = append(row, humanize.Metric(o.values[i]))
			}
		}
		g.Add(row...)
	}
	g.Print(c.Out)
}

// printMargins prints how the margins are distributed.
func printMargins(c *cli.Console, b *adaboost.Summary) {
	if len(b.Margins) == 0 {
		return
	}
	c.Printf("\nFraction of the training weight with a margin of at most\n\n")
	g := cli.Grid{Columns: cli.Numbers("rounds", "least", "mean")}
	at := []int{0, adaboost.MarginSteps / 4, adaboost.MarginSteps / 2, 5 * adaboost.MarginSteps / 8, 3 * adaboost.MarginSteps / 4, 7 * adaboost.MarginSteps / 8}
	for _, i := range at {
		g.Columns = append(g.Columns, cli.Numbers(strconv.FormatFloat(adaboost.MarginAt(i), 'g', -1, 64))...)
	}
	for _, m := range b.Margins {
		row := []string{strconv.Itoa(m.Rounds), humanize.Metric(m.Least), humanize.Metric(m.Mean)}
		for _, i := range at {
			row = append(row, humanize.Metric(m.Upto[i]))
		}
		g.Add(row...)
	}
	g.Print(c.Out)
}

// mostWeightCurves is the number of rounds whose weights are plotted row by row.
const mostWeightCurves = 4

// boostFigure draws errors per round, the distribution of margins, and the weights round by round:
// of few rows each, else how many rows of equal weight they are worth.
func boostFigure(spec *model.Spec, b *adaboost.Summary) *plot.Figure {
	fig := &plot.Figure{Title: "Adaptive boosting, round by round",
		Subtitle: fmt.Sprintf("%s of %s over %s, on %s.", humanize.Count(b.Rounds, "round", "rounds"), b.Variant, humanize.Name(b.Base), humanize.Count(b.Rows, "row", "rows"))}
	if spec.Label != "" {
		fig.Title = humanize.Name(spec.Label) + ": adaptive boosting, round by round"
	}
	rounds := make([]float64, b.Rounds)
	for i := range rounds {
		rounds[i] = float64(i + 1)
	}
	x := plot.Scale{Label: "round", Log: b.Rounds > cli.LogFrom}
	errors := plot.Chart{X: x, Y: plot.Scale{Label: "fraction of the weight", Zero: true},
		Curves: []plot.Curve{{Name: errorWord(b), X: rounds, Y: b.Error, Colour: 2, Style: plot.Marks}}}
	if b.Variant == "r2" || b.Variant == adaboost.LogitBoost {
		errors.Y.Label = errorWord(b)
	}
	if b.Rounds > cli.LogFrom {
		errors.Curves[0].Style = plot.Line
	}
	if b.Training != nil {
		errors.Curves = append(errors.Curves, plot.Curve{Name: "training error of the vote", X: rounds, Y: b.Training})
	}
	if b.Bound != nil {
		errors.Curves = append(errors.Curves, plot.Curve{Name: "its bound", X: rounds, Y: b.Bound, Style: plot.Dashes, Colour: 1})
	}
	fig.Charts = append(fig.Charts, errors)
	if len(b.Margins) > 0 {
		c := plot.Chart{X: plot.Scale{Label: "margin"}, Y: plot.Scale{Label: "fraction of rows up to it", Zero: true}}
		for i, m := range b.Margins {
			curve := plot.Curve{Name: "after " + humanize.Count(m.Rounds, "round", "rounds"), Y: m.Upto, Colour: i}
			for k := range m.Upto {
				curve.X = append(curve.X, adaboost.MarginAt(k))
			}
			c.Curves = append(c.Curves, curve)
		}
		fig.Charts = append(fig.Charts, c)
	}
	fig.Charts = append(fig.Charts, weightChart(b, rounds, x))
	return fig
}

// weightChart draws the weights of the rows.
func weightChart(b *adaboost.Summary, rounds []float64, x plot.Scale) plot.Chart {
	if len(b.RowWeights) == 0 {
		return plot.Chart{X: x, Y: plot.Scale{Label: "effective rows", Zero: true},
			Curves: []plot.Curve{{X: rounds, Y: b.Effective, Colour: 3}}}
	}
	c := plot.Chart{X: plot.Scale{Label: "row"}, Y: plot.Scale{Label: "weight before the round", Zero: true}}
	step := max(1, (len(b.RowWeights)+mostWeightCurves-1)/mostWeightCurves)
	for n := 0; n < len(b.RowWeights); n += step {
		curve := plot.Curve{Name: fmt.Sprintf("round %d", n+1), Y: b.RowWeights[n], Colour: n / step, Style: plot.LineMarks}
		if len(curve.Y) > cli.LogFrom {
			curve.Style = plot.Line
		}
		for i := range curve.Y {
			curve.X = append(curve.X, float64(i+1))
		}
		c.Curves = append(c.Curves, curve)
	}
	return c
}
