package command

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// printMetrics prints the metrics of several sets of rows side by side, or why there are none.
func printMetrics(c *console, sets setReports) {
	g := grid{columns: []column{{name: "metric"}}}
	for _, p := range sets {
		g.columns = append(g.columns, column{name: p.name, right: true})
	}
	for _, m := range metric.ForTask(sets[0].report.Task) {
		row := []string{m.Name}
		found := false
		for _, p := range sets {
			text := "-" // undefined on this set
			if v, ok := p.report.Metrics.Get(m.Name); ok {
				text, found = humanize.Metric(v), true
			}
			row = append(row, text)
		}
		if found {
			g.add(row...)
		}
	}
	if len(g.rows) == 0 {
		printNone(c, sets[0].report)
		return
	}
	g.print(c.out)
}

// printNone prints why there are no metrics.
func printNone(c *console, r *eval.Report) { c.printf("No metric has a value: %s.\n", r.Undefined) }

// A confusion matrix of more classes than these is printed as a list of its largest entries.
const (
	matrixClasses = 10
	matrixWidth   = 80 // of the names of all classes
	listedErrors  = 10
)

// printConfusion prints the confusion matrix, or its largest entries where there are many classes.
func printConfusion(c *console, m *eval.Confusion, where string) {
	if m == nil {
		return
	}
	if len(m.Classes) > matrixClasses {
		printConfused(c, m, where)
		return
	}
	width := min(max(matrixWidth/len(m.Classes), 6), 24)
	g := grid{columns: []column{{name: "true \\ predicted"}}}
	predicted := make([]int64, len(m.Classes))
	hits := make([]int64, len(m.Classes))
	for k, class := range m.Classes {
		g.columns = append(g.columns, column{name: humanize.Shorten(humanize.Name(class), width), right: true})
		hits[k] = m.Counts[k][k]
	}
	g.columns = append(g.columns, column{name: "recall", right: true})
	for k, class := range m.Classes {
		row := []string{humanize.Shorten(humanize.Name(class), 24)}
		sum := int64(0)
		for i, n := range m.Counts[k] {
			row = append(row, strconv.FormatInt(n, 10))
			sum += n
			predicted[i] += n
		}
		g.add(append(row, humanize.Ratio(hits[k], sum))...)
	}
	last := []string{"precision"}
	for k := range m.Classes {
		last = append(last, humanize.Ratio(hits[k], predicted[k]))
	}
	g.add(append(last, "")...)
	c.printf("\nconfusion, %s\n", where)
	g.print(c.out)
}

// printConfused lists the largest entries beside the diagonal.
func printConfused(c *console, m *eval.Confusion, where string) {
	type entry struct {
		is, taken int
		rows      int64
	}
	var entries []entry
	for is, counts := range m.Counts {
		for taken, n := range counts {
			if is != taken && n > 0 {
				entries = append(entries, entry{is, taken, n})
			}
		}
	}
	if len(entries) == 0 {
		return
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.rows, a.rows) })
	g := grid{columns: []column{{name: "true"}, {name: "predicted"}, {name: "rows", right: true}}}
	for _, e := range entries[:min(len(entries), listedErrors)] {
		g.add(humanize.Name(m.Classes[e.is]), humanize.Name(m.Classes[e.taken]), strconv.FormatInt(e.rows, 10))
	}
	c.printf("\nmost frequent confusions, %s\n", where)
	g.print(c.out)
	if more := len(entries) - listedErrors; more > 0 {
		c.printf("and %d more pairs of classes (--json prints all)\n", more)
	}
}

// importances returns the impurity importances of a model of trees, nil where there are none.
func importances(m model.Model) []explain.Importance {
	e, ok := m.(*model.Ensemble)
	if !ok {
		return nil
	}
	found, err := explain.Impurity(e)
	if errors.Is(err, explain.ErrNoStats) {
		return reportedImportances(m.Spec())
	}
	return found
}

// barWidth is the length of the bar of the largest importance.
const barWidth = 30

// importanceKind names what importances are fractions of.
func importanceKind(s *model.Spec) string {
	if s.Learner == gbm.Name {
		return gainName
	}
	return impurityName
}

// importanceCaption names importances that are fractions.
func importanceCaption(kind string) plot.ImportanceCaption {
	if kind == gainName {
		return plot.ImportanceCaption{What: "By gain: fraction of the decrease of the loss by splits in training", Label: "fraction of the gain"}
	}
	return plot.ImportanceCaption{What: "By impurity: fraction of the decrease of impurity by splits in training", Label: "fraction of the decrease of impurity"}
}

// printImportances prints the features that a model uses, and combinations of them, at most limit;
// 0 = all.
func printImportances(c *console, kind string, all []explain.Importance, limit int) {
	used := 0
	for used < len(all) && all[used].Value > 0 {
		used++
	}
	if used == 0 {
		return
	}
	g := grid{columns: []column{{name: "feature"}, {name: kind, right: true}, {}}}
	shown := used
	if limit > 0 {
		shown = min(used, limit)
	}
	for _, i := range all[:shown] {
		bar := strings.Repeat("█", max(1, int(math.Round(i.Value/all[0].Value*barWidth))))
		g.add(humanize.Name(i.Feature), humanize.Metric(i.Value), bar)
	}
	c.printf("\n%s\n", importanceHead(importanceCaption(kind)))
	g.print(c.out)
	features, combinations := featuresIn(all), 0
	for _, i := range all[:used] {
		combinations += min(1, len(i.Columns))
	}
	if used > shown || features.used < features.all {
		text := fmt.Sprintf("%d of %d features are used", features.used, features.all)
		if combinations > 0 {
			text += ", and " + humanize.Count(combinations, "combination", "combinations") + " of them"
		}
		c.printf("%s\n", text)
	}
}

// featuresIn counts features, and those that are used, by themselves or in a combination.
func featuresIn(all []explain.Importance) (n struct{ all, used int }) {
	within := map[string]bool{}
	for _, i := range all {
		if i.Value > 0 && i.Columns == nil {
			within[i.Feature] = true
		}
		for _, name := range i.Columns {
			within[name] = within[name] || i.Value > 0
		}
	}
	for _, i := range all {
		if i.Columns == nil {
			n.all++
			if within[i.Feature] {
				n.used++
			}
		}
	}
	return n
}
