package command

import (
	"cmp"
	"encoding/json"
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

// printTold prints the importances that a summary tells with a standard error: those by permutation and those of corrected
// impurity, of each at most limit, 0 = all, and all groups.
func printTold(c *console, s *model.Spec, limit int) {
	loss := "share of wrong classes"
	if !s.Task.Classes() {
		loss = "mean squared error"
	}
	for _, kind := range []struct{ name, column, value string }{
		{"corrected", "feature", "impurity decrease, corrected"},
		{"permutation", "permuted", "increase of the " + loss},
	} {
		all := slices.Clone(told(s, kind.name))
		if len(all) == 0 {
			continue
		}
		slices.SortStableFunc(all, func(a, b forest.Importance) int { return cmp.Compare(b.Value, a.Value) })
		g := grid{columns: []column{{name: kind.column}, {name: kind.value, right: true}, {name: "± se", right: true}}}
		shown := 0
		for _, i := range all {
			if i.Group == nil {
				if shown++; limit > 0 && shown > limit {
					continue
				}
			}
			g.add(columnWords(i), measure(i.Value), measure(i.StdError))
		}
		c.printf("\n")
		g.print(c.out)
	}
}

// columnWords names a column, or the columns of a group.
func columnWords(i forest.Importance) string {
	if i.Group == nil {
		return plain(i.Column)
	}
	names := make([]string, len(i.Group))
	for k, column := range i.Group {
		names[k] = plain(column)
	}
	return strings.Join(names, " + ")
}
