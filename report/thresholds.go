package report

import (
	"fmt"
	"math"
)

// thresholds is how rows of two classes are labeled by thresholds on a probability. A script makes
// a slider of the whole curve, which changes the first row of the table.
type thresholds struct {
	curve
	Own int `json:"own"` // the place of the threshold of the model
}

// shownThresholds is the number of equal steps between the thresholds of the table.
const shownThresholds = 10

// newThresholds returns the table of a curve for a model with a threshold.
func newThresholds(c *curve, own number) *thresholds {
	return &thresholds{*c, c.nearest(float64(own))}
}

// nearest returns the place of the threshold that is next to a number.
func (c *curve) nearest(to float64) int {
	best := 0
	for i, t := range c.Thresholds {
		if math.Abs(float64(t)-to) < math.Abs(float64(c.Thresholds[best])-to) {
			best = i
		}
	}
	return best
}

func (t *thresholds) table() piece {
	g := &grid{Caption: "Rows by decision threshold; the first line is that of the model",
		Class: "thresholds"}
	for _, name := range []string{"threshold", "precision", "recall", "false positive rate", "accuracy",
		"F1", "true positives", "false positives", "false negatives", "true negatives"} {
		g.Columns = append(g.Columns, column{Name: name, Class: "number"})
	}
	g.Rows = append(g.Rows, t.line(t.Own))
	for k := 1; k < shownThresholds; k++ {
		if at := t.nearest(float64(k) / shownThresholds); at != t.Own {
			g.Rows = append(g.Rows, t.line(at))
		}
	}
	for i := range g.Rows[0] {
		g.Rows[0][i].Mark = i == 0
	}
	return table(g)
}

// line returns the cells of a threshold, in which what is not defined is a dash.
func (c *curve) line(i int) []cell {
	tp, fp := c.TP[i], c.FP[i]
	fn, tn := c.Positive-tp, c.Negative-fp
	line := []cell{text(numberWords(c.Thresholds[i], 4))}
	for _, v := range []float64{tp / (tp + fp), tp / (tp + fn), fp / (fp + tn),
		(tp + tn) / (c.Positive + c.Negative), float64(2*tp) / (float64(2*tp) + fp + fn)} {
		words := "–"
		if !math.IsNaN(v) {
			words = fmt.Sprintf("%.3f", v)
		}
		line = append(line, text(words))
	}
	for _, v := range []float64{tp, fp, fn, tn} {
		line = append(line, text(numberWords(number(v), 4)))
	}
	return line
}
