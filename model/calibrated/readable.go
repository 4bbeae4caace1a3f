package calibrated

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// Size is how many curves there are, and what the model around is.
func (c *Calibrated) Size() (name, words string) {
	if c.Method == None {
		return "calibrators", "none: probabilities are those of " + c.Base.Spec().Learner
	}
	words = fmt.Sprintf("%d (%s) around %s", len(c.Calibrators), c.Method, c.Base.Spec().Learner)
	if n := c.corners(); n > 0 {
		words += fmt.Sprintf(", %d corners", n)
	}
	return "curves", words
}

func (c *Calibrated) corners() int {
	n := 0
	for i := range c.Calibrators {
		n += len(c.Calibrators[i].At)
	}
	return n
}

// class returns the name of the class whose share a curve takes.
func (c *Calibrated) class(calibrator int) string {
	switch {
	case c.Method == Temperature:
		return "all"
	case len(c.Calibrators) == 1:
		return c.Meta.Classes[1]
	}
	return c.Meta.Classes[calibrator]
}

// Table lists slopes and intercepts, sharpness and temperature, or corners.
func (c *Calibrated) Table() (heading []string, rows [][]string) {
	switch c.Method {
	case Platt:
		heading = []string{"class", "slope", "intercept"}
	case Temperature:
		heading = []string{"class", "sharpness", "temperature"}
	case Isotonic:
		heading = []string{"class", "probability", "becomes"}
	}
	for i := range c.Calibrators {
		u := &c.Calibrators[i]
		switch c.Method {
		case Platt:
			rows = append(rows, []string{c.class(i), humanize.Metric(u.Slope), humanize.Metric(u.Intercept)})
		case Temperature:
			rows = append(rows, []string{c.class(i), humanize.Metric(u.Slope), humanize.Metric(1 / u.Slope)})
		case Isotonic:
			for k := range u.At {
				rows = append(rows, []string{c.class(i), humanize.Metric(u.At[k]), humanize.Metric(u.Value[k])})
			}
		}
	}
	return heading, rows
}

// Content is the method and the curves.
func (c *Calibrated) Content() any {
	type calibrator struct {
		Class     string    `json:"class"`
		Slope     float64   `json:"slope,omitempty"` // of temperature the sharpness, its inverse
		Intercept float64   `json:"intercept,omitempty"`
		At        []float64 `json:"at,omitempty"`
		Value     []float64 `json:"value,omitempty"`
	}
	all := []calibrator{}
	for i := range c.Calibrators {
		u := &c.Calibrators[i]
		all = append(all, calibrator{c.class(i), u.Slope, u.Intercept, u.At, u.Value})
	}
	return struct {
		Method      string       `json:"method"`
		Base        string       `json:"base"` // name of the learner
		Calibrators []calibrator `json:"curves"`
	}{c.Method.String(), c.Base.Spec().Learner, all}
}
