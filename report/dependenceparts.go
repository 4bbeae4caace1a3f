package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/report/plot"
)

func (r *dependenceReport) parts() []piece {
	words := fmt.Sprintf("Means over %d rows, for the strongest features. ", r.Rows)
	if lines := len(r.Features[0].Each); lines > 0 {
		words += fmt.Sprintf("Thin grey lines are %d single rows. ", lines)
	}
	if r.First >= 0 {
		words += "Accumulated local effects move each row only to near values, so they also hold " +
			"where features depend on each other. "
	}
	words += "An axis ends where few values follow, and a mark says up to where they reach."
	var charts []figure
	for i := range r.Features {
		f := &r.Features[i]
		charts = append(charts, figureOf(f.of.name, r.panel(f)))
	}
	parts := []piece{paragraph("%s", words), figures(charts...)}
	if n := len(r.Outputs); r.First < 0 && n > shownClasses {
		parts = append(parts, note("The first %d of %d classes are drawn.", shownClasses, n))
	}
	return parts
}

// panel draws the dependence on a feature: lines over its numbers, or a line of dots for each of
// its categories.
func (r *dependenceReport) panel(f *featureDependence) *plot.Panel {
	label := "prediction"
	switch {
	case r.Classes && r.First >= 0:
		label = "probability of " + r.Outputs[r.First]
	case r.Classes:
		label = "probability"
	case r.Outputs[0] != "":
		label = r.Outputs[0]
	}
	p := &plot.Panel{Y: plot.Side{Label: label}}
	if f.names == nil {
		p.X = f.of.alongGrid(f.values)
	} else {
		p.X, p.Y = plot.Side{Label: label}, plot.Side{Names: f.names}
		p.Height = 90 + 22*len(f.names)
	}
	p.Label = fmt.Sprintf("Partial dependence of the %s on %s.", label, f.of.name)
	each := plot.Layer{Colour: svg.Faded, Width: 8, Faint: true, Still: true}
	for _, line := range f.Each {
		r.add(&each, f, p.X, f.values, f.names, line)
		each.X, each.Y = append(each.X, math.NaN()), append(each.Y, math.NaN())
	}
	mean := plot.Layer{Name: "partial dependence", Colour: svg.Below, Width: 24}
	if r.First >= 0 {
		p.Layers = append(p.Layers, each)
		if f.Local != nil {
			local := plot.Layer{Name: "accumulated local effect", Colour: svg.Above, Width: 20}
			r.add(&local, f, p.X, f.at, f.atNames, f.Local[r.First])
			p.Layers = append(p.Layers, local)
		}
		r.add(&mean, f, p.X, f.values, f.names, f.Mean[r.First])
		p.Layers = append(p.Layers, mean)
	} else {
		for k := range min(shownClasses, len(f.Mean)) {
			l := plot.Layer{Name: r.Outputs[k], Colour: svg.ClassColour(k)}
			r.add(&l, f, p.X, f.values, f.names, f.Mean[k])
			p.Layers = append(p.Layers, l)
		}
	}
	for i := range p.Layers {
		if l := &p.Layers[i]; f.names != nil {
			if l.Kind = plot.Dots; l.Still {
				l.Width = 20
			} else {
				l.Width = 75
			}
		}
	}
	return p
}

// add adds the values of a line to a layer.
func (r *dependenceReport) add(
	l *plot.Layer, f *featureDependence, x plot.Side, values []float64, names []string, line []number,
) {
	if names == nil {
		cx, cy := clip(values, floats(line), x)
		l.X, l.Y = append(l.X, cx...), append(l.Y, cy...)
		return
	}
	for i, name := range names {
		if at := slices.Index(f.names, name); at >= 0 {
			l.X, l.Y = append(l.X, float64(line[i])), append(l.Y, float64(at))
		}
	}
}
