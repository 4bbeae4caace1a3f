package report

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/explain"
)

// Importance is the importance of a feature by splits in two models. Those of a model sum to 1.
type Importance struct {
	Feature string  `json:"feature"`
	A       float64 `json:"a"`
	B       float64 `json:"b"`
}

// comparedImportances puts the importances of two models side by side, the largest first. It is nil
// unless both have them.
func comparedImportances(a, b []explain.Importance) []Importance {
	if a == nil || b == nil {
		return nil
	}
	var all []Importance
	place := map[string]int{}
	for i, x := range slices.Concat(a, b) {
		at, known := place[x.Feature]
		if !known {
			at = len(all)
			place[x.Feature] = at
			all = append(all, Importance{Feature: x.Feature})
		}
		if i < len(a) {
			all[at].A = x.Value
		} else {
			all[at].B = x.Value
		}
	}
	all = slices.DeleteFunc(all, func(i Importance) bool { return i.A == 0 && i.B == 0 })
	slices.SortStableFunc(all, func(x, y Importance) int {
		return cmp.Compare(max(y.A, y.B), max(x.A, x.B))
	})
	return all
}
