package evaluate

import (
	"fmt"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/report"
)

func printDifferences(c *cli.Console, all []eval.Difference) {
	if all == nil {
		return
	}
	g := cli.Grid{Columns: append([]cli.Column{{Name: "metric"}},
		cli.Numbers("A", "B", "B - A", "95 % interval", "p")...)}
	g.Columns = append(g.Columns, cli.Column{})
	for _, d := range all {
		verdict := ""
		if d.Low > 0 || d.High < 0 {
			verdict = map[bool]string{true: "B is better", false: "A is better"}[d.B > d.A == d.Higher]
		}
		g.Add(metric.Words(d.Name), humanize.Number(d.A, 4), humanize.Number(d.B, 4), fmt.Sprintf("%+.4f", d.B-d.A),
			fmt.Sprintf("%+.4f to %+.4f", d.Low, d.High), humanize.Number(d.P, 2), verdict)
	}
	c.Printf("\n")
	g.Print(c.Out)
}

func printSlices(c *cli.Console, all []report.Slice) {
	if all == nil {
		return
	}
	g := cli.Grid{Columns: append(cli.Numbers("rows", "mean difference"), cli.Column{Name: "where"})}
	for _, s := range all {
		g.Add(fmt.Sprint(s.Rows), humanize.Number(s.Mean, 4), s.Rule)
	}
	c.Printf("\n")
	g.Print(c.Out)
}

// shownImportances is how many features are printed; --json has all.
const shownImportances = 10

func printImportances(c *cli.Console, all []report.Importance) {
	if len(all) == 0 {
		return
	}
	g := cli.Grid{Columns: append([]cli.Column{{Name: "importance by gain"}},
		cli.Numbers("A", "B")...)}
	for _, i := range all[:min(shownImportances, len(all))] {
		g.Add(humanize.Name(i.Feature), fmt.Sprintf("%.4f", i.A), fmt.Sprintf("%.4f", i.B))
	}
	if left := len(all) - shownImportances; left > 0 {
		g.Add(humanize.Count(left, "other feature", "other features"), "", "")
	}
	c.Printf("\n")
	g.Print(c.Out)
}
