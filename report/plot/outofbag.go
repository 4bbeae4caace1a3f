package plot

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/oob"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/model"
)

// ErrNoCurve is returned for a report without the error of any number of members.
var ErrNoCurve = errors.New("no out-of-bag error to draw")

// errorCurve is the picture of the error out of the bag.
type errorCurve struct {
	page
	curve *oob.Curve
	label string
}

// OutOfBag draws the error out of the bag over the number of members of an ensemble, as its
// training reported it: of classes the error rate, else the mean squared error. The thin line is
// the error of all members. From more than 40 members on, their number is placed by its logarithm.
func OutOfBag(w io.Writer, s *model.Spec, r *oob.Report) error {
	c := &r.Curve
	n := len(c.Members)
	if n == 0 || len(c.Error) != n || len(c.Rows) != n || c.Members[0] < 1 ||
		slices.ContainsFunc(c.Error, func(x float64) bool { return !finite(x) }) {
		return ErrNoCurve
	}
	p := &errorCurve{curve: c, label: "mean squared error"}
	if s.Task.Classes() {
		p.label = "error rate"
	}
	p.title = "Out-of-bag error against the number of members"
	if s.Label != "" {
		p.title = s.Label + ": out-of-bag error against the number of members"
	}
	p.subtitle = fmt.Sprintf("Each of %s is predicted by the members that were not trained on "+
		"it. With %s the error is %s (thin line).",
		humanize.Count(c.Rows[n-1], "row", "rows"),
		humanize.Count(c.Members[n-1], "member", "members"), humanize.Number(c.Error[n-1], 4))
	if c.Rows[0] < c.Rows[n-1] {
		p.notes = append(p.notes, fmt.Sprintf("The first error is of the %s that one member "+
			"leaves out; rows that no member leaves out so far are in no error.",
			humanize.Count(c.Rows[0], "row", "rows")))
	}
	if r.Settled {
		p.notes = append(p.notes, "Training stopped because the error had settled.")
	}
	if r.Optimistic {
		p.notes = append(p.notes, "The error is too low: the members were fitted to the rows "+
			"that they leave out, as by pruning.")
	}
	return p.write(w, p.draw)
}

func (p *errorCurve) draw(f frame) {
	c := p.curve
	last := len(c.Members) - 1
	most := slices.Max(c.Members)
	x, y := countAxis(most), heightAxis(slices.Max(c.Error))
	g := f.inner(&x, &y, true)
	p.grid(g, &y)
	p.axes(g, &x, &y, "members", p.label)
	p.line(svg.Tenths(10*g.x), y.at(c.Error[last]), svg.Tenths(10*(g.x+g.w)), y.at(c.Error[last]),
		svg.OkabeIto[0], 10, "")
	var places []place
	for i, n := range c.Members {
		places = append(places, place{x.at(float64(n)), y.at(c.Error[i])})
	}
	stroke(p.Pen, places, svg.OkabeIto[0], 25, "")
	if len(places) > mostDots {
		return
	}
	for _, at := range places {
		dot(p.Pen, at.x, at.y, 0, svg.OkabeIto[0], svg.White)
	}
}
