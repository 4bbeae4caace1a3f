package describe

import (
	"fmt"
	"strings"
	"unicode/utf8"

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
	room := settingsRoom(s.Metric, shown)
	for _, t := range shown {
		settings := strings.Join(t.Settings, " ")
		switch {
		case settings == "":
			settings = "the defaults"
		case !c.Verbose:
			settings = cli.Fitting(t.Settings, " ", "more (-v)", room)
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

// settingsRoom is the most characters of settings that a line of the table has room for.
func settingsRoom(name string, trials []model.StudyTrial) int {
	const leastSettings = 40
	learner, value := len("learner"), len(metric.Words(name))
	for _, t := range trials {
		learner = max(learner, utf8.RuneCountInString(t.Learner))
		value = max(value, len(humanize.Metric(t.Mean)))
	}
	return max(leastSettings, cli.Width-len("trial")-learner-value-3*len("  "))
}
