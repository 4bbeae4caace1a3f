package plot

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/internal/svg"
)

// place is a point of the picture.
type place struct{ x, y svg.Tenths }

// path returns the places as SVG path data, joined by lines.
func path(places []place) string {
	var b strings.Builder
	for i, p := range places {
		switch {
		case i == 0:
			fmt.Fprintf(&b, "M%v %v", p.x, p.y)
		case p.y == places[i-1].y:
			fmt.Fprintf(&b, "H%v", p.x)
		case p.x == places[i-1].x:
			fmt.Fprintf(&b, "V%v", p.y)
		default:
			fmt.Fprintf(&b, "L%v %v", p.x, p.y)
		}
	}
	return b.String()
}

// stroke draws a line through places.
func stroke(out *svg.Pen, places []place, c svg.Colour, width svg.Tenths, more string) {
	fmt.Fprintf(out, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%v\" "+
		"stroke-linejoin=\"round\"%s/>\n", path(places), c, width, more)
}

// dashes distinguish lines where colours do not.
var dashes = [...]string{"", ` stroke-dasharray="8 4"`, ` stroke-dasharray="2 3"`,
	` stroke-dasharray="8 3 2 3"`}

// sample is what stands for a series in the legend.
type sample struct {
	width int                                 // in pixels
	draw  func(out *svg.Pen, x, y svg.Tenths) // around its middle
}

func lineSample(c svg.Colour, more string) sample {
	return sample{28,
		func(out *svg.Pen, x, y svg.Tenths) {
			stroke(out, []place{{x - 140, y}, {x + 140, y}}, c,
				30, more)
		}}
}

func boxSample(c svg.Colour) sample {
	return sample{14, func(out *svg.Pen, x, y svg.Tenths) {
		out.Rect(x-60, y-60, 120, 120, c, fmt.Sprintf(` rx="2" stroke="%s"`, svg.Border))
	}}
}

// The shapes of marks, which distinguish classes where colours do not, as path data from the middle
// of the mark.
var shapes = [...]string{
	"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", // circle
	"m-3.6-3.6h7.2v7.2h-7.2z",            // square
	"m0-5l4.7 8.2h-9.4z",                 // triangle
	"m0-5.2l5.2 5.2l-5.2 5.2l-5.2-5.2z",  // diamond
	"m0 5l4.7-8.2h-9.4z",                 // triangle that stands on its tip
}

// dot draws a mark with a thin edge.
func dot(out *svg.Pen, x, y svg.Tenths, shape int, fill, edge svg.Colour) {
	fmt.Fprintf(out, "<path d=\"M%v %v%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"0.8\"/>\n", x,
		y, shapes[shape%len(shapes)], fill, edge)
}

func dotSample(shape int, fill, edge svg.Colour) sample {
	return sample{14, func(out *svg.Pen, x, y svg.Tenths) { dot(out, x, y, shape, fill, edge) }}
}
