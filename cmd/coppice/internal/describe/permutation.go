package describe

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// PermutationCaption names the importance by permutation that a model stores.
func PermutationCaption(p *model.Permutation) plot.ImportanceCaption {
	set := p.Set + " set"
	if p.UsedFor != "" {
		set += " (used for " + p.UsedFor + ")"
	}
	change := "drop"
	if !p.Higher {
		change = "increase"
	}
	change += " of " + metric.Words(p.Metric)
	return plot.ImportanceCaption{Label: change, Errors: "the mean of the repeats",
		What: fmt.Sprintf("By permutation on the %s: %s (%s unpermuted), mean of %s, %s",
			set, change, humanize.Metric(p.Value),
			humanize.Count(p.Repeats, "repeat", "repeats"),
			humanize.Count(p.Rows, "row", "rows"))}
}

// PrintPermutation prints the importance by permutation that a model stores, at most limit columns;
// 0 = all.
func PrintPermutation(c *cli.Console, p *model.Permutation, limit int) {
	if p == nil {
		return
	}
	c.Printf("\n")
	c.Text(importanceHead(PermutationCaption(p)))
	g := cli.Grid{Columns: []cli.Column{{Name: "permuted"}, {Name: metric.Words(p.Metric), Right: true},
		{Name: "± se", Right: true}, {}}}
	unused := 0
	for i := range p.Columns {
		one := &p.Columns[i]
		if one.Drop == 0 && one.StdError == 0 {
			unused++
			continue
		}
		if limit > 0 && len(g.Rows) >= limit && one.Columns == nil {
			continue
		}
		bar := ""
		if one.Drop > 0 {
			bar = strings.Repeat("█", int(math.Round(one.Drop/p.Columns[0].Drop*reportedWidth)))
		}
		g.Add(humanize.Name(one.Name), humanize.Metric(one.Drop), humanize.Metric(one.StdError),
			bar)
	}
	g.Print(c.Out)
	if unused > 0 {
		c.Printf("%s: permuting changes nothing\n",
			humanize.Count(unused, "other column", "other columns"))
	}
}
