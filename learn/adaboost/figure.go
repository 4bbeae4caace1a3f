package adaboost

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// mostWeightCurves is the number of rounds whose weights are plotted row by row.
const mostWeightCurves = 4

// figure draws errors per round, the distribution of margins, and the weights round by round: of
// few rows each, else how many rows of equal weight they are worth.
func (s *Summary) figure(spec *model.Spec) *training.Figure {
	f := &training.Figure{Title: "Adaptive boosting, round by round",
		Subtitle: fmt.Sprintf("%s of %s over %s, on %s.",
			humanize.Count(s.Rounds, "round", "rounds"), s.Variant, humanize.Name(s.Base),
			humanize.Count(s.Rows, "row", "rows"))}
	if spec.Label != "" {
		f.Title = humanize.Name(spec.Label) + ": adaptive boosting, round by round"
	}
	x, rounds := training.Counts("round", s.Rounds), training.Places(training.UpTo(s.Rounds))
	f.Charts = append(f.Charts, s.errorChart(x, rounds))
	if v := s.validCurve(); v != nil && s.Training == nil { // in another unit than the errors
		f.Charts = append(f.Charts, training.Chart{X: x, Y: training.Scale{Label: v.Metric},
			Curves: []training.Curve{{Name: "validation " + v.Metric, X: training.Places(v.Rounds),
				Y: v.Values, Colour: 5}}})
	}
	if len(s.Margins) > 0 {
		f.Charts = append(f.Charts, s.marginChart())
	}
	f.Charts = append(f.Charts, s.weightChart(x, rounds))
	return f
}

// errorChart draws the errors of members and ensemble, with their bound.
func (s *Summary) errorChart(x training.Scale, rounds []float64) training.Chart {
	c := training.Chart{X: x, Y: training.Scale{Label: "fraction of the weight", Zero: true},
		Curves: []training.Curve{{Name: s.errorWords(), X: rounds, Y: s.Error, Colour: 2,
			Style: training.Marks}}}
	if s.Variant == "r2" || s.Variant == LogitBoost {
		c.Y.Label = s.errorWords()
	}
	if x.Log {
		c.Curves[0].Style = training.Line
	}
	if s.Training != nil {
		c.Curves = append(c.Curves, training.Curve{Name: "training error of the vote", X: rounds,
			Y: s.Training})
	}
	if v := s.validCurve(); v != nil && s.Training != nil {
		c.Curves = append(c.Curves, training.Curve{Name: "validation error",
			X: training.Places(v.Rounds), Y: v.Values, Colour: 5})
	}
	if s.Bound != nil {
		c.Curves = append(c.Curves, training.Curve{Name: "its bound", X: rounds, Y: s.Bound,
			Style: training.Dashes, Colour: 1})
	}
	return c
}

// marginChart draws the distribution of margins after some of the rounds.
func (s *Summary) marginChart() training.Chart {
	c := training.Chart{X: training.Scale{Label: "margin"},
		Y: training.Scale{Label: "fraction of rows up to it", Zero: true}}
	for i, g := range s.Margins {
		curve := training.Curve{Name: "after " + humanize.Count(g.Rounds, "round", "rounds"),
			Y: g.Upto, Colour: i}
		for k := range g.Upto {
			curve.X = append(curve.X, MarginAt(k))
		}
		c.Curves = append(c.Curves, curve)
	}
	return c
}

// weightChart draws the weights of the rows.
func (s *Summary) weightChart(x training.Scale, rounds []float64) training.Chart {
	if len(s.RowWeights) == 0 {
		return training.Chart{X: x, Y: training.Scale{Label: "effective rows", Zero: true},
			Curves: []training.Curve{{X: rounds, Y: s.Effective, Colour: 3}}}
	}
	c := training.Chart{X: training.Scale{Label: "row"},
		Y: training.Scale{Label: "weight before the round", Zero: true}}
	step := max(1, (len(s.RowWeights)+mostWeightCurves-1)/mostWeightCurves)
	for n := 0; n < len(s.RowWeights); n += step {
		curve := training.Curve{Name: fmt.Sprintf("round %d", n+1), Y: s.RowWeights[n],
			Colour: n / step, Style: training.LineMarks}
		if curve.X = training.Places(training.UpTo(len(curve.Y))); len(curve.Y) > training.LogFrom {
			curve.Style = training.Line
		}
		c.Curves = append(c.Curves, curve)
	}
	return c
}
