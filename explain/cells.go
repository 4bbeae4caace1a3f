package explain

import (
	"math"

	"github.com/coppice-ml/coppice/explain/internal/axes"
)

// cells are what two numeric columns have in each pair of intervals: the rows, and the mean second
// difference of predictions between the four corners.
type cells struct {
	high, wide   int
	count, value []float64 // row after row
}

func newCells(high, wide int) *cells {
	return &cells{high, wide, make([]float64, high*wide), make([]float64, high*wide)}
}

func (c *cells) at(i, j int) int { return i*c.wide + j }

// fill gives each cell without rows the value of the nearest cell with rows, by the middles of the
// intervals over the range of their column.
func (c *cells) fill(first, second *axes.Intervals) {
	x, y := first.Middles(), second.Middles()
	whole := append([]float64(nil), c.value...)
	for i := range c.high {
		for j := range c.wide {
			if c.count[c.at(i, j)] > 0 {
				continue
			}
			least, found := math.Inf(1), 0.0
			for a := range c.high {
				for b := range c.wide {
					if c.count[c.at(a, b)] == 0 {
						continue
					}
					dx, dy := x[i]-x[a], y[j]-y[b]
					if d := float64(dx*dx) + float64(dy*dy); d < least {
						least, found = d, whole[c.at(a, b)]
					}
				}
			}
			c.value[c.at(i, j)] = found
		}
	}
}

// effects returns the second-order effects at the corners of the cells: the differences added up in
// both directions, without what each column has alone, and with mean 0 over the rows.
func (c *cells) effects() []float64 {
	width := c.wide + 1
	sum := make([]float64, (c.high+1)*width)
	for i := range c.high {
		for j := range c.wide {
			sum[(i+1)*width+j+1] = sum[i*width+j+1] + sum[(i+1)*width+j] - sum[i*width+j] +
				c.value[c.at(i, j)]
		}
	}
	alone := [2][]float64{c.first(sum), c.second(sum)}
	for i := range c.high + 1 {
		for j := range width {
			sum[i*width+j] -= alone[0][i] + alone[1][j]
		}
	}
	center, rows := 0.0, 0.0
	for i := range c.high {
		for j := range c.wide {
			n := c.count[c.at(i, j)]
			mean := (sum[i*width+j] + sum[i*width+j+1] + sum[(i+1)*width+j] + sum[(i+1)*width+j+1]) / 4
			center += float64(n * mean)
			rows += n
		}
	}
	center /= rows
	for i := range sum {
		sum[i] -= center
	}
	return sum
}

// first returns the effect of the first column that sums at the corners hold.
func (c *cells) first(sum []float64) []float64 {
	width := c.wide + 1
	step, rows := make([]float64, c.high), make([]float64, c.high)
	for i := range c.high {
		for j := range c.wide {
			n := c.count[c.at(i, j)]
			rows[i] += n
			rise := sum[(i+1)*width+j] - sum[i*width+j] + sum[(i+1)*width+j+1] - sum[i*width+j+1]
			step[i] += float64(n * rise / 2)
		}
	}
	divide(step, rows)
	return accumulate(step)
}

// second is first for the second column.
func (c *cells) second(sum []float64) []float64 {
	width := c.wide + 1
	step, rows := make([]float64, c.wide), make([]float64, c.wide)
	for i := range c.high {
		for j := range c.wide {
			n := c.count[c.at(i, j)]
			rows[j] += n
			rise := sum[i*width+j+1] - sum[i*width+j] + sum[(i+1)*width+j+1] - sum[(i+1)*width+j]
			step[j] += float64(n * rise / 2)
		}
	}
	divide(step, rows)
	return accumulate(step)
}
