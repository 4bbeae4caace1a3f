// Package trial owns what simulations and examples have in common: means of replicates with their
// standard errors, normal random numbers, and where the checkout of the project is.
package trial

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Normal samples from the standard normal distribution.
func Normal(s *rng.Stream) float64 { return kernel.NormalQuantile(max(s.Float64(), 0x1p-54)) }

// Mean returns the mean of values that were sampled independently, and its standard error.
func Mean(values []float64) (mean, se float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	return mean, math.Sqrt(Variance(values) / float64(len(values)))
}

// Variance returns the unbiased estimate of the variance of what values were sampled from, 0 for a
// single one.
func Variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	mean, sum := 0.0, 0.0
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return sum / float64(len(values)-1)
}

// Means returns the mean and the standard error of each column of a table that has a row for each
// replicate.
func Means(replicates [][]float64) (means, errors []float64) {
	for c := range replicates[0] {
		column := make([]float64, len(replicates))
		for r := range replicates {
			column[r] = replicates[r][c]
		}
		mean, se := Mean(column)
		means, errors = append(means, mean), append(errors, se)
	}
	return means, errors
}

// Floats returns whole numbers as places on an axis.
func Floats(whole []int) []float64 {
	values := make([]float64, len(whole))
	for i, n := range whole {
		values[i] = float64(n)
	}
	return values
}

// Percent returns fractions in percent.
func Percent(probabilities []float64) []float64 {
	values := make([]float64, len(probabilities))
	for i, v := range probabilities {
		values[i] = 100 * v
	}
	return values
}
