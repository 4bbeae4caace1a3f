package train

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree/draw"
)

// The most that train prints of a tree and of importances.
const (
	printedLeaves      = 31
	printedLevels      = 4
	printedImportances = 10
	printedMembers     = 10
)

// report is the report of train; it is the object that --json prints.
type report struct {
	Model      string          `json:"model"`
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Seed       uint64          `json:"seed"`
	Label      string          `json:"label,omitempty"`
	Task       data.Task       `json:"task"`
	Classes    []string        `json:"classes,omitempty"`
	// the positive one of two classes
	Positive string              `json:"positive,omitempty"`
	Why      string              `json:"positive_reason,omitempty"` // why it is the positive one
	Size     model.Size          `json:"size"`
	Rows     setSizes            `json:"rows"`
	Sets     describe.MetricSets `json:"sets"`
	// of Importances: gain or impurity
	Kind        string               `json:"importance_kind,omitempty"`
	Importances []explain.Importance `json:"importances,omitempty"`
	Permutation *model.Permutation   `json:"permutation_importance,omitempty"`
	Summary     json.RawMessage      `json:"summary,omitempty"`
	Warnings    []quality.Warning    `json:"warnings,omitempty"`
	verdict

	view *describe.View
	sets *tables.RowSets
}

// setSizes holds the number of rows of each set.
type setSizes struct {
	Training   int         `json:"training"`
	Validation int         `json:"validation"`
	Test       int         `json:"test"`
	Weightless *weightless `json:"weightless,omitempty"`
	// earlier rows in no set, because their groups are in a later one
	LeftOut int `json:"left_out,omitempty"`
}

// weightless holds how many rows of each set have weight 0.
type weightless struct {
	Training   int `json:"training"`
	Validation int `json:"validation"`
	Test       int `json:"test"`
	None       int `json:"none,omitempty"` // in no set
}

func setSizesOf(s *tables.RowSets, t *data.Target) setSizes {
	without := weightless{training.TrainedOn(t, s.Train).Weightless,
		training.TrainedOn(t, s.Valid).Weightless, training.TrainedOn(t, s.Test).Weightless,
		s.Weightless}
	sizes := setSizes{LeftOut: s.LeftOut, Training: len(s.Train), Validation: len(s.Valid), Test: len(s.Test)}
	if without != (weightless{}) {
		sizes.Weightless = &without
	}
	return sizes
}

func newTrainReport(
	m model.Model, path string, s *tables.RowSets, t *data.Target, seed uint64,
) *report {
	v, spec := describe.Of(m), m.Spec()
	r := &report{view: v, Model: path, Learner: spec.Learner, Parameters: spec.Params, Seed: seed,
		Label: spec.Label, Task: spec.Task,
		Classes: spec.Classes, Size: v.Size, Rows: setSizesOf(s, t), Summary: spec.Summary, sets: s}
	if r.Positive = describe.PositiveName(spec); r.Positive != "" {
		r.Why = t.Positive.Why
	}
	r.Importances = v.Importances()
	if r.Importances != nil {
		r.Kind = v.ImportanceKind()
	}
	return r
}

// print prints the report, the model and its importances.
func (r *report) print(c *cli.Console, p *tables.Problem, paths []string) error {
	v := r.view
	c.Facts(p.Facts(append(paths, r.sets.Files...))...)
	c.Facts(cli.Fact{Name: "rows", Text: r.rowWords()})
	if r.Positive != "" {
		c.Facts(tables.PositiveFacts(&p.Target)...)
	}
	c.Facts(
		cli.Fact{Name: "learner", Text: describe.Learner(v.Spec)},
		v.SizeFact(),
	)
	c.Facts(v.TrainingFacts()...)
	if len(r.Sets) > 0 {
		c.Printf("\n")
		r.Sets.Print(c)
		last := r.Sets[len(r.Sets)-1]
		describe.PrintConfusion(c, last.Report.Confusion, last.Title("set"))
	}
	if err := r.printModel(c); err != nil {
		return err
	}
	describe.PrintTables(c, v.Training.Tables)
	describe.PrintImportances(c, r.Kind, r.Importances, printedImportances)
	v.PrintReported(c, printedImportances)
	describe.PrintPermutation(c, v.Spec.Permutation, printedImportances)
	if r.Compared != nil {
		c.Printf("\n%s\n", r.comparison())
	}
	c.Printf("\nThe model is in %s.\n", humanize.Name(r.Model))
	return nil
}

// comparison compares the model with the one that it must not be worse than.
func (r *report) comparison() string {
	d := r.Compared
	return fmt.Sprintf("%s %s; %s has %s: difference %+.4g (95 %% interval %+.4g to %+.4g)",
		metric.Words(d.Name), humanize.Metric(d.B), humanize.Name(r.than), humanize.Metric(d.A), d.B-d.A,
		d.Low, d.High)
}

func (r *report) rowWords() string {
	without := r.Rows.Weightless
	if without == nil {
		without = &weightless{}
	}
	text := describe.RowsFor("training", r.Rows.Training, without.Training)
	if r.Rows.Validation > 0 {
		text += ", " + describe.RowsFor("validation", r.Rows.Validation, without.Validation)
	}
	if r.Rows.Test > 0 {
		text += ", " + describe.RowsFor("the test", r.Rows.Test, without.Test)
	}
	if r.sets.How != "" {
		text += " (" + r.sets.How + ")"
	}
	return text
}

// printModel prints the rules, members or terms of the model, or its tree. Of a large tree it
// prints the first levels.
func (r *report) printModel(c *cli.Console) error {
	e := r.view.Ensemble
	switch {
	case r.view.WriteRules != nil:
		return r.printRules(c)
	case r.view.Combine != "":
		c.Printf("\n")
		r.view.PrintMembers(c, printedMembers)
		return nil
	case e == nil:
		r.printTable(c)
		return nil
	case len(e.Trees) != 1:
		return nil
	}
	o := draw.Options{}
	if e.Trees[0].NumLeaves() > printedLeaves {
		o.MaxDepth = printedLevels
	}
	c.Printf("\n")
	if err := draw.Text(c.Out, e.Trees[0], r.view.TreeNames(), o); err != nil {
		return err
	}
	if o.MaxDepth > 0 {
		c.Printf("These are the first %d levels; coppice show %s shows all %d leaves.\n",
			o.MaxDepth, humanize.Name(r.Model), e.Trees[0].NumLeaves())
	}
	return nil
}

// warnOfRare prints the warning about a rare positive class, if found holds one. It adds the recall
// of that class and the accuracy, both on the last set. It returns the warnings with the longer
// text, or without it if the model has no positive class.
func warnOfRare(
	c *cli.Console, found []quality.Warning, positive string, sets describe.MetricSets,
) []quality.Warning {
	at := slices.IndexFunc(found,
		func(w quality.Warning) bool { return w.Check == quality.RarePositive })
	if at < 0 {
		return found
	}
	if positive == "" || len(sets) == 0 {
		return slices.Delete(found, at, at+1)
	}
	last, w := sets[len(sets)-1], &found[at]
	class := slices.Index(last.Report.Confusion.Classes, positive)
	rows := kernel.Sum(last.Report.Confusion.Counts[class])
	if rows > 0 {
		w.Message += fmt.Sprintf("; on the %s set its recall is %s", last.Name,
			humanize.Metric(float64(last.Report.Confusion.Counts[class][class])/float64(rows)))
		if accuracy, ok := last.Report.Metrics.Get("accuracy"); ok {
			w.Message += " while the accuracy is " + humanize.Metric(accuracy)
		}
	}
	c.Warn("%s", w)
	return found
}

// warnOfTime prints the warning that later rows are predicted worse: that of the training, which
// measured it, or else the estimate that found may hold. It returns the warnings with the one that
// was printed.
func warnOfTime(
	c *cli.Console, found []quality.Warning, measured *training.Warning,
) []quality.Warning {
	isTime := func(w quality.Warning) bool { return w.Check == quality.TimeOrder }
	if measured != nil {
		found = append(slices.DeleteFunc(found, isTime), quality.Warning{Check: quality.TimeOrder,
			Columns: measured.Columns, Message: measured.Message, Advice: measured.Advice})
		quality.Sort(found)
	}
	if at := slices.IndexFunc(found, isTime); at >= 0 {
		c.Warn("%s", found[at])
	}
	return found
}

// printTable prints the first rows of the table that describes the model, such as its coefficients.
func (r *report) printTable(c *cli.Console) {
	t := r.view.Table
	if t == nil || len(t.Rows) == 0 {
		return
	}
	c.Printf("\n")
	describe.PrintTable(c, t, printedTerms)
	if more := len(t.Rows) - printedTerms; more > 0 {
		c.Printf("and %d more: coppice show %s lists all.\n", more, humanize.Name(r.Model))
	}
}

// printedTerms is the most rows that train prints of such a table.
const printedTerms = 20

// printRules prints the rules of a model that was just trained, if they are few.
func (r *report) printRules(c *cli.Console) error {
	c.Printf("\n")
	if len(r.view.Rules) <= printedLeaves {
		return r.view.WriteRules(c.Out)
	}
	c.Printf("coppice show %s lists the rules.\n", humanize.Name(r.Model))
	return nil
}
