package cv

import (
	"fmt"
	"io"
	"slices"
	"strings"

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

func (o *comparison) print(r *comparisonReport) {
	for _, line := range r.answer() {
		o.Text(line)
	}
	if r.Test != nil {
		o.Text(testWords(humanize.Name(r.Learners[0].Name), r.Test))
	}
	o.Printf("\n")
	o.Facts(o.facts...)
	o.Facts(
		cli.Fact{Name: "tests", Text: r.tests()},
		cli.Fact{Name: "metric", Text: metric.Words(r.Metric) + ", " + direction(r.Higher)},
	)
	o.Printf("\n")
	r.grid(o.Verbose).Print(o.Out)
	if slices.ContainsFunc(r.Learners, func(l eval.Compared) bool { return l.Value == nil }) {
		o.Printf("\nThe tests of a learner without a mean include one where %s is undefined.\n",
			metric.Words(r.Metric))
	}
	if o.Verbose {
		o.printOthers(r)
	}
}

// Limits of the sentence about learners.
const (
	mostNamed = 4    // learners
	clear     = 0.05 // the greatest p of a difference that is clear
)

// answer is the result in a sentence, and which differences the tests do not show, in another one.
func (r *comparisonReport) answer() []string {
	best := &r.Learners[0]
	name := metric.Words(r.Metric)
	if best.Value == nil {
		return []string{fmt.Sprintf("No learner can be ranked: %s is undefined in a test.", name)}
	}
	var worse, unclear, without []string
	for i := range r.Learners[1:] {
		l := &r.Learners[1+i]
		if l.Behind == nil {
			without = append(without, humanize.Name(l.Name))
			continue
		}
		text := fmt.Sprintf("%s by %s (p = %s)", humanize.Name(l.Name),
			humanize.Number(max(0, l.Behind.Mean), 3), probability(l.Behind.P))
		if len(worse) == 0 {
			text = strings.Replace(text, " by ", " is worse by ", 1)
		}
		worse = append(worse, text)
		if !(l.Behind.P < clear) {
			unclear = append(unclear, humanize.Name(l.Name))
		}
	}
	text := fmt.Sprintf("%s is best, %s %s", humanize.Name(best.Name), name,
		humanize.Metric(best.Value.Mean))
	if len(worse) > mostNamed {
		worse = append(worse[:mostNamed-1], fmt.Sprintf("%d more", len(worse)-mostNamed+1))
	}
	if len(worse) > 0 {
		text += "; " + humanize.And(worse)
	}
	if len(without) > 0 {
		text += "; " + humanize.And(without) + " cannot be ranked"
	}
	lines := []string{text + "."}
	if len(unclear) > 0 && len(unclear) <= mostNamed {
		lines = append(lines, fmt.Sprintf("These tests do not separate %s from %s (p above %s).",
			humanize.And(unclear), humanize.Name(best.Name), humanize.Number(clear, 2)))
	}
	return lines
}

// probability writes a p-value.
func probability(p float64) string {
	if p < 1e-4 {
		return "0.0001 or less"
	}
	return humanize.Number(p, 2)
}

// grid has a line for each learner, with all details or the main ones.
func (r *comparisonReport) grid(details bool) *cli.Grid {
	names := []string{metric.Words(r.Metric), "95 % interval", "worse by", "p", "train", "predict"}
	if details {
		names = slices.Insert(names, 3, "its interval")
		names = append(names, "rank")
	}
	g := &cli.Grid{Columns: append([]cli.Column{{Name: "learner"}}, cli.Numbers(names...)...)}
	for i := range r.Learners {
		l := &r.Learners[i]
		cells := []string{l.Name, "-", "-", "-", "-", seconds(l.TrainSeconds), seconds(l.PredictSeconds)}
		rank, behind := "-", "-"
		if l.Value != nil {
			cells[1], cells[2] = humanize.Metric(l.Value.Mean), interval(l.Value)
			rank = fmt.Sprintf("%.2f", *l.Rank)
		}
		if l.Behind != nil {
			cells[3], cells[4] = humanize.Metric(l.Behind.Mean), humanize.Number(l.Behind.P, 2)
			behind = interval(l.Behind)
		}
		if details {
			cells = append(slices.Insert(cells, 4, behind), rank)
		}
		g.Add(cells...)
	}
	return g
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
