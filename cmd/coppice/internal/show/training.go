package show

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// showTraining shows what the model stores of its training: settings and how they were chosen, what
// training found, and all metrics of the rows that it was evaluated on.
func (o *command) showTraining(path string, v *describe.View) error {
	return o.write(func(out *cli.Console) error {
		if o.JSONFlag.JSON {
			return out.JSON(v.Summarize())
		}
		s := v.Spec
		facts := []cli.Fact{{Name: "model", Text: humanize.Name(path)},
			{Name: "learner", Text: humanize.Name(s.Learner)}}
		if v.Training.Settings == nil { // else they are among the facts of training
			facts = append(facts, v.SettingsFact())
		}
		if n := v.Training; n.Rows > 0 {
			facts = append(facts, cli.Fact{Name: "rows",
				Text: describe.RowsFor("training", n.Rows+n.Weightless, n.Weightless)})
		}
		if t := s.TrainedOn; t != nil {
			facts = append(facts, cli.Fact{Name: "trained", Text: t.Words()})
		}
		out.Facts(append(facts, v.SizeFact())...)
		out.Facts(v.TrainingFacts()...)
		printEvaluations(out, s.Evaluations)
		describe.PrintStudy(out, s.Study)
		describe.PrintTables(out, v.Training.Tables)
		v.PrintReported(out, 0)
		describe.PrintPermutation(out, s.Permutation, 0)
		return nil
	})
}

// printEvaluations prints the metrics of each evaluation, with their intervals.
func printEvaluations(c *cli.Console, all []model.Evaluation) {
	for i := range all {
		e := &all[i]
		title := e.Origin + ", " + humanize.Count(e.Rows, "row", "rows")
		if e.Plan != "" {
			title += " (" + humanize.Name(e.Plan) + ")"
		}
		if e.UsedFor != "" {
			title += ", too optimistic as it was used for " + humanize.Name(e.UsedFor)
		}
		c.Printf("\n%s\n", cli.Wrap(title))
		g := cli.Grid{Columns: []cli.Column{{Name: "metric"}, {Name: "value", Right: true},
			{Name: "95 % interval"}}}
		for _, m := range e.Metrics {
			interval := ""
			if m.Low != nil {
				interval = humanize.Metric(*m.Low) + " to " + humanize.Metric(*m.High)
			}
			g.Add(humanize.Name(metric.Words(m.Name)), humanize.Metric(m.Value), interval)
		}
		g.Print(c.Out)
	}
}
