package committee

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/model"
)

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

// Describe lists slopes and intercepts, sharpness and temperature, or corners.
func (c *Calibrated) Describe() model.Description {
	base := c.Base.Describe()
	d := model.Description{Title: "method",
		Words: "none: probabilities are those of " + c.Base.Spec().Learner,
		Facts: []model.Fact{{Name: "base", Text: base.String()}}, Leaves: base.Leaves,
		Table: c.table(), Content: c.content(),
		Obstacle: c.obstacle()}
	if c.Method == NoCurves {
		return d
	}
	d.Words = fmt.Sprintf("%s, %s around %s", c.Method,
		humanize.Count(len(c.Calibrators), "calibrator", "calibrators"), c.Base.Spec().Learner)
	if n := c.corners(); n > 0 {
		d.Words += fmt.Sprintf(", %d corners", n)
	}
	return d
}

// obstacle says what the model adds to its base: calibration, a threshold, costs. All are named
// with their flags, because a model that is trained without the first alone still has the others.
func (c *Calibrated) obstacle() string {
	var has, flags []string
	add := func(is bool, what, flag string) {
		if is {
			has, flags = append(has, what), append(flags, flag)
		}
	}
	d := &c.Meta.Decision
	add(c.Method != NoCurves, "probabilities that are calibrated by "+c.Method.String(), "{calibrate}")
	add(d.Threshold != 0, "a threshold that decides the class", "{threshold-for}")
	add(d.Costs != nil, "costs that decide the class", "{costs}")
	if has == nil {
		return "is wrapped in the learner calibrate (train its base alone)"
	}
	return fmt.Sprintf("has %s (train without %s)", humanize.And(has), option.Expand(humanize.And(flags)))
}

// Children returns the model that is calibrated.
func (c *Calibrated) Children() []model.Child {
	return []model.Child{{Role: model.Base, Model: c.Base, Weight: 1}}
}

// table lists the calibrators, nil where there are none.
func (c *Calibrated) table() *model.Table {
	var t *model.Table
	for i := range c.Calibrators {
		u, class := &c.Calibrators[i], humanize.Name(c.class(i))
		switch c.Method {
		case Platt:
			if t == nil {
				t = model.NewTable("class", "slope", "intercept")
			}
			t.Add(class, humanize.Metric(u.Slope), humanize.Metric(u.Intercept))
		case Temperature:
			t = model.NewTable("class", "sharpness", "temperature")
			t.Add(class, humanize.Metric(u.Slope), humanize.Metric(1/u.Slope))
		case Isotonic:
			if t == nil {
				t = model.NewTable("class", "probability", "becomes")
			}
			for k := range u.At {
				t.Add(class, humanize.Metric(u.At[k]), humanize.Metric(u.Value[k]))
			}
		}
	}
	return t
}

// content is the method and the calibrators, for JSON.
func (c *Calibrated) content() any {
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
		Calibrators []calibrator `json:"calibrators"`
	}{c.Method.String(), c.Base.Spec().Learner, all}
}
