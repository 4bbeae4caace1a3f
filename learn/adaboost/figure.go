package adaboost

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// mostWeightCurves is the number of rounds whose weights are plotted row by row.
const mostWeightCurves = 4

// figure draws errors per round, the distribution of margins, and the weights round by round: of
// few rows each, else how many rows of equal weight they are worth.
func (s *Summary) figure(spec *model.Spec) *figure.Figure {
	f := &figure.Figure{Title: "Adaptive boosting, round by round",
		Subtitle: fmt.Sprintf("%s of %s over %s, on %s.",
			humanize.Count(s.Rounds, "round", "rounds"), s.Variant, humanize.Name(s.Base),
			humanize.Count(s.Rows, "row", "rows"))}
	if spec.Label != "" {
		f.Title = humanize.Name(spec.Label) + ": adaptive boosting, round by round"
	}
	x, rounds := figure.Counts("round", s.Rounds), figure.Places(figure.UpTo(s.Rounds))
	f.Charts = append(f.Charts, s.errorChart(x, rounds))
	if v := s.validCurve(); v != nil && s.Training == nil { // in another unit than the errors
		f.Charts = append(f.Charts, figure.Chart{X: x, Y: figure.Scale{Label: v.Metric},
			Curves: []figure.Curve{{Name: "validation " + v.Metric, X: figure.Places(v.Rounds),
				Y: v.Values, Colour: 5}}})
	}
	if len(s.Margins) > 0 {
		f.Charts = append(f.Charts, s.marginChart())
	}
	f.Charts = append(f.Charts, s.weightChart(x, rounds))
	return f
}

// errorChart draws the errors of members and ensemble, with their bound.
func (s *Summary) errorChart(x figure.Scale, rounds []float64) figure.Chart {
	c := figure.Chart{X: x, Y: figure.Scale{Label: "fraction of the weight", Zero: true},
		Curves: []figure.Curve{{Name: s.errorWords(), X: rounds, Y: s.Error, Colour: 2,
			Style: figure.Marks}}}
	if s.Variant == "r2" || s.Variant == LogitBoost {
		c.Y.Label = s.errorWords()
	}
	if x.Log {
		c.Curves[0].Style = figure.Line
	}
	if s.Training != nil {
		c.Curves = append(c.Curves, figure.Curve{Name: "training error of the vote", X: rounds,
			Y: s.Training})
	}
	if v := s.validCurve(); v != nil && s.Training != nil {
		c.Curves = append(c.Curves, figure.Curve{Name: "validation error",
			X: figure.Places(v.Rounds), Y: v.Values, Colour: 5})
	}
	if s.Bound != nil {
		c.Curves = append(c.Curves, figure.Curve{Name: "its bound", X: rounds, Y: s.Bound,
			Style: figure.Dashes, Colour: 1})
	}
	return c
}

// marginChart draws the distribution of margins after some of the rounds.
func (s *Summary) marginChart() figure.Chart {
	c := figure.Chart{X: figure.Scale{Label: "margin"},
		Y: figure.Scale{Label: "fraction of rows up to it", Zero: true}}
	for i, g := range s.Margins {
		curve := figure.Curve{Name: "after " + humanize.Count(g.Rounds, "round", "rounds"),
			Y: g.Upto, Colour: i}
		for k := range g.Upto {
			curve.X = append(curve.X, MarginAt(k))
		}
		c.Curves = append(c.Curves, curve)
	}
	return c
}

// weightChart draws the weights of the rows.
func (s *Summary) weightChart(x figure.Scale, rounds []float64) figure.Chart {
	if len(s.RowWeights) == 0 {
		return figure.Chart{X: x, Y: figure.Scale{Label: "effective rows", Zero: true},
			Curves: []figure.Curve{{X: rounds, Y: s.Effective, Colour: 3}}}
	}
	c := figure.Chart{X: figure.Scale{Label: "row"},
		Y: figure.Scale{Label: "weight before the round", Zero: true}}
	step := max(1, (len(s.RowWeights)+mostWeightCurves-1)/mostWeightCurves)
	for n := 0; n < len(s.RowWeights); n += step {
		curve := figure.Curve{Name: fmt.Sprintf("round %d", n+1), Y: s.RowWeights[n],
			Colour: n / step, Style: figure.LineMarks}
		if curve.X = figure.Places(figure.UpTo(len(curve.Y))); len(curve.Y) > figure.LogFrom {
			curve.Style = figure.Line
		}
		c.Curves = append(c.Curves, curve)
	}
	return c
}
