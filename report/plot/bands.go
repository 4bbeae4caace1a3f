package plot

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/model"
)

// band is a region of one colour: where a function of the plane is above 0. Bands are painted one
// over the other.
type band struct {
	fill  svg.Colour
	line  bool      // its edge is the border between two classes
	above []float64 // by point of the lattice; nil = all over
}

// classBands returns the bands of a function that has the probabilities of all classes: of each
// class the region where it is predicted, deeper in steps where its probability is higher. A class
// covers those before it where it is preferred to all of them.
func classBands(values []float64, classes int, d *model.Decision) []band {
	const depths = 5
	n := len(values) / classes
	beats := make([]float64, n) // by how much a class is preferred to those before it
	ranked := make([]float64, len(values))
	for i := range n {
		preferences(ranked[i*classes:(i+1)*classes], values[i*classes:(i+1)*classes], d)
	}
	var all []band
	for k := range classes {
		for i := range n {
			beats[i] = math.Inf(1)
			for c := range k {
				beats[i] = min(beats[i], ranked[i*classes+k]-ranked[i*classes+c])
			}
		}
		for depth := range depths {
			b := band{fill: svg.Tint(svg.ClassColour(k), 15+6*depth), line: k > 0 && depth == 0}
			if k > 0 || depth > 0 {
				b.above = make([]float64, n)
			}
			for i := range b.above {
				b.above[i] = beats[i]
				if depth > 0 {
					chance := 1 / float64(classes)
					p := (values[i*classes+k] - chance) / (1 - chance)
					b.above[i] = min(b.above[i], p-float64(depth)/depths)
				}
			}
			all = append(all, b)
		}
	}
	return all
}

// preferences writes numbers of which the class of the largest is predicted, of equal ones the
// first. They are the probabilities, unless a threshold or costs decide.
func preferences(dst, response []float64, d *model.Decision) {
	copy(dst, response)
	switch {
	case d.Threshold != 0 && d.FirstPositive: // at the threshold itself the second is predicted
		dst[0], dst[1] = 0, math.Nextafter(d.Threshold, 2)-response[0]
	case d.Threshold != 0:
		dst[0], dst[1] = 0, response[1]-d.Threshold
	case d.Costs != nil:
		for c := range dst {
			dst[c] = 0
			for truth, p := range response {
				dst[c] -= float64(p * d.Costs.Of(truth, c))
			}
		}
	}
}

// numberBands returns the bands of a function of numbers between levels.
func numberBands(values []float64, levels []float64, r ramp) []band {
	at := func(i int) float64 { // a number between two levels
		switch {
		case len(levels) == 0: // of a constant
			return mean(r.low, r.high)
		case i == 0:
			return mean(r.low, levels[0])
		case i == len(levels):
			return mean(levels[i-1], r.high)
		}
		return mean(levels[i-1], levels[i])
	}
	all := []band{{fill: r.at(at(0))}}
	for k, level := range levels {
		b := band{fill: r.at(at(k + 1)), line: true, above: make([]float64, len(values))}
		for i, v := range values {
			b.above[i] = v - level
		}
		all = append(all, b)
	}
	return all
}

// paint fills the bands of a lattice between two axes.
func (p *page) paint(l *lattice, x, y *axis, bands []band, edge string) {
	right, up := make([]svg.Tenths, len(l.x)), make([]svg.Tenths, len(l.y))
	for i, v := range l.x {
		right[i] = x.at(v)
	}
	for i, v := range l.y {
		up[i] = y.at(v)
	}
	for i := range bands {
		b := &bands[i]
		var area, line strings.Builder
		switch {
		case b.above == nil:
			rectangle(&area, right[0], up[0], right[len(right)-1], up[len(up)-1])
		case l.steps:
			blocks(&area, right, up, b.above)
		default:
			contour(&area, &line, right, up, b.above)
		}
		if area.Len() > 0 {
			fmt.Fprintf(p, "<path d=\"%s\" fill=\"%s\"/>\n", area.String(), b.fill)
		}
		if b.line && line.Len() > 0 {
			fmt.Fprintf(p, "<path d=\"%s\" fill=\"none\"%s/>\n", line.String(), edge)
		}
	}
}

// rectangle adds a rectangle to path data.
func rectangle(to *strings.Builder, x1, y1, x2, y2 svg.Tenths) {
	fmt.Fprintf(to, "M%v %vH%vV%vH%vz", x1, y1, x2, y2, x1)
}

// blocks adds the cells in which a step function is above 0: rows of them as rectangles, which are
// one where they lie above each other.
func blocks(to *strings.Builder, x, y []svg.Tenths, above []float64) {
	type run struct{ from, to, row int }
	var open []run
	w := len(x) - 1
	for row := range len(y) {
		var here []run
		if row < len(y)-1 {
			for i := 0; i < w; i++ {
				if from := i; above[row*w+i] > 0 {
					for i < w && above[row*w+i] > 0 {
						i++
					}
					here = append(here, run{from, i, row})
				}
			}
		}
		next := 0
		for _, o := range open {
			for next < len(here) && here[next].from < o.from {
				next++
			}
			if next < len(here) && here[next].from == o.from && here[next].to == o.to {
				here[next].row = o.row
				continue
			}
			rectangle(to, x[o.from], y[o.row], x[o.to], y[row])
		}
		open = here
	}
}

// contour adds the region in which a function that is known at the corners of cells is above 0, and
// the line that bounds it. Between corners the function is taken for straight.
func contour(area, line *strings.Builder, x, y []svg.Tenths, above []float64) {
	w := len(x)
	for j := range len(y) - 1 {
		for i := 0; i < w-1; i++ {
			full := i
			for full < w-1 && inside(above, w, full, j) == 4 {
				full++
			}
			if full > i {
				rectangle(area, x[i], y[j], x[full], y[j+1])
				if i = full; i == w-1 {
					break
				}
			}
			if inside(above, w, i, j) > 0 {
				corner(area, line, x[i:i+2], y[j:j+2],
					[4]float64{above[j*w+i], above[j*w+i+1], above[(j+1)*w+i+1], above[(j+1)*w+i]})
			}
		}
	}
}

// inside returns how many corners of a cell have a value above 0.
func inside(above []float64, w, i, j int) int {
	n := 0
	for _, at := range [4]int{j*w + i, j*w + i + 1, (j+1)*w + i + 1, (j+1)*w + i} {
		if above[at] > 0 {
			n++
		}
	}
	return n
}

// corner adds what of one cell is above 0, and the piece of the line in it.
func corner(area, line *strings.Builder, x, y []svg.Tenths, v [4]float64) {
	at := [4]place{{x[0], y[0]}, {x[1], y[0]}, {x[1], y[1]}, {x[0], y[1]}}
	var region, crossed []place
	for k := range at {
		next := (k + 1) % 4
		if v[k] > 0 {
			region = append(region, at[k])
		}
		if v[k] > 0 != (v[next] > 0) {
			c := between(at[k], at[next], v[k], v[next])
			region, crossed = append(region, c), append(crossed, c)
		}
	}
	area.WriteString(path(region) + "z")
	for k := 0; k+1 < len(crossed); k += 2 {
		line.WriteString(path(crossed[k : k+2]))
	}
}

// between returns where a straight function is 0 between two places; infinite values are large.
func between(a, b place, va, vb float64) place {
	va, vb = max(-1e300, min(va, 1e300)), max(-1e300, min(vb, 1e300))
	f := float64(va/2) / (float64(va/2) - float64(vb/2))
	along := func(from, to svg.Tenths) svg.Tenths {
		return from + svg.Tenths(math.Round(float64(to-from)*f))
	}
	return place{along(a.x, b.x), along(a.y, b.y)}
}
