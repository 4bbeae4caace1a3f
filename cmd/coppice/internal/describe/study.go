package describe

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// PrintStudy prints the best trials of the search that chose a model's settings; nothing if there
// was none.
func PrintStudy(c *cli.Console, s *model.Study) {
	if s == nil {
		return
	}
	g := cli.Grid{Columns: []cli.Column{{Name: "trial", Right: true}, {Name: "learner"},
		{Name: metric.Words(s.Metric), Right: true}, {Name: "settings"}}}
	for _, t := range s.Best {
		settings := strings.Join(t.Settings, " ")
		if settings == "" {
			settings = "the defaults"
		}
		g.Add(fmt.Sprint(t.Trial), t.Learner, humanize.Metric(t.Mean), settings)
	}
	c.Printf("\nThe best of %s on %d folds. Their means are optimistic: these tests chose them.\n\n",
		humanize.Count(s.Trials, "trial", "trials"), s.Folds)
	g.Print(c.Out)
	if s.Defaults {
		c.Printf("\nThe model has the settings of trial 0: the gain of the best was noise.\n")
	}
}
