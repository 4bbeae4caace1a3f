package plot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/model"
)

// Bar is how much one column matters, or several together.
type Bar struct {
	Name     string
	Value    float64 // may be below 0
	StdError float64 // its standard error; 0 = none is known
}

// mostBars is the largest number of bars in a picture of importances.
const mostBars = 20

// ErrNoBars is returned where there is nothing to draw.
var ErrNoBars = errors.New("no importances to draw")

// importances is the picture of importances.
type importances struct {
	page
	bars  []Bar
	label string
}

// ImportanceCaption names which importance a picture shows.
type ImportanceCaption struct {
	What   string // the kind and the rows: a clause that begins with a capital letter
	Label  string // of the axis
	Errors string // what standard errors are of, as in "the mean of the trees"; "" = there are none
}

// Importances draws the largest 20 importances as bars, the largest first, with a line from
// one standard error below to one above where it is known.
func Importances(w io.Writer, s *model.Spec, caption ImportanceCaption, all []Bar) error {
	bars := slices.DeleteFunc(slices.Clone(all),
		func(b Bar) bool { return !finite(b.Value-b.StdError) || !finite(b.Value+b.StdError) })
	if len(bars) == 0 {
		return ErrNoBars
	}
	slices.SortStableFunc(bars, func(a, b Bar) int { return cmp.Compare(b.Value, a.Value) })
	p := &importances{bars: bars[:min(mostBars, len(bars))], label: caption.Label}
	p.title = "Feature importance"
	if s.Label != "" {
		p.title = s.Label + ": feature importance"
	}
	p.subtitle = caption.What + "."
	if slices.ContainsFunc(p.bars, func(b Bar) bool { return b.StdError > 0 }) {
		p.notes = append(p.notes, fmt.Sprintf("Lines across the ends of bars go from one "+
			"standard error of %s below to one above.", caption.Errors))
	}
	if more := len(bars) - len(p.bars); more > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d smaller ones are left out.", more))
	}
	return p.write(w, p.draw)
}

// leastRange is the range of values below which all are drawn as 0: halves of smaller numbers are
// not exact.
const leastRange = 1e-300

// nameSpace is the most that the names of columns take of the width.
const nameSpace = 260

func (p *importances) draw(f frame) {
	x := axis{}
	names, numbers := 0, 0
	for _, b := range p.bars {
		x.low, x.high = min(x.low, b.Value-b.StdError), max(x.high, b.Value+b.StdError)
		names, numbers = max(names, labelStyle.Width(b.Name)),
			max(numbers, tickStyle.Width(humanize.Number(b.Value, 3)))
	}
	names = min(names, nameSpace)
	if !(x.high-x.low > leastRange) {
		x.high = 1
	}
	x.mark(8)
	g := frame{f.x + names + 14, f.y + 4, f.w - names - 14 - numbers - 12,
		f.h - 4 - tickSpace - labelSpace}
	x.from, x.to = g.x, g.x+g.w
	x.thin()
	for _, t := range x.ticks {
		p.line(x.at(t.at), svg.Tenths(10*g.y), x.at(t.at), svg.Tenths(10*(g.y+g.h)),
			gridLine, 10, "")
	}
	p.axes(g, &x, &axis{}, p.label, "")
	step := svg.Tenths(10*g.h) / svg.Tenths(max(8, len(p.bars)))
	for i, b := range p.bars {
		p.bar(b, f, &x, g, svg.Tenths(10*g.y)+svg.Tenths(i)*step, step)
	}
	p.line(x.at(0), svg.Tenths(10*g.y), x.at(0), svg.Tenths(10*(g.y+g.h)), svg.Faded, 10, "")
}

// bar draws a bar of the given height from top down, with the column's name and the value beside
// it.
func (p *importances) bar(b Bar, f frame, x *axis, g frame, top, height svg.Tenths) {
	from, to := x.at(min(0, b.Value)), x.at(max(0, b.Value))
	colour := svg.Below
	if b.Value < 0 {
		colour = svg.Above
	}
	p.Rect(from, top+height/8, max(to-from, 5), height*3/4, svg.Tint(colour, 65), "")
	middle := top + height/2
	end := x.at(b.Value)
	if b.StdError > 0 {
		low, high := x.at(b.Value-b.StdError), x.at(b.Value+b.StdError)
		p.line(low, middle, high, middle, svg.Ink, 15, "")
		for _, at := range []svg.Tenths{low, high} {
			p.line(at, middle-35, at, middle+35, svg.Ink, 15, "")
		}
		end = high
	}
	line := int(middle+45) / 10
	p.Text(labelStyle, g.x-10, line, "end", labelStyle.Fit(b.Name, nameSpace))
	p.Text(tickStyle, int(max(end, x.at(0)))/10+6, line, "start", humanize.Number(b.Value, 3))
}
