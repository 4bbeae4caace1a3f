package ensembles

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/training"
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
