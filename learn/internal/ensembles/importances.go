package ensembles

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Importances folds the importances of each unit over the members (see Fold), and names the units:
// column by column and then group by group.
func Importances(
	kind string, s *data.Schema, groups [][]int32, members [][]float64,
) training.Importances {
	found := training.Importances{Kind: kind}
	for unit, i := range Fold(members) {
		reported := training.Importance{Value: i.Mean, StdError: i.Error}
		if unit < len(s.Fields) {
			reported.Column = s.Fields[unit].Name
		} else {
			for _, c := range groups[unit-len(s.Fields)] {
				reported.Group = append(reported.Group, s.Fields[c].Name)
			}
		}
		found.Columns = append(found.Columns, reported)
	}
	return found
}

// ImportanceGroups declares the parameter importance_groups.
func ImportanceGroups(p *[][]string) param.Param {
	return param.Parsed(p, "importance_groups", "COL+COL+...,COL+COL+...", param.ParseGroups,
		param.WriteGroups,
		"columns whose values are permuted together too, for importance=permutation")
}

// CheckImportanceGroups refuses a value of importance_groups where nothing is permuted.
func CheckImportanceGroups(groups [][]string, permuted bool) error {
	if groups != nil && !permuted {
		return errors.New("importance_groups are columns that importance=permutation permutes " +
			"together: set that, or leave them out")
	}
	return nil
}
