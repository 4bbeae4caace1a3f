package cv

import (
	"fmt"
	"io"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/report/plot"
)

// direction returns which values of a metric are better.
func direction(higher bool) string {
	if higher {
		return "higher is better"
	}
	return "lower is better"
}

// tests describes how many tests there were.
func (r *comparisonReport) tests() string {
	text := fmt.Sprintf("%d folds, %s, seed %d", r.Folds, r.Plan, r.Seed)
	text += tables.LeftOutWords(r.LeftOut)
	if r.Repeats > 1 {
		text = fmt.Sprintf("%d x %s", r.Repeats, text)
	}
	return text
}

func (o *comparison) print(r *comparisonReport, p *tables.Problem, paths []string) {
	o.Facts(p.Facts(paths)...)
	o.Facts(
		cli.Fact{Name: "tests", Text: r.tests()},
		cli.Fact{Name: "metric", Text: metric.Words(r.Metric) + ", " + direction(r.Higher)},
	)
	g := cli.Grid{Columns: append([]cli.Column{{Name: "learner"}}, cli.Numbers(metric.Words(r.Metric),
		"95 % interval", "rank", "behind", "95 % interval", "p", "train", "predict")...)}
	for _, l := range r.Learners {
		g.Add(row(&l)...)
	}
	o.Printf("\n")
	g.Print(o.Out)
	if slices.ContainsFunc(r.Learners, func(l eval.Compared) bool { return l.Value == nil }) {
		o.Printf("\nThe tests of a learner without a mean include one where %s is undefined.\n",
			metric.Words(r.Metric))
	}
	o.printOthers(r)
}

// row is the line of a learner.
func row(l *eval.Compared) []string {
	cells := []string{l.Name, "-", "-", "-", "-", "-", "-"}
	if l.Value != nil {
		cells[1], cells[2] = humanize.Metric(l.Value.Mean), interval(l.Value)
		cells[3] = fmt.Sprintf("%.2f", *l.Rank)
	}
	if l.Behind != nil {
		cells[4], cells[5] = humanize.Metric(l.Behind.Mean), interval(l.Behind)
		cells[6] = humanize.Number(l.Behind.P, 2)
	}
	return append(cells, seconds(l.TrainSeconds), seconds(l.PredictSeconds))
}

func interval(c *eval.Corrected) string {
	return humanize.Metric(c.Low) + " to " + humanize.Metric(c.High)
}

// printOthers prints the means of the other metrics.
func (o *comparison) printOthers(r *comparisonReport) {
	var names, words []string
	for _, s := range r.Learners[0].Summary {
		if s.Name != r.Metric {
			names = append(names, s.Name)
			words = append(words, metric.Words(s.Name))
		}
	}
	if len(names) == 0 {
		return
	}
	g := cli.Grid{Columns: append([]cli.Column{{Name: "means"}}, cli.Numbers(words...)...)}
	for _, l := range r.Learners {
		cells := []string{l.Name}
		for _, name := range names {
			text := "-"
			for _, s := range l.Summary {
				if s.Name == name {
					text = humanize.Metric(s.Mean)
				}
			}
			cells = append(cells, text)
		}
		g.Add(cells...)
	}
	o.Printf("\n")
	g.Print(o.Out)
}

// draw writes the picture, if the flags name a file.
func (o *comparison) draw(r *comparisonReport) error {
	if o.FileFlag.Path == "" {
		return nil
	}
	caption := plot.IntervalCaption{
		Title:    fmt.Sprintf("%s: %s", r.Label, humanize.Count(len(r.Learners), "learner", "learners")),
		Subtitle: fmt.Sprintf("Means of %s over %s.", metric.Words(r.Metric), r.tests()),
		Label:    metric.Words(r.Metric) + ", " + direction(r.Higher),
		Notes: []string{"Lines are 95 % intervals of the mean, corrected for tests that overlap " +
			"(Nadeau & Bengio 2003)."},
	}
	var all []plot.Interval
	for _, l := range r.Learners {
		if l.Value != nil {
			all = append(all, plot.Interval{Name: l.Name, Value: l.Value.Mean, Low: l.Value.Low,
				High: l.Value.High})
		}
	}
	return o.FileFlag.Write(o.Console, func(w io.Writer) error {
		return plot.Intervals(w, caption, all)
	})
}

// seconds writes a time with its unit.
func seconds(s float64) string {
	if s < 1 {
		return humanize.Number(1000*s, 2) + " ms"
	}
	return humanize.Number(s, 3) + " s"
}
