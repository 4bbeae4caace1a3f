package show

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/oob"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// The points of a curve that are printed: all of the first few numbers of members, then so many for
// each time that the number doubles, and the last.
const (
	curveFirst  = 4
	curveOctave = 4
)

// The size of the chart of a curve, in characters.
const (
	chartColumns = 64
	chartLines   = 12
)

// showCurve shows the out-of-bag error over the number of members. For a boosted model it shows the
// metrics over its rounds.
func (o *command) showCurve(path string, m model.Model) error {
	if b := describe.AdaBoost(m.Spec()); b != nil {
		return o.showBoost(path, m.Spec(), b)
	}
	if r := describe.Rounds(m.Spec()); r != nil {
		return o.showRounds(path, m.Spec(), r)
	}
	r := describe.OutOfBag(m.Spec())
	if r == nil || len(r.Curve.Members) == 0 {
		return noCurve(path, m)
	}
	return o.FileFlag.Write(o.Console, func(w io.Writer) error {
		out := *o.Console
		out.Out = w
		switch {
		case o.JSONFlag.JSON:
			return out.JSON(r.Curve)
		case o.format == "svg":
			return (*plot.Figure)(catalog.Training(m).History.Figure).Write(w)
		}
		out.Printf("Out-of-bag error (%s) over the number of members.\n\n", describe.OutOfBagMetric(m.Spec()))
		c := cli.Chart{X: r.Curve.Members, Y: r.Curve.Error, Columns: chartColumns, Lines: chartLines}
		out.Printf("%s\n\n", strings.Join(c.Draw(), "\n"))
		printCurve(&out, &r.Curve)
		return nil
	})
}

// noCurve is the error of a model whose training kept no curve: why, and where there are some.
func noCurve(path string, m model.Model) error {
	spec := m.Spec()
	l, err := catalog.New(spec.Learner)
	if err == nil && len(spec.Params) > 0 {
		err = l.Params().UnmarshalJSON(spec.Params)
	}
	if err == nil && l.Capabilities().OutOfBag {
		why := l.Capabilities().NoneOut
		if why == nil {
			why = errors.New("training kept none")
		}
		return fmt.Errorf("%s: there is no out-of-bag error to show: %w", path, why)
	}
	member := ""
	if n := len(describe.Members(m)); n > 0 {
		member = fmt.Sprintf(" (--member N shows that of one of %s)", humanize.Count(n, "member", "members"))
	}
	return fmt.Errorf("%s: a model of learner %s stores no learning curve%s: %s store the out-of-bag error, and %s the metrics over the rounds",
		path, spec.Learner, member, humanize.And(models.LearnersThat(models.LeavesRowsOut)), humanize.And(models.LearnersThat(models.TrainsInRounds)))
}

// printCurve prints some points of a curve, with bars from 0 up.
func printCurve(c *cli.Console, curve *oob.Curve) {
	most := slices.Max(curve.Error)
	g := cli.Grid{Columns: append(cli.Numbers("members", "rows", "error"), cli.Column{})}
	last := len(curve.Members) - 1
	for i, n := range curve.Members {
		if i != last && !printedPoint(n) {
			continue
		}
		bar := ""
		if most > 0 {
			bar = strings.Repeat("█", int(math.Round(curve.Error[i]/most*describe.BarWidth)))
		}
		g.Add(strconv.Itoa(n), strconv.Itoa(curve.Rows[i]), humanize.Metric(curve.Error[i]), bar)
	}
	g.Print(c.Out)
}

// printedPoint reports whether the point of n members is printed, be it the last or not.
func printedPoint(n int) bool {
	step := 1
	for n/step >= 2*curveOctave {
		step *= 2
	}
	return n <= curveFirst || n%step == 0
}
