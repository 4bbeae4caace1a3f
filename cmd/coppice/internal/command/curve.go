package command

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/learn/oob"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// The points of a curve that are printed: all of the first few numbers of members, then so many for each time that the
// number doubles, and the last.
const (
	curveFirst  = 4
	curveOctave = 4
)

// The size of the chart of a curve, in characters.
const (
	chartColumns = 64
	chartLines   = 12
)

// showCurve shows the error out of the bag over the number of members, of a boosted model what was measured over its rounds.
func (o *showCommand) showCurve(path string, m model.Model) error {
	if b := boostOf(m.Spec()); b != nil {
		return o.showBoost(path, m.Spec(), b)
	}
	if r := roundsOf(m.Spec()); r != nil {
		return o.showRounds(path, m.Spec(), r)
	}
	r := outOfBagOf(m.Spec())
	if r == nil || len(r.Curve.Members) == 0 {
		return fmt.Errorf("%s: training kept no out-of-bag error: use a learner that draws rows, such as forest or bag", path)
	}
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		switch {
		case o.jsonFlag.json:
			return out.json(r.Curve)
		case o.format == "svg":
			return plot.OutOfBag(w, m.Spec(), r)
		}
		out.printf("Out-of-bag error (%s) over the number of members.\n\n", lossWords(m.Spec()))
		c := chart{r.Curve.Members, r.Curve.Error, chartColumns, chartLines}
		out.printf("%s\n\n", strings.Join(c.draw(), "\n"))
		printCurve(&out, &r.Curve)
		return nil
	})
}

// lossWords says what errors out of the bag are.
func lossWords(s *model.Spec) string {
	if s.Task.Classes() {
		return "share of wrong classes"
	}
	return "mean squared error"
}

// printCurve prints some points of a curve, with bars from 0 up.
func printCurve(c *console, curve *oob.Curve) {
	most := slices.Max(curve.Error)
	g := grid{columns: append(numbers("members", "rows", "error"), column{})}
	last := len(curve.Members) - 1
	for i, n := range curve.Members {
		if i != last && !printedPoint(n) {
			continue
		}
		bar := ""
		if most > 0 {
			bar = strings.Repeat("█", int(math.Round(curve.Error[i]/most*barWidth)))
		}
		g.add(strconv.Itoa(n), strconv.Itoa(curve.Rows[i]), measure(curve.Error[i]), bar)
	}
	g.print(c.out)
}

// printedPoint tells whether the point of n members is printed, be it the last or not.
func printedPoint(n int) bool {
	step := 1
	for n/step >= 2*curveOctave {
		step *= 2
	}
	return n <= curveFirst || n%step == 0
}
