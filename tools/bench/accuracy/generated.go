//go:build linux

package accuracy

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// generator makes a table of which the best answer is known.
type generator struct {
	name, group string
	rows        int // where they are not limited
	make        func(from *rng.Stream, rows int) (*data.Dataset, error)
}

// generators returns the tables that are made. Those of the group rehearsed have best settings that
// differ from those of most tables.
func generators() []generator {
	return []generator{
		{"products of columns", "generated", 30_000, products},
		{"smooth", "generated", 30_000, smooth}, {"noisy", "generated", 30_000, noisy},
		{"twenty centres", "generated", 30_000, manyClasses},
		{"eighty levels", "generated", 30_000, manyLevels},
		{"products", "rehearsed", 40_000, eightFactors},
		{"smooth classes", "rehearsed", 20_000, smoothClasses},
		{"weak signal", "rehearsed", 2_000, weakSignal},
		{"many classes", "rehearsed", 12_000, nearestCentres},
		{"many levels", "rehearsed", 20_000, levelEffects},
		{"ordered levels", "rehearsed", 12_000, orderedLevels},
		{"complete table", "rehearsed", 4_096, completeTable},
		{"noisy factors", "large", 200_000, noisyFactors},
		{"additive", "large", 200_000, additive},
		{"rules", "large", 12_960, gradedRules},
		{"higgs-like", "large", 200_000, ofRecipe("higgs")},
		{"mslr-like", "large", 200_000, ofRecipe("mslr")},
	}
}

// uniform returns columns of numbers from 0 to 1, and their values.
func uniform(from *rng.Stream, rows, columns int) ([]data.NamedColumn, [][]float64) {
	named := numberColumns(rows, columns, func(int, int) float64 { return from.Float64() })
	x := make([][]float64, columns)
	for j := range x {
		x[j] = named[j].Values.([]float64)
	}
	return named, x
}

// normal returns a number of a normal distribution, by twelve uniform ones.
func normal(from *rng.Stream) float64 {
	sum := -6.0
	for range 12 {
		sum += from.Float64()
	}
	return sum
}

// products is a number: the product of five small integers, of fourteen columns.
func products(from *rng.Stream, rows int) (*data.Dataset, error) {
	columns, x := uniform(from, rows, 14)
	y := make([]float64, rows)
	for i := range y {
		y[i] = 1
		for j := range x {
			x[j][i] = math.Floor(1 + 4*x[j][i])
			if j < 5 {
				y[i] *= x[j][i]
			}
		}
	}
	return datasetOf(columns, y, nil)
}

// smooth is the number of Friedman 1991, equation 61, with noise of variance 1.
func smooth(from *rng.Stream, rows int) (*data.Dataset, error) {
	columns, x := uniform(from, rows, 10)
	y := make([]float64, rows)
	for i := range y {
		y[i] = 10*math.Sin(math.Pi*x[0][i]*x[1][i]) + 20*(x[2][i]-0.5)*(x[2][i]-0.5) +
			10*x[3][i] + 5*x[4][i] + normal(from)
	}
	return datasetOf(columns, y, nil)
}

// noisy is two classes by four of twenty columns, with a weak signal.
func noisy(from *rng.Stream, rows int) (*data.Dataset, error) {
	columns, x := uniform(from, rows, 20)
	class := make([]string, rows)
	for i := range class {
		class[i] = binaryClass(from, 2*x[0][i]-x[1][i]+2*x[2][i]*x[3][i]-1)
	}
	return datasetOf(columns, nil, class)
}

// manyClasses is which of twenty centres of eight columns is the nearest; in one row of ten it is
// another.
func manyClasses(from *rng.Stream, rows int) (*data.Dataset, error) {
	const classes = 20
	columns, x := uniform(from, rows, 8)
	_, centres := uniform(from, classes, len(x))
	class := make([]string, rows)
	for i := range class {
		nearest, least := 0, math.Inf(1)
		for k := range classes {
			d := 0.0
			for j := range x {
				d += (x[j][i] - centres[j][k]) * (x[j][i] - centres[j][k])
			}
			if d < least {
				least, nearest = d, k
			}
		}
		if from.Float64() < 0.1 {
			nearest = from.Intn(classes)
		}
		class[i] = fmt.Sprintf("k%02d", nearest)
	}
	return datasetOf(columns, nil, class)
}

// manyLevels is two classes by the effects of 80 and 12 categories and of a number.
func manyLevels(from *rng.Stream, rows int) (*data.Dataset, error) {
	score, class := make([]float64, rows), make([]string, rows)
	var columns []data.NamedColumn
	for j, n := range []int{80, 12, 30} {
		effects, texts := make([]float64, n), make([]string, rows)
		for k := range effects {
			if j < 2 {
				effects[k] = 1.2 * normal(from)
			}
		}
		for i := range texts {
			k := from.Intn(n)
			texts[i] = fmt.Sprintf("v%02d", k)
			score[i] += effects[k]
		}
		columns = append(columns, data.NamedColumn{Name: fmt.Sprint("c", j), Values: texts})
	}
	last, x := uniform(from, rows, 1)
	for i := range class {
		class[i] = binaryClass(from, score[i]+2*(x[0][i]-0.5))
	}
	last[0].Name = "x"
	return datasetOf(append(columns, last[0]), nil, class)
}
