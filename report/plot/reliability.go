package plot

import (
	"fmt"

	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// Reliability returns the picture of a calibration: how frequent what is predicted is, against the
// predicted fraction, with standard errors; the diagonal is a well calibrated model. Beside it
// stands how many rows each bin has.
func Reliability(c *eval.Calibration) *Figure {
	fraction, what := "predicted probability of "+c.Class, "rows of "+c.Class
	if c.Class == "" {
		fraction, what = "largest predicted probability", "rows whose class it is"
	}
	kept := Curve{Name: "a well calibrated model", X: []float64{0, 1}, Y: []float64{0, 1},
		Style: Dashes, Colour: 1}
	found := Curve{Name: "this model", Style: LineMarks}
	rows := Curve{Style: LineMarks, Colour: 2}
	for i := range c.Bins {
		b := &c.Bins[i]
		rows.X, rows.Y = append(rows.X, (b.From+b.To)/2), append(rows.Y, float64(b.Rows))
		if b.Weight > 0 {
			found.X, found.Y, found.Bar = append(found.X, b.Probability),
				append(found.Y, b.Frequency), append(found.Bar, b.Error())
		}
	}
	return &Figure{Title: "Reliability diagram",
		Subtitle: "Above the diagonal the model is underconfident, below it overconfident.",
		Notes: []string{fmt.Sprintf("Expected calibration error %s, largest error of a bin %s, "+
			"Brier score %s; %d bins of equal width, with standard errors.",
			humanize.Metric(c.ECE), humanize.Metric(c.MCE), humanize.Metric(c.Brier), len(c.Bins))},
		Charts: []Chart{
			{X: Scale{Label: fraction, Zero: true},
				Y: Scale{Label: "fraction of " + what, Zero: true}, Curves: []Curve{kept, found}},
			{X: Scale{Label: fraction, Zero: true}, Y: Scale{Label: "rows in the bin", Zero: true},
				Curves: []Curve{rows}},
		}}
}
