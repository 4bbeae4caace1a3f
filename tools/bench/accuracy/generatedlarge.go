//go:build linux

package accuracy

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// noisyFactors: the label is the product of ten of 13 small integers, with noise of 28.6. Half of
// the columns do not hold all factors. From 50,000 rows up one validation set chooses the rounds,
// so that a rehearsal has the least work for its candidates.
func noisyFactors(s *rng.Stream, rows int) (*data.Dataset, error) {
	y := make([]float64, rows)
	columns := numberColumns(rows, 13, func(row, c int) float64 {
		v := float64(1 + s.Intn(3))
		switch {
		case c == 0:
			y[row] = v
		case c < 10:
			y[row] *= v
		}
		return v
	})
	for i := range y {
		y[i] += 28.6 * normal(s)
	}
	return datasetOf(columns, y, nil)
}

// additive: the label is a sum of steps and waves of one column each, which trees of few leaves fit
// with the least noise.
func additive(s *rng.Stream, rows int) (*data.Dataset, error) {
	columns, x := uniform(s, rows, 12)
	y := make([]float64, rows)
	for i := range y {
		for j := range x[:8] {
			y[i] += math.Sin(float64(j+1) * 3 * x[j][i])
		}
		y[i] += normal(s)
	}
	return datasetOf(columns, y, nil)
}

// gradedRules: five classes by a hierarchy of rules on every combination of eight columns of few
// categories, as in the set nursery. There is no noise.
func gradedRules(s *rng.Stream, rows int) (*data.Dataset, error) {
	sizes := []int{3, 5, 4, 4, 3, 2, 3, 3}
	all := 1
	for _, n := range sizes {
		all *= n
	}
	order := s.Perm(all)[:min(rows, all)]
	texts, class := make([][]string, len(sizes)), make([]string, len(order))
	for i, code := range order {
		left, digit := int(code), make([]int, len(sizes))
		for c, n := range sizes {
			digit[c], left = left%n, left/n
			texts[c] = append(texts[c], fmt.Sprint("v", digit[c]))
		}
		home, means, health := digit[0]+digit[1], digit[2]+digit[4]+digit[5], digit[7]
		points := 2*home + means + 2*max(0, digit[6]-1)
		switch {
		case health == 0:
			class[i] = "no"
		case health == 2 && points == 0:
			class[i] = "recommended"
		case health == 2 && points < 5:
			class[i] = "very recommended"
		case points+2*(1-health/2) < 9:
			class[i] = "priority"
		default:
			class[i] = "special priority"
		}
	}
	columns := make([]data.NamedColumn, len(texts))
	for c := range texts {
		columns[c] = data.NamedColumn{Name: fmt.Sprint("x", c), Values: texts[c]}
	}
	return datasetOf(columns, nil, class)
}

// ofRecipe returns the maker of a table of the recipes.
func ofRecipe(name string) func(*rng.Stream, int) (*data.Dataset, error) {
	return func(_ *rng.Stream, rows int) (*data.Dataset, error) {
		return recipe.ByName(name).Dataset(0, rows, 0)
	}
}
