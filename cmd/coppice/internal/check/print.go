package check

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// shownColumns is how many columns with findings are printed.
const shownColumns = 20

func (o *command) print(r *check.Report, m model.Model, path string, files []string) {
	answer := r.Answer()
	text := fmt.Sprintf("%s%s: %s of %s", strings.ToUpper(answer[:1]), answer[1:], humanize.Count(r.Rows, "row", "rows"),
		cli.PathList(files))
	if r.Training > 0 {
		text += fmt.Sprintf(", compared with %s of %s", humanize.Count(r.Training, "training row",
			"training rows"), cli.PathList([]string{path}))
	}
	o.Text(text + ".")
	if trainedOn(r, m) {
		o.Text("The table has as many rows as the one that the model was trained on, and is like it. If " +
			"it is the same, the metrics are too good: they include training rows.")
	}
	o.printSchema(r)
	o.printColumns(r, m.Spec())
	o.printRest(r)
	o.printMetrics(r)
	if r.Training == 0 {
		o.Note("%s", noProfile)
	}
}

// trainedOn reports whether the table may be the one of the training: it has as many rows, with
// those of the validation and the test set, and no column drifted.
func trainedOn(r *check.Report, m model.Model) bool {
	if r.Evaluation == nil || r.Training == 0 || r.Drifted > 0 || len(r.Missing)+len(r.Kinds) > 0 {
		return false
	}
	others := 0.0
	if t := m.Spec().TrainedOn; t != nil && t.Plan != nil {
		others = t.Plan.Valid + t.Plan.Test
	}
	return math.Abs(float64(r.Rows)*(1-others)-float64(r.Training)) <= 1
}

// printSchema prints what differs in the schema.
func (o *command) printSchema(r *check.Report) {
	if len(r.Missing)+len(r.Kinds) > 0 {
		o.Printf("\n")
	}
	if len(r.Missing) > 0 {
		o.Facts(cli.Fact{Name: "missing", Text: listed(r.Missing)})
	}
	for _, k := range r.Kinds {
		o.Facts(cli.Fact{Name: "kind", Text: fmt.Sprintf("%s is %s in the model: %s",
			humanize.Name(k.Column), k.Want, cli.OneLine(k.What))})
	}
}

// listed are names for people, at most some of them.
func listed(names []string) string {
	const most = 10
	var shown []string
	for _, name := range names[:min(most, len(names))] {
		shown = append(shown, humanize.Name(name))
	}
	if more := len(names) - most; more > 0 {
		return strings.Join(shown, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(shown, ", ")
}

// printColumns prints the columns with findings.
func (o *command) printColumns(r *check.Report, s *model.Spec) {
	g := cli.Grid{Columns: append([]cli.Column{{Name: "column"}}, append(cli.Numbers("psi", "p"),
		cli.Column{Name: "what", Wrap: 60})...)}
	add := func(name string, c *check.Column) {
		psi, p := "-", "-"
		if c.PSI != nil {
			psi, p = fmt.Sprintf("%.3f", *c.PSI), probability(*c.P)
		}
		g.Add(name, psi, p, strings.Join(c.Words(), "; "))
	}
	more := 0
	for i := range r.Columns {
		if c := &r.Columns[i]; len(c.Findings) > 0 && i < shownColumns {
			add(humanize.Name(c.Name), c)
		} else if len(c.Findings) > 0 {
			more++
		}
	}
	if r.Label != nil && len(r.Label.Findings) > 0 {
		add("label "+humanize.Name(r.Label.Name), r.Label)
	}
	for i := range r.Predictions {
		// of two classes the probability of one is that of the other
		two := len(s.Classes) == 2 && len(r.Predictions) == 2 && i != s.Positive()
		if c := &r.Predictions[i]; len(c.Findings) > 0 && i < shownColumns && !two {
			add("prediction "+humanize.Name(c.Name), c)
		}
	}
	if len(g.Rows) > 0 {
		o.Printf("\n")
		g.Print(o.Out)
	}
	if more > 0 {
		o.Printf("%d more columns drifted (--json lists them).\n", more)
	}
}

// probability writes a p-value.
func probability(p float64) string {
	if p < 1e-4 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// printRest names what was not compared.
func (o *command) printRest(r *check.Report) {
	var moving []string
	for i := range r.Columns {
		if r.Columns[i].Moves != "" {
			moving = append(moving, r.Columns[i].Name)
		}
	}
	var lines []string
	if len(moving) > 0 && r.Training > 0 {
		lines = append(lines, "Dates and counters move by themselves: "+listed(moving)+".")
	}
	if r.Training > 0 && r.Uncompared != "" {
		lines = append(lines, "Predictions are not compared: "+r.Uncompared+".")
	}
	if r.Unevaluated != "" {
		lines = append(lines, "No metrics: "+cli.OneLine(r.Unevaluated)+".")
	}
	if len(lines) > 0 {
		o.Printf("\n%s\n", strings.Join(lines, "\n"))
	}
}

// printMetrics prints the metrics of rows with a label.
func (o *command) printMetrics(r *check.Report) {
	if r.Evaluation == nil {
		return
	}
	if r.Evaluation.Undefined != "" {
		o.Printf("\nNo metric has a value: %s.\n", r.Evaluation.Undefined)
		return
	}
	o.Printf("\nmetrics of %s\n", humanize.Count(r.Evaluation.Rows, "row with a label",
		"rows with a label"))
	g := cli.Grid{Columns: append([]cli.Column{{Name: "metric"}}, cli.Numbers("value", "low", "high")...)}
	if r.Stored != nil {
		g.Columns = append(g.Columns, cli.Numbers("stored", "change from", "to")...)
	}
	for _, i := range r.Intervals {
		row := []string{metric.Words(i.Name), humanize.Metric(i.Value), humanize.Metric(i.Low),
			humanize.Metric(i.High)}
		if r.Stored != nil {
			row = append(row, stored(r, i.Name)...)
		}
		g.Add(row...)
	}
	g.Print(o.Out)
	if r.Stored != nil {
		o.Printf("stored: %s of %s\n", r.Stored.Source(), humanize.Count(r.Stored.Rows, "row", "rows"))
	}
}

// stored returns what the model stores of a metric, and the ends of the change.
func stored(r *check.Report, name string) []string {
	row := []string{"-", "-", "-"}
	if m := r.Stored.Metric(name); m != nil {
		row[0] = humanize.Metric(m.Value)
	}
	for _, d := range r.Changes {
		if d.Name == name {
			row[1], row[2] = signed(d.Low), signed(d.High)
		}
	}
	return row
}

// signed writes a difference with its sign.
func signed(v float64) string {
	if text := humanize.Metric(v); v <= 0 {
		return text
	}
	return "+" + humanize.Metric(v)
}
