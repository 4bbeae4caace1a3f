package describe

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// shownTrials is the most trials that are printed without -v.
const shownTrials = 5

// PrintStudy prints the best trials of the search that chose a model's settings; nothing if there
// was none.
func PrintStudy(c *cli.Console, s *model.Study) {
	if s == nil {
		return
	}
	g := cli.Grid{Columns: []cli.Column{{Name: "trial", Right: true}, {Name: "learner"},
		{Name: metric.Words(s.Metric), Right: true}, {Name: "settings"}}}
	shown := s.Best
	if !c.Verbose {
		shown = shown[:min(shownTrials, len(shown))]
	}
	for _, t := range shown {
		settings := strings.Join(t.Settings, " ")
		if settings == "" {
			settings = "the defaults"
		}
		g.Add(fmt.Sprint(t.Trial), t.Learner, humanize.Metric(t.Mean), settings)
	}
	c.Printf("\nThe best trials on %d folds. Their means are optimistic: these tests chose them.\n\n",
		s.Folds)
	g.Print(c.Out)
	if s.Defaults {
		c.Printf("\nThe model has the settings of trial 0: the gain of the best was noise.\n")
	}
}
