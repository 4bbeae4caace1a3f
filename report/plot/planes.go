package plot

import (
	"fmt"
	"github.com/coppice-ml/coppice/internal/svg"
	"io"
	"math"
	"slices"
)

// evaluated is a view over the plane.
type evaluated struct {
	*view
	lattice
	values []float64 // as the predictor writes them
	wrong  []bool    // by place in the rows drawn; nil = no class is predicted
}

// writePlane draws the views over the plane of two columns.
func (r *regions) writePlane(w io.Writer) error {
	r.thin(mostPoints / len(r.views))
	r.words()
	x, y := r.axisOf(0, 9), r.axisOf(1, 7)
	// where the panels lie decides how many points of the plane are evaluated
	g := grid{n: len(r.views)}
	g.layOut(frame{margin, 107, pageWidth - 2*margin, 360}, &y)
	g.place(0, &x, &y)
	all := make([]*evaluated, len(r.views))
	for i, v := range r.views {
		e := &evaluated{view: v, lattice: r.lattice(v, r.columns, &x, &y)}
		p, err := r.probe(v, r.columns, r.fixed)
		if err != nil {
			return err
		}
		if e.values, err = p.predict(e.places(e.x), e.places(e.y)); err != nil {
			return err
		}
		if e.wrong, err = r.wrong(v); err != nil {
			return err
		}
		all[i] = e
	}
	scale, levels := r.scale(all)
	r.planeLegend(all[0], scale)
	if all[0].wrong != nil && !r.weighed {
		r.notes = append(r.notes, "Points with a dark edge are misclassified.")
	}
	return r.write(w, func(f frame) {
		g.layOut(f, &y)
		for i, e := range all {
			r.panel(&g, i, e, x, y, scale, levels)
		}
	})
}

// planeLegend explains colours.
func (r *regions) planeLegend(e *evaluated, scale ramp) {
	r.legend = r.classLegend()
	if !e.classes() {
		r.legend = append(scale.legend(), r.legend...)
	}
}

// scale returns the colours of numbers, and the levels of their lines.
func (r *regions) scale(all []*evaluated) (ramp, []float64) {
	if all[0].classes() {
		return ramp{}, nil
	}
	var values []float64
	for _, e := range all {
		values = append(values, e.values...)
	}
	values = slices.DeleteFunc(values, func(v float64) bool { return !finite(v) })
	if len(values) == 0 {
		values = []float64{0}
	}
	s := ramp{low: slices.Min(values), high: slices.Max(values)}
	switch labels := r.numbers(); {
	case all[0].adds:
		s.high = max(math.Abs(s.low), math.Abs(s.high))
		s.low = -s.high
	case labels != nil:
		s.ref = median(labels)
		s.low, s.high = min(s.low, slices.Min(labels)), max(s.high, slices.Max(labels))
	default:
		s.ref = median(values)
	}
	levels := axis{low: s.low, high: s.high}
	if s.low < s.high {
		levels.mark(14)
	}
	var at []float64
	for _, t := range levels.ticks {
		if t.at > s.low && t.at < s.high {
			at = append(at, t.at)
		}
	}
	return s, at
}

// levelEdge is how the lines between bands are drawn.
const levelEdge = ` stroke="#ffffff" stroke-width="0.8" stroke-opacity="0.8"`

// panel draws one view.
func (r *regions) panel(g *grid, i int, e *evaluated, x, y axis, s ramp, levels []float64) {
	g.place(i, &x, &y)
	if e.title != "" {
		style := panelStyle
		if g.across > 3 {
			style.Size--
		}
		r.Text(style, x.from, y.to-8, "start", style.Fit(e.title, x.to-x.from))
	}
	edge := levelEdge
	var bands []band
	if e.classes() {
		edge = fmt.Sprintf(` stroke="%s" stroke-width="1"`, svg.Faded)
		bands = classBands(e.values, len(e.model.Spec().Classes), &e.model.Spec().Decision)
	} else {
		bands = numberBands(e.values, levels, s)
	}
	r.paint(&e.lattice, &x, &y, bands, edge)
	g.axes(&r.page, i, &x, &y, r.name(0), r.name(1))
	r.points(e, &x, &y, s)
}
