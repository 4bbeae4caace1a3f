package gbm

import (
	"math"

	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/param"
)

// TargetStatistics are the parameters of columns that are derived from categories and labels
// (Prokhorenkova et al. 2018, ordered target statistics).
type TargetStatistics struct {
	// Least number of categories of a column that has target statistics of its own. Parameter
	// ts_levels: an integer >= 1; default 3.
	Levels int
	// Most columns whose categories are combined for target statistics; 1 = none are. Parameter
	// ts_combine: an integer >= 1 and <= 4; default 3.
	Combine int
	// Combinations of categories that have target statistics, at most. Parameter ts_combinations:
	// an integer >= 0 and <= 1000; default 16.
	Combinations int
	// Weight of the mean label in a target statistic, in rows. Parameter ts_prior: a number > 0;
	// default 1.
	PriorWeight float64
	// How often a category or combination occurs is a column too. Parameter ts_counts: true or
	// false; default true.
	Counts bool
	// Random orders of the rows that target statistics are made by, used by the rounds in turn.
	// Parameter ts_permutations: an integer >= 1 and <= 100; default 1.
	Permutations int
	// Of more than two classes, how many have target statistics: the most frequent. Parameter
	// ts_classes: an integer >= 1 and <= 1000; default 10.
	Classes int
}

func (s *TargetStatistics) params() param.Set {
	return param.Set{
		param.Int(&s.Levels, "ts_levels", 3, 1, math.MaxInt,
			"least number of categories of a column that has target statistics of its own"),
		param.Int(&s.Combine, "ts_combine", 3, 1, input.MaxSources,
			"most columns whose categories are combined for target statistics"),
		param.Int(&s.Combinations, "ts_combinations", 16, 0, 1000,
			"combinations of categories that have target statistics, at most"),
		param.Float(&s.PriorWeight, "ts_prior", 1, 0, math.Inf(1),
			"weight of the mean label in a target statistic, in rows", param.ExcludeMin),
		param.Bool(&s.Counts, "ts_counts", true,
			"how often a category or combination occurs is a column too"),
		param.Int(&s.Permutations, "ts_permutations", 1, 1, 100,
			"random orders of the rows that target statistics are made by"),
		param.Int(&s.Classes, "ts_classes", 10, 1, 1000,
			"of more than two classes, how many have target statistics: the most frequent"),
	}
}

// options returns the parameters as the encoder takes them.
func (s *TargetStatistics) options() encode.Options {
	return encode.Options{Levels: s.Levels, Combine: s.Combine, Combinations: s.Combinations,
		PriorWeight: s.PriorWeight, Counts: s.Counts, Permutations: s.Permutations,
		Classes: s.Classes}
}
