package describe

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// storedImportances returns the impurity importances that training stored, the largest first.
func (v *View) storedImportances() []explain.Importance {
	var all []explain.Importance
	for _, i := range v.Training.ImportancesOf(training.Impurity) {
		all = append(all, explain.Importance{Feature: i.Column, Value: i.Fraction})
	}
	slices.SortStableFunc(all,
		func(a, b explain.Importance) int { return cmp.Compare(b.Value, a.Value) })
	return all
}

// ReportedKind is a kind of importances that summaries store with a standard error.
type ReportedKind struct {
	Name   string // as the parameter importance has it
	column string // heads the columns' names
	value  string // heads the importances
	what   string // names the kind, for captions
	Advice string // where there are such importances
}

// ReportedKinds lists the kinds in the order in which they are printed.
func ReportedKinds(s *model.Spec) []ReportedKind {
	return []ReportedKind{
		{"corrected", "feature", "impurity decrease, corrected",
			"By corrected impurity: decrease, less that of a permuted copy, mean of the trees",
			"forest does with --set importance=corrected"},
		{training.Permutation, "permuted", "increase of the " + training.LossWords(s),
			"By permutation of out-of-bag rows: increase of the " + training.LossWords(s) +
				", mean of the trees",
			"any learner does with train --importance permutation"},
	}
}

// Caption names the kind.
func (k *ReportedKind) Caption() plot.ImportanceCaption {
	return plot.ImportanceCaption{What: k.what, Label: k.value, Errors: "the mean of the trees"}
}

// PrintReported prints the importances that training stored with a standard error, of each kind at
// most limit columns; 0 = all.
func (v *View) PrintReported(c *cli.Console, limit int) {
	for _, kind := range ReportedKinds(v.Spec) {
		if all := v.Ranked(kind.Name); len(all) > 0 {
			kind.Print(c, all, limit)
		}
	}
}

// Ranked returns the importances of a kind that training stored, the largest first.
func (v *View) Ranked(kind string) []training.Importance {
	all := slices.Clone(v.Training.ImportancesOf(kind))
	slices.SortStableFunc(all,
		func(a, b training.Importance) int { return cmp.Compare(b.Value, a.Value) })
	return all
}

// reportedWidth is the length of the bar of the largest importance.
const reportedWidth = 20

// Print prints a table of importances, with bars for those above 0.
func (k *ReportedKind) Print(c *cli.Console, all []training.Importance, limit int) {
	c.Printf("\n")
	c.Text(importanceHead(k.Caption()))
	g := cli.Grid{Columns: []cli.Column{{Name: k.column}, {Name: k.value, Right: true},
		{Name: "± se", Right: true}, {}}}
	shown := 0
	for _, i := range all {
		if i.Group == nil {
			if shown++; limit > 0 && shown > limit {
				continue
			}
		}
		bar := ""
		if i.Value > 0 {
			bar = strings.Repeat("█", int(math.Round(i.Value/all[0].Value*reportedWidth)))
		}
		g.Add(ColumnName(i), humanize.Metric(i.Value), humanize.Metric(i.StdError), bar)
	}
	g.Print(c.Out)
}

// ColumnName names a column, or the columns of a group.
func ColumnName(i training.Importance) string {
	if i.Group == nil {
		return humanize.Name(i.Column)
	}
	names := make([]string, len(i.Group))
	for k, column := range i.Group {
		names[k] = humanize.Name(column)
	}
	return strings.Join(names, " + ")
}
