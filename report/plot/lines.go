package plot

import (
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/svg"
)

// traced is a view along the line.
type traced struct {
	*view
	lattice
	values []float64
	width  int
}

// trace evaluates views along the line of one column.
func (r *regions) trace(views []*view, x *axis) ([]*traced, error) {
	var all []*traced
	for _, v := range views {
		t := &traced{view: v, lattice: r.lattice(v, r.columns, x, nil)}
		p, err := r.probe(v, r.columns, r.fixed)
		if err != nil {
			return nil, err
		}
		t.width = p.predictor.Width()
		if t.values, err = p.predict(t.places(t.x), []float64{0}); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// curve returns an output of a view as a line; steps are level over their cells.
func (t *traced) curve(output int, x, y *axis) []place {
	var line []place
	for i := range len(t.values) / t.width {
		if math.IsNaN(t.values[i*t.width+output]) {
			continue
		}
		at := y.at(t.values[i*t.width+output])
		line = append(line, place{x.at(t.x[i]), at})
		if t.steps {
			line = append(line, place{x.at(t.x[i+1]), at})
		}
	}
	return line
}

// writeLine draws the views along the line of one column.
func (r *regions) writeLine(w io.Writer) error {
	r.thin(mostPoints)
	r.words()
	x := r.axisOf(0, 9)
	x.from, x.to = 80, pageWidth-margin-8
	front, err := r.trace(r.views, &x)
	if err != nil {
		return err
	}
	behind, err := r.trace(r.behind, &x)
	if err != nil {
		return err
	}
	if front[0].classes() {
		return r.writeProbabilities(w, x, front, behind)
	}
	return r.writeNumbers(w, x, front, behind)
}

// memberColour is that of single members behind an ensemble.
var memberColour = svg.Tint(svg.Faded, 45)

// behindEntry is the entry of single members in the legend.
func behindEntry() entry { return entry{lineSample(memberColour, ""), "single members"} }

// writeNumbers draws functions that are numbers, and the points.
func (r *regions) writeNumbers(w io.Writer, x axis, front, behind []*traced) error {
	var heights []float64
	for _, t := range slices.Concat(front, behind) {
		heights = append(heights, t.values...)
	}
	labels := r.numbers()
	if front[0].adds {
		labels = nil
	}
	for _, row := range r.rows {
		if labels != nil {
			heights = append(heights, labels[row])
		}
	}
	y := span(heights)
	y.mark(7)
	if labels != nil {
		r.legend = append(r.legend, entry{dotSample(0, pointColour, svg.White), "rows of the table"})
	}
	if len(behind) > 0 {
		r.legend = append(r.legend, behindEntry())
	}
	for i, t := range front {
		name := t.title
		if name == "" {
			name = "prediction"
		}
		r.legend = append(r.legend, entry{lineSample(r.lineColour(i), ""), name})
	}
	return r.write(w, func(f frame) {
		g := f.inner(&x, &y, true)
		r.grid(g, &y)
		label := r.label()
		if front[0].adds {
			label = "added to the score"
		}
		r.axes(g, &x, &y, r.name(0), label)
		values := r.Data.Columns[r.columns[0]].Numbers()
		for _, t := range behind {
			stroke(r.Pen, t.curve(0, &x, &y), memberColour, 8, "")
		}
		for _, row := range r.rows {
			if labels != nil {
				dot(r.Pen, x.at(values[row]), y.at(labels[row]), 0, pointColour, svg.White)
			}
		}
		for i, t := range front {
			stroke(r.Pen, t.curve(0, &x, &y), r.lineColour(i), 26, "")
		}
	})
}

// lineColour is that of one of several curves.
func (r *regions) lineColour(i int) svg.Colour {
	if len(r.views) == 1 {
		return svg.Above
	}
	return svg.ClassColour(i)
}

// laneHeight is the height of the strip in which the rows of a class lie, in pixels.
const laneHeight = 20

// writeProbabilities draws the probabilities of classes, and above them the rows of each class in a
// lane. Several views, as of rounds, are drawn for the positive class of two alone. The curves of
// single members are grey for two classes, and pale in the colour of their class for more.
func (r *regions) writeProbabilities(w io.Writer, x axis, front, behind []*traced) error {
	spec := r.Spec
	only := spec.Positive()
	if len(front) > 1 && only < 0 {
		front = front[len(front)-1:]
		r.notes = append(r.notes, "Of three classes and more the curves of the last round are "+
			"drawn alone.")
	}
	label := "probability"
	if only >= 0 {
		label = "probability of " + spec.Classes[only]
	}
	r.legend = r.classLegend()
	if len(behind) > 0 {
		r.legend = append(r.legend, behindEntry())
	}
	for i, t := range front {
		if only >= 0 {
			name := t.title
			if name == "" {
				name = label
			}
			r.legend = append(r.legend,
				entry{lineSample(r.rankColour(i, only), ""), name})
		}
	}
	y := axis{low: 0, high: 1}
	y.mark(6)
	return r.write(w, func(f frame) {
		lanes := len(spec.Classes) * laneHeight
		lanes = min(lanes, f.h/2)
		under := frame{f.x, f.y + lanes + 6, f.w, f.h - lanes - 6}
		g := under.inner(&x, &y, true)
		r.grid(g, &y)
		r.axes(g, &x, &y, r.name(0), label)
		r.lanes(frame{g.x, f.y, g.w, lanes}, &x)
		for _, t := range behind {
			if only < 0 {
				for k := range min(t.width, len(spec.Classes)) {
					stroke(r.Pen, t.curve(k, &x, &y), svg.Tint(svg.ClassColour(k), 50), 8, "")
				}
			} else if t.width > only {
				stroke(r.Pen, t.curve(only, &x, &y), memberColour, 8, "")
			}
		}
		for i, t := range front {
			if only >= 0 {
				stroke(r.Pen, t.curve(only, &x, &y), r.rankColour(i, only), 26, "")
				continue
			}
			for k := range spec.Classes {
				stroke(r.Pen, t.curve(k, &x, &y), svg.ClassColour(k), 26, "")
			}
		}
	})
}

// rankColour is that of the curve of one of several views: one alone has the colour of its class.
func (r *regions) rankColour(i, class int) svg.Colour {
	if len(r.views) == 1 {
		return svg.ClassColour(class)
	}
	return svg.ClassColour(i + 2)
}

// lanes draws the rows of each class in a lane of their own.
func (r *regions) lanes(f frame, x *axis) {
	values, n := r.Data.Columns[r.columns[0]].Numbers(), len(r.Spec.Classes)
	h := float64(10*f.h) / float64(n)
	for i, row := range r.rows {
		k := int(r.Data.Target.Class[row])
		y := float64(10*f.y) + float64(h*(float64(k)+0.15+float64(0.7*scatter(i))))
		dot(r.Pen, x.at(values[row]), svg.Tenths(y), k, svg.ClassColour(k), svg.White)
	}
}

// scatter spreads the numbers from 0 up evenly over 0 to 1: the fraction of their multiples of the
// golden ratio, in integers.
func scatter(i int) float64 { return float64(uint32(i)*2654435769>>8) / (1 << 24) }
