// Package importance owns the importance of columns to an ensemble by both ways. One is the gains
// of a tree's splits and their means over the members. The other permutes values: which columns
// are permuted at once, the order in which their values go to other rows, and the memory of the
// permuted columns. Its users predict the rows and compare the predictions.
package importance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// Gains returns the total impurity decrease by a tree's splits on each of so many columns. A split
// on several counts for all of them equally. The tree must have its Stats.
func Gains(t *tree.Tree, columns int) []float64 {
	gain := make([]float64, columns)
	for n := range int32(t.Len()) {
		looks := t.Looks(n)
		for _, f := range looks {
			gain[f] += t.Stats.Gain[n] / float64(len(looks))
		}
	}
	return gain
}

// ByImpurity sums up the gains of the members, each by column.
func ByImpurity(s *data.Schema, members [][]float64) training.Importances {
	sum, fraction := make([]float64, len(s.Fields)), make([]float64, len(s.Fields))
	split := 0.0
	for _, gain := range members {
		total := 0.0
		for _, g := range gain {
			total += g
		}
		if total <= 0 {
			continue
		}
		split++
		for c, g := range gain {
			sum[c] += g
			fraction[c] += g / total
		}
	}
	found := training.Importances{Kind: training.Impurity}
	for c, f := range s.Fields {
		found.Columns = append(found.Columns,
			training.Importance{Column: f.Name, Value: sum[c] / float64(len(members)),
				Fraction: fraction[c] / max(split, 1)})
	}
	return found
}

// Groups declares the parameter importance_groups.
func Groups(p *string) param.Param {
	return param.Text(p, "importance_groups", "", "COL+COL+...,COL+COL+...", nil,
		"columns whose values are permuted together too, for importance=permutation")
}

// CheckGroups refuses groups of columns, a value of the parameter importance_groups,
// where nothing is permuted.
func CheckGroups(groups string, permuted bool) error {
	if groups != "" && !permuted {
		return errors.New("importance_groups are columns that importance=permutation permutes " +
			"together: set that, or leave them out")
	}
	return nil
}

// ColumnGroups reads sets of columns, the value of a parameter: "COL+COL+...,COL+COL+...". It is
// nil for "".
func ColumnGroups(parameter, text string, s *data.Schema) ([][]int32, error) {
	if text == "" {
		return nil, nil
	}
	var groups [][]int32
	for part := range strings.SplitSeq(text, ",") {
		var group []int32
		for name := range strings.SplitSeq(part, "+") {
			name = strings.TrimSpace(name)
			c := s.Index(name)
			switch {
			case c < 0 && param.Nearest(name, s.Names()) != "":
				return nil, fmt.Errorf("%s: there is no column %q: did you mean %q?", parameter,
					name, param.Nearest(name, s.Names()))
			case c < 0:
				return nil, fmt.Errorf("%s: there is no column %q", parameter, name)
			case slices.Contains(group, int32(c)):
				return nil, fmt.Errorf("%s: column %q is twice in a group", parameter, name)
			}
			group = append(group, int32(c))
		}
		groups = append(groups, group)
	}
	return groups, nil
}
