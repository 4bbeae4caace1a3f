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
	}
}

// uniform returns columns of numbers from 0 to 1.
func uniform(from *rng.Stream, rows, columns int) [][]float64 {
	x := make([][]float64, columns)
	for j := range x {
		x[j] = make([]float64, rows)
		for i := range x[j] {
			x[j][i] = from.Float64()
		}
	}
	return x
}

// normal returns a number of a normal distribution, by twelve uniform ones.
func normal(from *rng.Stream) float64 {
	sum := -6.0
	for range 12 {
		sum += from.Float64()
	}
	return sum
}

// numeric makes a table of numbers.
func numeric(x [][]float64, t data.Target) (*data.Dataset, error) {
	var s data.Schema
	var columns []data.Column
	for j, values := range x {
		s.Fields = append(s.Fields, data.Field{Name: fmt.Sprint("x", j)})
		columns = append(columns, data.Numbers(values))
	}
	f, err := data.NewFrame(s, columns)
	return &data.Dataset{Frame: f, Target: t}, err
}

// products is a number: the product of five small integers, of fourteen columns.
func products(from *rng.Stream, rows int) (*data.Dataset, error) {
	x, y := uniform(from, rows, 14), make([]float64, rows)
	for i := range y {
		y[i] = 1
		for j := range x {
			x[j][i] = math.Floor(1 + 4*x[j][i])
			if j < 5 {
				y[i] *= x[j][i]
			}
		}
	}
	return numeric(x, data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}})
}

// smooth is the number of Friedman 1991, equation 61, with noise of variance 1.
func smooth(from *rng.Stream, rows int) (*data.Dataset, error) {
	x, y := uniform(from, rows, 10), make([]float64, rows)
	for i := range y {
		y[i] = 10*math.Sin(math.Pi*x[0][i]*x[1][i]) + 20*(x[2][i]-0.5)*(x[2][i]-0.5) +
			10*x[3][i] + 5*x[4][i] + normal(from)
	}
	return numeric(x, data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}})
}

// noisy is two classes by four of twenty columns, with a weak signal.
func noisy(from *rng.Stream, rows int) (*data.Dataset, error) {
	x, class := uniform(from, rows, 20), make([]uint32, rows)
	for i := range class {
		score := 2*x[0][i] - x[1][i] + 2*x[2][i]*x[3][i] - 1
		if from.Float64() < 1/(1+math.Exp(-score)) {
			class[i] = 1
		}
	}
	return numeric(x, data.Target{Name: "y", Task: data.Binary, Class: class,
		Classes: []string{"no", "yes"}})
}

// manyClasses is which of twenty centres of eight columns is the nearest; in one row of ten it is
// another.
func manyClasses(from *rng.Stream, rows int) (*data.Dataset, error) {
	const classes = 20
	x, class := uniform(from, rows, 8), make([]uint32, rows)
	centres := uniform(from, classes, len(x))
	names := make([]string, classes)
	for k := range names {
		names[k] = fmt.Sprintf("k%02d", k)
	}
	for i := range class {
		least := math.Inf(1)
		for k := range classes {
			d := 0.0
			for j := range x {
				d += (x[j][i] - centres[j][k]) * (x[j][i] - centres[j][k])
			}
			if d < least {
				least, class[i] = d, uint32(k)
			}
		}
		if from.Float64() < 0.1 {
			class[i] = uint32(from.Intn(classes))
		}
	}
	return numeric(x, data.Target{Name: "y", Task: data.Multiclass, Class: class, Classes: names})
}

// manyLevels is two classes by the effects of 80 and 12 categories and of a number.
func manyLevels(from *rng.Stream, rows int) (*data.Dataset, error) {
	class := make([]uint32, rows)
	score := make([]float64, rows)
	var s data.Schema
	var columns []data.Column
	for j, n := range []int{80, 12, 30} {
		effects, names := make([]float64, n), make([]string, n)
		for k := range effects {
			names[k] = fmt.Sprintf("v%02d", k)
			if j < 2 {
				effects[k] = 1.2 * normal(from)
			}
		}
		codes := make([]uint32, rows)
		for i := range codes {
			codes[i] = uint32(from.Intn(n))
			score[i] += effects[codes[i]]
		}
		s.Fields = append(s.Fields, data.Field{Name: fmt.Sprint("c", j), Kind: data.Categorical,
			Levels: names})
		columns = append(columns, data.Codes(codes))
	}
	x := uniform(from, rows, 1)[0]
	for i := range class {
		if from.Float64() < 1/(1+math.Exp(-score[i]-2*(x[i]-0.5))) {
			class[i] = 1
		}
	}
	s.Fields = append(s.Fields, data.Field{Name: "x"})
	f, err := data.NewFrame(s, append(columns, data.Numbers(x)))
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary, Class: class,
		Classes: []string{"no", "yes"}}}, err
}
