package describe

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// Undefined is printed for a metric of rankings that has no value on a set of rows.
const Undefined = "undefined"

// PrintMetrics prints the metrics of several sets of rows side by side, and of rankings the number
// of queries that count; or the reason why there are none.
func PrintMetrics(c *cli.Console, sets MetricSets) {
	g := cli.Grid{Columns: []cli.Column{{Name: "metric"}}}
	for _, p := range sets {
		g.Columns = append(g.Columns, cli.Column{Name: p.Name, Right: true})
	}
	for _, m := range metric.ForTask(sets[0].Report.Task) {
		row := []string{metric.Words(m.Name)}
		found := false
		for _, p := range sets {
			text := "-" // undefined on this set
			if v, ok := p.Report.Metrics.Get(m.Name); ok {
				text, found = humanize.Metric(v), true
			} else if p.Report.Queries != nil {
				text = Undefined
			}
			row = append(row, text)
		}
		if found || sets[0].Report.Queries != nil {
			g.Add(row...)
		}
	}
	if len(g.Rows) == 0 {
		PrintNoMetrics(c, sets[0].Report)
		return
	}
	if sets[0].Report.Queries != nil {
		row := []string{"queries"}
		for _, p := range sets {
			row = append(row, Queries(p.Report.Queries))
		}
		g.Add(row...)
	}
	g.Print(c.Out)
	for _, p := range sets {
		if q := p.Report.Queries; q != nil && q.Counted == 0 {
			c.Printf("%s: %s.\n", p.Name, p.Report.Undefined)
		}
	}
}

// Queries prints how many queries of a ranking count, as in "2 of 3".
func Queries(q *metric.Queries) string {
	if q == nil {
		return "-"
	}
	return strconv.Itoa(q.Counted) + " of " + strconv.Itoa(q.All)
}

// PrintNoMetrics prints the reason why a report has no metrics.
func PrintNoMetrics(c *cli.Console, r *eval.Report) {
	c.Printf("No metric has a value: %s.\n", r.Undefined)
}

// The limits of a printed confusion matrix. One of more classes is a list of its largest entries.
const (
	matrixClasses = 10
	matrixWidth   = 80 // characters for the names of all classes
	listedErrors  = 10
)

// The most classes that PrintClasses lists. Of more it lists those with the least F1.
const listedClasses = 30

// PrintClasses prints precision, recall, F1 and AUC of each of several classes, and their means.
func PrintClasses(c *cli.Console, r *eval.Report) {
	if r.Classes == nil {
		return
	}
	listed := r.Classes
	if len(listed) > listedClasses {
		listed = slices.Clone(listed)
		slices.SortStableFunc(listed, func(a, b eval.ClassReport) int {
			return cmp.Compare(valueOr(a.F1, 2), valueOr(b.F1, 2))
		})
		listed = listed[:listedClasses]
	}
	g := cli.Grid{Columns: append([]cli.Column{{Name: "class"}},
		cli.Numbers("precision", "recall", "F1", "AUC", "rows")...)}
	line := func(name string, of *eval.ClassReport) []string {
		row := []string{humanize.Shorten(name, 40)}
		for _, v := range []*float64{of.Precision, of.Recall, of.F1, of.AUC} {
			text := "-"
			if v != nil {
				text = humanize.Metric(*v)
			}
			row = append(row, text)
		}
		return append(row, strconv.Itoa(of.Rows))
	}
	for i := range listed {
		g.Add(line(humanize.Name(listed[i].Class), &listed[i])...)
	}
	g.Footer = [][]string{line("macro mean", &r.Means.Macro),
		line("weighted mean", &r.Means.Weighted)}
	c.Printf("\n")
	g.Print(c.Out)
	if more := len(r.Classes) - len(listed); more > 0 {
		c.Printf("and %d more classes of a greater F1 (--json prints all)\n", more)
	}
}

// valueOr returns a value, or another one of nil.
func valueOr(v *float64, other float64) float64 {
	if v == nil {
		return other
	}
	return *v
}

// PrintConfusion prints the confusion matrix, or its largest entries where there are many classes.
func PrintConfusion(c *cli.Console, m *eval.Confusion, where string) {
	printConfusion(c, m, where, true)
}

// PrintCounts is PrintConfusion without recall and precision, which PrintClasses prints.
func PrintCounts(c *cli.Console, m *eval.Confusion, where string) {
	printConfusion(c, m, where, false)
}

func printConfusion(c *cli.Console, m *eval.Confusion, where string, margins bool) {
	if m == nil {
		return
	}
	if m.Unweighted {
		where += " (counts of rows, without their weights)"
	}
	if len(m.Classes) > matrixClasses {
		printConfused(c, m, where)
		return
	}
	width := min(max(matrixWidth/len(m.Classes), 6), 24)
	g := cli.Grid{Columns: []cli.Column{{Name: "true \\ predicted"}}}
	predicted := make([]int64, len(m.Classes))
	hits := make([]int64, len(m.Classes))
	for k, class := range m.Classes {
		g.Columns = append(g.Columns,
			cli.Column{Name: humanize.Shorten(humanize.Name(class), width), Right: true})
		hits[k] = m.Counts[k][k]
	}
	if margins {
		g.Columns = append(g.Columns, cli.Column{Name: "recall", Right: true})
	}
	for k, class := range m.Classes {
		row := []string{humanize.Shorten(humanize.Name(class), 24)}
		sum := int64(0)
		for i, n := range m.Counts[k] {
			row = append(row, strconv.FormatInt(n, 10))
			sum += n
			predicted[i] += n
		}
		if margins {
			row = append(row, humanize.Ratio(hits[k], sum))
		}
		g.Add(row...)
	}
	last := []string{"precision"}
	for k := range m.Classes {
		last = append(last, humanize.Ratio(hits[k], predicted[k]))
	}
	if margins {
		g.Add(append(last, "")...)
	}
	c.Printf("\nconfusion, %s\n", where)
	g.Print(c.Out)
}

// Confusion counts rows of one class that are predicted as another.
type Confusion struct {
	Is, Taken int // the true and the predicted class
	Rows      int64
}

// Confused returns the entries off the diagonal of a matrix, the largest first.
func Confused(m *eval.Confusion) []Confusion {
	var all []Confusion
	for is, counts := range m.Counts {
		for taken, n := range counts {
			if is != taken && n > 0 {
				all = append(all, Confusion{is, taken, n})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Confusion) int { return cmp.Compare(b.Rows, a.Rows) })
	return all
}

// printConfused lists the largest entries off the diagonal.
func printConfused(c *cli.Console, m *eval.Confusion, where string) {
	entries := Confused(m)
	if len(entries) == 0 {
		return
	}
	g := cli.Grid{Columns: []cli.Column{{Name: "true"}, {Name: "predicted"},
		{Name: "rows", Right: true}}}
	for _, e := range entries[:min(len(entries), listedErrors)] {
		g.Add(humanize.Name(m.Classes[e.Is]), humanize.Name(m.Classes[e.Taken]),
			strconv.FormatInt(e.Rows, 10))
	}
	c.Printf("\nmost frequent confusions, %s\n", where)
	g.Print(c.Out)
	if more := len(entries) - listedErrors; more > 0 {
		c.Printf("and %d more pairs of classes (--json prints all)\n", more)
	}
}
