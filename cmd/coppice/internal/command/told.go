package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/model"
)

// told returns the importances of a kind that the training of a model told, nil if it told none.
func told(s *model.Spec, kind string) []forest.Importance {
	var found forest.Summary
	if json.Unmarshal(s.Summary, &found) != nil {
		return nil
	}
	for _, i := range found.Importances {
		if i.Kind == kind {
			return i.Columns
		}
	}
	return nil
}

// toldImportances returns the impurity importances that a summary tells, the largest first.
func toldImportances(s *model.Spec) []explain.Importance {
	var all []explain.Importance
	for _, i := range told(s, "impurity") {
		all = append(all, explain.Importance{Feature: i.Column, Value: i.Share})
	}
	slices.SortStableFunc(all, func(a, b explain.Importance) int { return cmp.Compare(b.Value, a.Value) })
	return all
}

// printPermuted prints the importances by permutation that a summary tells, at most limit of them, 0 = all, and all groups.
func printPermuted(c *console, s *model.Spec, limit int) {
	all := slices.Clone(told(s, "permutation"))
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b forest.Importance) int { return cmp.Compare(b.Value, a.Value) })
	what := "share of wrong classes"
	if !s.Task.Classes() {
		what = "mean squared error"
	}
	g := grid{columns: []column{{name: "permuted"}, {name: "increase of the " + what, right: true}, {name: "± se", right: true}}}
	shown := 0
	for _, i := range all {
		name := plain(i.Column)
		if i.Group != nil {
			var names []string
			for _, column := range i.Group {
				names = append(names, plain(column))
			}
			name = strings.Join(names, " + ")
		} else if shown++; limit > 0 && shown > limit {
			continue
		}
		g.add(name, fmt.Sprintf("%.4f", i.Value), fmt.Sprintf("%.4f", i.StdError))
	}
	c.printf("\n")
	g.print(c.out)
}
