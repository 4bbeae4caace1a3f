package reproductions

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

// pda grows a tree of eight rows by hand: two columns of two categories each, and the one that
// makes fewer errors is the root.
var pda = Reproduction{
	Name:  "pda",
	Title: "The root of a tree of eight rows: who buys a PDA",
	Source: "lecture on trees, figure of a root: 3/4 of one branch buy, and the credit " +
		"rating is chosen",
	run: pdaOf,
}

// pdaText describes the reproduction.
var pdaText = []string{
	"The root has 4 rows of each class, and predicts one of them: 4 " +
		"errors. A split predicts in each branch the class of most rows. The decrease of the " +
		"errors, per row, is the gain by misclassification; entropy and the Gini index rank the " +
		"two columns in the same order.",
	"By formula: errors counted by hand, 3 by student and 2 by credit rating, of 8 rows.",
}

func pdaOf(ctx context.Context, env *Env) *Result {
	ds := must(env.Read(ctx, "lectures/buy_pda.csv", "buy_pda", 8))
	r := &Result{Text: pdaText}
	errors := map[string]float64{"student": 3, "credit_rating": 2}
	branches := Numbers{Title: "Branches of the two splits",
		Columns: []string{"column", "value", "rows", "yes", "no", "predicted", "errors"}}
	gains := Numbers{Title: "Decrease of impurity per row", Columns: []string{"column",
		"misclassification", "gini", "entropy"}}
	for at, field := range ds.Schema.Fields {
		n := countBranches(ds, at)
		total := 0
		for v, level := range field.Levels {
			wrong, predicted := n[v][1], ds.Target.Classes[0]
			if n[v][1] > n[v][0] {
				wrong, predicted = n[v][0], ds.Target.Classes[1]
			}
			total += wrong
			branches.add("%s | %s | %v | %v | %v | %s | %v", field.Name, level, n[v][0]+n[v][1],
				n[v][1], n[v][0], predicted, wrong)
		}
		r.Claims = append(r.Claims, Claim{What: "errors of a split by " + field.Name,
			Formula: given(errors[field.Name]), Ours: float64(total)})
	}
	best := map[string]int{}
	for at, field := range ds.Schema.Fields {
		gains.add("%s", field.Name)
		for _, name := range gains.Columns[1:] {
			all, chosen := gainsOf(ctx, ds, name)
			best[name] = chosen
			gains.Rows[at] = append(gains.Rows[at], fmt.Sprintf("%.4f", all[at]))
			if name == "misclassification" {
				r.Claims = append(r.Claims, Claim{What: "gain by misclassification, " + field.Name,
					Formula: given((4 - errors[field.Name]) / 8), Ours: all[at], Digits: 4})
			}
		}
	}
	m := fit(ctx, ds, learn.Job{}, "cart", "criterion=misclassification", "prune=none",
		"depth=1")
	t := m.(*model.Ensemble).Trees[0]
	fair := t.Over(ds.Columns).LeafOf(0) // the first row has the rating Fair
	value := t.Value(fair)
	r.Claims = append(r.Claims, Claim{What: "rows of a fair rating that buy", Published: "3/4",
		Ours: value[1] / (value[0] + value[1]), Digits: 4})
	chosen := ds.Schema.Fields[t.Feature(0)].Name
	agree := true
	for _, at := range best {
		agree = agree && ds.Schema.Fields[at].Name == chosen
	}
	r.Findings = []Finding{
		{What: "the root is the credit rating", Holds: chosen == "credit_rating",
			Found: "it is " + chosen},
		{What: "misclassification, the Gini index and entropy choose the same root",
			Unpublished: true, Holds: agree, Found: chosen},
	}
	r.Tables = []Numbers{branches, gains}
	r.Pictures = []Picture{treePicture("", "", m, "buy_pda", "misclassification")}
	return r
}

// countBranches counts the rows of a data set by the level of a column and by class.
func countBranches(ds *data.Dataset, column int) [][]int {
	n := make([][]int, len(ds.Schema.Fields[column].Levels))
	for v := range n {
		n[v] = make([]int, len(ds.Target.Classes))
	}
	for i, code := range ds.Columns[column].Codes() {
		n[code][ds.Target.Class[i]]++
	}
	return n
}

// gainsOf returns the gain per row of the best split of each column at the root, and the column
// that is chosen.
func gainsOf(ctx context.Context, ds *data.Dataset, criterion string) ([]float64, int) {
	m := fit(ctx, ds, learn.Job{}, "cart", "criterion="+criterion, "prune=none",
		"depth=1")
	c := must(catalog.Candidates(ctx, m, ds, learn.TreeNode{}))
	gains := make([]float64, len(c.Columns))
	for i, list := range c.Columns {
		for _, s := range list {
			gains[i] = max(gains[i], s.Gain/c.Whole.Weight)
		}
	}
	return gains, c.Best
}

// treePicture returns the picture of a model of one tree.
func treePicture(name, head string, m model.Model, label, impurity string) Picture {
	e := m.(*model.Ensemble)
	names := draw.Names{Schema: &e.Meta.Schema, Classes: e.Meta.Classes, Label: label,
		Impurity: impurity}
	return Picture{Name: name,
		SVG: func(w io.Writer) error {
			return draw.SVG(w, e.Trees[0], names, draw.Options{Title: head})
		},
		Text: func(w io.Writer) error {
			if head != "" {
				fmt.Fprintf(w, "%s:\n", head)
			}
			return draw.Text(w, e.Trees[0], names, draw.Options{Width: 100})
		},
	}
}
