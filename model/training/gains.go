package training

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// ByImpurity sums up the gains of the members, each by column.
func ByImpurity(s *data.Schema, members [][]float64) Importances {
	sum, fraction := make([]float64, len(s.Fields)), make([]float64, len(s.Fields))
	split := 0.0
	for _, gain := range members {
		total := kernel.Sum(gain)
		if total <= 0 {
			continue
		}
		split++
		for c, g := range gain {
			sum[c] += g
			fraction[c] += g / total
		}
	}
	found := Importances{Kind: Impurity}
	for c, f := range s.Fields {
		found.Columns = append(found.Columns,
			Importance{Column: f.Name, Value: sum[c] / float64(len(members)),
				Fraction: fraction[c] / max(split, 1)})
	}
	return found
}
