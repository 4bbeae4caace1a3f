package quality

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/option"
)

// The limits of the search for two columns.
const (
	pairColumns = 32     // columns of which all pairs are tried: those most correlated with the label
	pairLeaking = 0.9999 // the R2 of two columns from which they are suspicious
	leastAlone  = 1e-6   // the part of a column's variance that the other one does not explain
)

// pairLeak finds two columns of numbers that make up the label of a regression: as a weighted sum,
// such as a total of its parts, or as a product of powers, such as an amount of price and quantity.
// Neither predicts the label alone. Columns with a missing number are passed over.
func (t *inspected) pairLeak() []Warning {
	if len(t.Target.Y) != 1 || len(t.sample) < leastLeak {
		return nil
	}
	y := make([]float64, len(t.sample))
	for i, row := range t.sample {
		y[i] = t.Target.Y[0][row]
	}
	for _, form := range []struct {
		name string
		of   func(float64) float64
	}{{"weighted sum", func(x float64) float64 { return x }}, {"product of powers", logarithm}} {
		if a, b, r2 := t.bestPair(y, form.of); r2 > pairLeaking {
			return []Warning{{Columns: []string{a, b}, Value: r2,
				Message: fmt.Sprintf("the %s of %q and %q predicts the label with an R2 of %.4f",
					form.name, a, b, r2),
				Advice: option.Expand("leave them out with {ignore} if they are not known when predictions " +
					"are made")}}
		}
	}
	return nil
}

// logarithm is NaN where there is none.
func logarithm(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	return kernel.Log(x)
}

// bestPair returns the two columns that explain a label best by a linear formula, and its R2, of
// columns that explain less than a leak alone. A function is applied to all numbers before.
func (t *inspected) bestPair(y []float64, of func(float64) float64) (a, b string, r2 float64) {
	target := standardized(y, of)
	if target == nil {
		return "", "", 0
	}
	values, alone := make([][]float64, len(t.columns)), make([]float64, len(t.columns))
	t.each(func(i int) {
		if c := &t.Columns[i]; c.Codes() != nil || t.columns[i].constant {
			return
		} else if v := standardized(numbers(c, t.sample), of); v != nil {
			if r := product(v, target); float64(r*r) <= leaking {
				values[i], alone[i] = v, r
			}
		}
	})
	var order []int
	for i, v := range values {
		if v != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(math.Abs(alone[j]), math.Abs(alone[i]))
	})
	order = order[:min(pairColumns, len(order))]
	for at, i := range order {
		for _, j := range order[at+1:] {
			between := product(values[i], values[j])
			rest := 1 - float64(between*between)
			if rest < leastAlone || t.name(i) == t.name(j) {
				continue
			}
			both := float64(alone[i]*alone[i]) + float64(alone[j]*alone[j])
			if own := (both - float64(2*alone[i]*alone[j]*between)) / rest; own > r2 {
				a, b, r2 = t.name(i), t.name(j), min(own, 1)
			}
		}
	}
	return a, b, r2
}

// standardized returns what a function makes of numbers, with mean 0 and a sum of squares of 1; nil
// if not all of it are finite, or all are the same.
func standardized(x []float64, of func(float64) float64) []float64 {
	v, mean := make([]float64, len(x)), 0.0
	for i := range x {
		v[i] = of(x[i])
		mean += v[i] / float64(len(x))
	}
	for i := range v {
		v[i] -= mean
	}
	length := math.Sqrt(product(v, v))
	if !(length > 0) || math.IsInf(length, 0) {
		return nil
	}
	for i := range v {
		v[i] /= length
	}
	return v
}

// product is the scalar product.
func product(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += float64(x[i] * y[i])
	}
	return sum
}
