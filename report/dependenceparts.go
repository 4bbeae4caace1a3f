package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
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
	words += "An axis ends where few values or single rows follow, and a mark says up to where they " +
		"reach."
	var charts []captioned
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
func (r *dependenceReport) panel(f *featureDependence) *figure.Panel {
	label := "prediction"
	switch {
	case r.Classes && r.First >= 0:
		label = "probability of " + r.Outputs[r.First]
	case r.Classes:
		label = "probability"
	case r.Outputs[0] != "":
		label = r.Outputs[0]
	}
	p := &figure.Panel{Y: r.predicted(f, label)}
	if f.names == nil {
		p.X, p.Y.Label = f.of.alongGrid(f.values), strings.NewReplacer("◂", "▾", "▸", "▴").Replace(p.Y.Label)
	} else {
		p.X, p.Y = p.Y, figure.Side{Names: f.names}
		p.Height = 90 + 22*len(f.names)
	}
	p.Label = fmt.Sprintf("Partial dependence of the %s on %s.", label, f.of.name)
	each := figure.Layer{Colour: svg.Faded, Width: 8, Faint: true, Still: true}
	for k, line := range f.Each {
		from := len(each.X)
		r.add(&each, f, p, f.values, f.names, line)
		if f.names != nil { // dots of single rows stand beside each other
			for i := range each.Y[from:] {
				each.Y[from+i] += float64(spread * (float64(k)/float64(len(f.Each)) - 0.5))
			}
		}
		each.X, each.Y = append(each.X, math.NaN()), append(each.Y, math.NaN())
	}
	mean := figure.Layer{Name: "partial dependence", Colour: svg.Below, Width: 24}
	if r.First >= 0 {
		p.Layers = append(p.Layers, each)
		if f.Local != nil {
			local := figure.Layer{Name: "accumulated local effect", Colour: svg.Above, Width: 20}
			r.add(&local, f, p, f.at, f.atNames, f.Local[r.First])
			p.Layers = append(p.Layers, local)
		}
		r.add(&mean, f, p, f.values, f.names, f.Mean[r.First])
		p.Layers = append(p.Layers, mean)
	} else {
		for k := range min(shownClasses, len(f.Mean)) {
			l := figure.Layer{Name: r.Outputs[k], Colour: svg.ClassColour(k)}
			r.add(&l, f, p, f.values, f.names, f.Mean[k])
			p.Layers = append(p.Layers, l)
		}
	}
	for i := range p.Layers {
		if l := &p.Layers[i]; f.names != nil {
			if l.Kind = figure.Dots; l.Still {
				l.Width = 20
			} else {
				l.Width = 75
			}
		}
	}
	return p
}

// outerRows is the part of single rows at both ends whose curves do not make an axis longer.
const outerRows = 0.1

// predicted returns the axis of predictions. It holds the means of all rows, and the curves of
// single rows but for the outer ones, where these reach farther by half.
func (r *dependenceReport) predicted(f *featureDependence, label string) figure.Side {
	s, each := figure.Side{Label: label}, finiteOf(slices.Concat(f.Each...))
	if len(each) == 0 {
		return s
	}
	low, high := quantile(each, outerRows), quantile(each, 1-outerRows)
	means := finiteOf(f.Mean[r.First])
	if f.Local != nil {
		means = append(means, finiteOf(f.Local[r.First])...)
	}
	for _, v := range means {
		low, high = min(low, v), max(high, v)
	}
	from, to := min(low, each[0]), max(high, each[len(each)-1])
	if low < high && (low-from)+(to-high) > float64(farValues*(high-low)) {
		narrow(&s, low, high, from, to, func(v float64) string { return humanize.Number(v, 4) })
	}
	return s
}

// finiteOf returns the finite numbers of a list, ascending.
func finiteOf(list []number) []float64 {
	f := feature{values: floats(list)}
	return f.known()
}

// add adds the values of a line to a layer.
func (r *dependenceReport) add(
	l *figure.Layer, f *featureDependence, p *figure.Panel, values []float64, names []string,
	line []number,
) {
	if names == nil {
		cx, cy := clip(values, floats(line), p.X)
		cy, cx = clip(cy, cx, p.Y)
		l.X, l.Y = append(l.X, cx...), append(l.Y, cy...)
		return
	}
	for i, name := range names {
		at, v := slices.Index(f.names, name), float64(line[i])
		if at >= 0 && (!(p.X.Low < p.X.High) || v >= p.X.Low && v <= p.X.High) {
			l.X, l.Y = append(l.X, v), append(l.Y, float64(at))
		}
	}
}
