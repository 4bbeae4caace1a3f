package boost

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// noise returns the standard deviation of what random_strength adds to the scores of columns. That
// of the first derivatives is deviation, and the rounds before were so many of a learning rate. As
// in CatBoost it falls with the length of the model, in rates:
//
//	strength x deviation x n e^-length / (1 + n e^-length)
func (c *Config) noise(deviation float64, rows, rounds int, rate float64) float64 {
	left := float64(float64(rows) * kernel.Exp(-float64(float64(rounds)*rate)))
	return float64(c.Noise*deviation) * (left / (1 + left))
}

// deviationOf returns the root of the mean square of some derivatives.
func deviationOf(g []float64, workers int) float64 {
	const block = 1 << 14
	sums := make([]float64, (len(g)+block-1)/block)
	parallel.Each(workers, len(sums), func(_, i int) {
		for _, x := range g[i*block : min(len(g), (i+1)*block)] {
			sums[i] += float64(x * x)
		}
	})
	sum := kernel.Sum(sums)
	return math.Sqrt(sum / float64(len(g)))
}
