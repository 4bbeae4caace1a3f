//go:build linux

package accuracy

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// numberColumns fills columns with numbers by row and column.
func numberColumns(rows, columns int, of func(row, column int) float64) []data.NamedColumn {
	named := make([]data.NamedColumn, columns)
	for c := range columns {
		values := make([]float64, rows)
		for i := range rows {
			values[i] = of(i, c)
		}
		named[c] = data.NamedColumn{Name: fmt.Sprint("x", c), Values: values}
	}
	return named
}

// datasetOf makes a data set of columns and labels: of numbers, else classes.
func datasetOf(columns []data.NamedColumn, y []float64, class []string) (*data.Dataset, error) {
	label := data.NamedColumn{Name: "y", Values: y}
	task := data.Regression
	if class != nil {
		label.Values, task = class, data.Auto
	}
	f, err := data.FromColumns(append(columns, label)...)
	if err != nil {
		return nil, err
	}
	return data.Roles{Label: "y", Task: task}.Apply(f)
}

// eightFactors: the label is the product of eight of 14 small integers, so trees that see half of
// the columns cannot fit it.
func eightFactors(s *rng.Stream, rows int) (*data.Dataset, error) {
	y := make([]float64, rows)
	columns := numberColumns(rows, 14, func(row, c int) float64 {
		v := float64(1 + s.Intn(3))
		switch {
		case c == 0:
			y[row] = v
		case c < 8:
			y[row] *= v
		}
		return v
	})
	return datasetOf(columns, y, nil)
}

// smoothClasses: two classes with a smooth, wavy border and little noise in five columns, which
// large trees follow better.
func smoothClasses(s *rng.Stream, rows int) (*data.Dataset, error) {
	x := make([][5]float64, rows)
	columns := numberColumns(rows, 5, func(row, c int) float64 {
		x[row][c] = normal(s)
		return x[row][c]
	})
	class := make([]string, rows)
	for i, v := range x {
		z := 3*math.Sin(2*v[0]+v[1]) + 3*math.Cos(2*v[2]-v[3]) + 2*v[4]*v[0]
		class[i] = binaryClass(s, 3*z)
	}
	return datasetOf(columns, nil, class)
}

// weakSignal: a little of two classes is known by three of 20 columns, which small trees overfit
// less.
func weakSignal(s *rng.Stream, rows int) (*data.Dataset, error) {
	z := make([]float64, rows)
	columns := numberColumns(rows, 20, func(row, c int) float64 {
		v := normal(s)
		if c < 3 {
			z[row] += 0.4 * v
		}
		return v
	})
	class := make([]string, rows)
	for i := range rows {
		class[i] = binaryClass(s, z[i])
	}
	return datasetOf(columns, nil, class)
}

func binaryClass(s *rng.Stream, logit float64) string {
	if s.Float64() < 1/(1+math.Exp(-logit)) {
		return "yes"
	}
	return "no"
}

// nearestCentres: 20 classes are the nearest of 60 centres in eight columns.
func nearestCentres(s *rng.Stream, rows int) (*data.Dataset, error) {
	centres := make([][8]float64, 60)
	for k := range centres {
		for c := range centres[k] {
			centres[k][c] = normal(s)
		}
	}
	x := make([][8]float64, rows)
	columns := numberColumns(rows, 8, func(row, c int) float64 {
		x[row][c] = normal(s)
		return x[row][c]
	})
	class := make([]string, rows)
	for i, v := range x {
		best, least := 0, math.Inf(1)
		for k, centre := range centres {
			d := 0.0
			for c := range v {
				d += (v[c] - centre[c]) * (v[c] - centre[c])
			}
			if d < least {
				best, least = k, d
			}
		}
		class[i] = fmt.Sprintf("c%02d", best%20)
	}
	return datasetOf(columns, nil, class)
}

// levelColumn draws categories with frequencies that fall, and adds an effect of each to the rows.
func levelColumn(s *rng.Stream, name string, levels int, add []float64,
	effect func(level int) float64) data.NamedColumn {
	effects := make([]float64, levels)
	for k := range effects {
		effects[k] = effect(k)
	}
	texts := make([]string, len(add))
	for i := range texts {
		u := s.Float64()
		k := min(levels-1, int(float64(levels)*u*u))
		texts[i] = fmt.Sprintf("%s%04d", name, k)
		add[i] += effects[k]
	}
	return data.NamedColumn{Name: name, Values: texts}
}

// levelEffects: two classes by random effects of the categories of four columns, of up to 1,500 of
// them.
func levelEffects(s *rng.Stream, rows int) (*data.Dataset, error) {
	z := make([]float64, rows)
	columns := numberColumns(rows, 3, func(row, c int) float64 {
		v := normal(s)
		z[row] += 0.3 * v
		return v
	})
	for i, levels := range []int{1500, 300, 40, 8} {
		columns = append(columns, levelColumn(s, fmt.Sprint("level", i, "_"), levels, z,
			func(int) float64 { return 0.8 * normal(s) }))
	}
	class := make([]string, rows)
	for i := range rows {
		class[i] = binaryClass(s, z[i])
	}
	return datasetOf(columns, nil, class)
}

// orderedLevels: a number that rises smoothly with the order of the categories' names, as with
// years, sizes and postal codes.
func orderedLevels(s *rng.Stream, rows int) (*data.Dataset, error) {
	y := make([]float64, rows)
	columns := numberColumns(rows, 4, func(row, c int) float64 {
		v := normal(s)
		y[row] += v
		return v
	})
	for i, levels := range []int{400, 120, 30} {
		columns = append(columns, levelColumn(s, fmt.Sprint("level", i, "_"), levels, y,
			func(k int) float64 { return 6 * math.Sin(3*float64(k)/float64(levels)+float64(i)) }))
	}
	for i := range y {
		y[i] += 0.5 * normal(s)
	}
	return datasetOf(columns, y, nil)
}

// completeTable: every combination of six columns of four categories, and four classes by a rule
// without noise.
func completeTable(s *rng.Stream, rows int) (*data.Dataset, error) {
	order := s.Perm(1 << 12)[:min(rows, 1<<12)]
	texts, class := make([][]string, 6), make([]string, len(order))
	for i, code := range order {
		var digit [6]int
		for c := range digit {
			digit[c] = int(code>>(2*c)) & 3
			texts[c] = append(texts[c], fmt.Sprint("v", digit[c]))
		}
		k := digit[0]
		switch {
		case digit[1] == digit[2]:
			k = 3
		case digit[3] > digit[4]:
			k = min(3, digit[0]+digit[5])
		}
		class[i] = fmt.Sprint("c", k)
	}
	columns := make([]data.NamedColumn, len(texts))
	for c := range texts {
		columns[c] = data.NamedColumn{Name: fmt.Sprint("x", c), Values: texts[c]}
	}
	return datasetOf(columns, nil, class)
}
