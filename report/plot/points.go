package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/svg"
)

// fewPoints is the number of rows up to which their marks are large.
const fewPoints = 40

// points draws the rows. Those of great weight are drawn first, so that others lie on them, and
// those that are misclassified last.
func (r *regions) points(e *evaluated, x, y *axis, s ramp) {
	right, up := r.Data.Columns[r.columns[0]].Numbers(), r.Data.Columns[r.columns[1]].Numbers()
	labels := r.numbers()
	marks := make([]mark, len(r.rows))
	for i, row := range r.rows {
		m := mark{x: x.at(right[row]), y: y.at(up[row])}
		m.fill, m.edge, m.size = svg.Tint(svg.Faded, 70), svg.White, 1
		switch {
		case r.Data.Target.Class != nil:
			m.shape = int(r.Data.Target.Class[row])
			m.fill = svg.ClassColour(m.shape)
		case labels != nil && !e.adds:
			m.fill, m.edge = s.at(labels[row]), svg.Ink
		}
		if e.wrong != nil && e.wrong[i] {
			m.edge = svg.Ink
		}
		switch {
		case len(r.rows) <= fewPoints:
			m.size = 1.6
		case len(r.views) > 3:
			m.size = 0.8
		}
		if e.weights != nil {
			m.size *= max(0.35, min(4, math.Sqrt(e.weights[row])))
		}
		marks[i] = m
	}
	slices.SortStableFunc(marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(b.edge, a.edge),
			cmp.Compare(a.shape, b.shape))
	})
	drawMarks(r.Pen, marks)
}

// mark is a point that stands for a row.
type mark struct {
	x, y svg.Tenths
	markStyle
}

// markStyle is how a mark looks.
type markStyle struct {
	shape      int
	fill, edge svg.Colour
	size       float64 // 1 = that of dot
}

// drawMarks draws marks in their order, those of one style that follow each other as one path. A
// dark edge is wider than a white one, which stands behind all marks of its path.
func drawMarks(out *svg.Pen, marks []mark) {
	for i := 0; i < len(marks); {
		style, from := marks[i].markStyle, i
		width, more := 0.8, ` paint-order="stroke"`
		if style.edge != svg.White {
			width, more = 1.4, ""
		}
		if style.size != 1 {
			more += fmt.Sprintf(" transform=\"scale(%.2f)\"", style.size)
		}
		fmt.Fprintf(out, "<path%s fill=\"%s\" stroke=\"%s\" stroke-width=\"%.2f\" d=\"", more,
			style.fill, style.edge, width/style.size)
		for ; i < len(marks) && (i == from || marks[i].markStyle == style); i++ {
			fmt.Fprintf(out, "M%v %v%s", scaled(marks[i].x, style.size),
				scaled(marks[i].y, style.size), shapes[style.shape%len(shapes)])
		}
		out.WriteString("\"/>\n")
	}
}

// scaled returns a place where a scale that is written with two digits moves it to the given one.
func scaled(at svg.Tenths, size float64) svg.Tenths {
	return svg.Tenths(math.Round(float64(at) / (math.Round(100*size) / 100)))
}
