package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/report/plot"
)

// shownClasses is the number of classes whose curves are drawn.
const shownClasses = 8

// curvesShown returns the curves of the classes with the most rows, in the order of the classes.
func curvesShown(all []curve) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(all[b].Positive, all[a].Positive)
	})
	order = order[:min(shownClasses, len(order))]
	slices.Sort(order)
	return order
}

// rates are the places of a curve: what all four charts are made of, from the lowest threshold up.
type rates struct{ recall, fpr, precision, part, lift []float64 }

func (c *curve) rates() rates {
	r := rates{}
	all := c.Positive + c.Negative
	add := func(tp, fp float64) {
		precision := tp / (tp + fp)
		r.recall, r.fpr = append(r.recall, tp/c.Positive), append(r.fpr, fp/c.Negative)
		r.precision, r.part = append(r.precision, precision), append(r.part, (tp+fp)/all)
		r.lift = append(r.lift, precision/(c.Positive/all))
	}
	add(c.Positive, c.Negative)
	for i := range c.Thresholds {
		add(c.TP[i], c.FP[i])
	}
	return r
}

// curveFigures draws ROC, precision and recall, gain and lift.
func curveFigures(all []curve) piece {
	const part = "fraction of rows, most probable first"
	diagonal := figure.Layer{X: []float64{0, 1}, Y: []float64{0, 1}, Colour: svg.Faded, Width: 10,
		Dashed: true, Still: true}
	one := diagonal
	one.Y = []float64{1, 1}
	unit := func(label string) figure.Side { return figure.Side{Label: label, High: 1} }
	charts := []struct {
		title, words string
		panel        figure.Panel
		of           func(r *rates) (x, y []float64)
	}{
		{"ROC curve", "Recall against the false positive rate",
			figure.Panel{X: unit("false positive rate"), Y: unit("recall"), Layers: []figure.Layer{diagonal}},
			func(r *rates) (x, y []float64) { return r.fpr, r.recall }},
		{"Precision and recall", "Precision against recall",
			figure.Panel{X: unit("recall"), Y: unit("precision")},
			func(r *rates) (x, y []float64) { return r.recall, r.precision }},
		{"Gain", "Recall against the fraction of rows with the highest probabilities",
			figure.Panel{X: unit(part), Y: unit("recall"), Layers: []figure.Layer{diagonal}},
			func(r *rates) (x, y []float64) { return r.part, r.recall }},
		{"Lift", "How many times more rows of the class are among the most probable rows than among all",
			figure.Panel{X: unit(part), Y: figure.Side{Label: "lift", Zero: true}, Layers: []figure.Layer{one}},
			func(r *rates) (x, y []float64) { return r.part, r.lift }},
	}
	var drawn []captioned
	for _, c := range charts {
		c.panel.Label = c.words + ", by class."
		for _, k := range curvesShown(all) {
			r := all[k].rates()
			x, y := c.of(&r)
			l := figure.Layer{Name: all[k].Class, Colour: svg.ClassColour(k), X: x, Y: y}
			if len(all) == 1 {
				l.Name, c.panel.Label = "", c.words+" of class "+all[k].Class+"."
			}
			c.panel.Layers = append(c.panel.Layers, l)
		}
		drawn = append(drawn, figureOf(c.title, &c.panel))
	}
	return figures(drawn...)
}

// reliability draws frequencies against probabilities, as the command does.
func reliability(c *eval.Calibration) captioned {
	return figureOf(fmt.Sprintf("Calibration: expected error %s", numberWords(number(c.ECE), 3)),
		plot.PanelOf(&plot.Reliability(c).Charts[0]))
}
