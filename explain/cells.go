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
	alone := [2][]float64{c.mainEffect(sum, false), c.mainEffect(sum, true)}
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

// mainEffect returns the effect of the first column that sums at the corners hold, or of the
// second.
func (c *cells) mainEffect(sum []float64, second bool) []float64 {
	width := c.wide + 1
	steps, next, beside := c.high, width, 1 // to the corner above in the column, and in the other
	if second {
		steps, next, beside = c.wide, 1, width
	}
	step, rows := make([]float64, steps), make([]float64, steps)
	for i := range c.high {
		for j := range c.wide {
			n, at, to := c.count[c.at(i, j)], i*width+j, i
			if second {
				to = j
			}
			rows[to] += n
			rise := sum[at+next] - sum[at] + sum[at+next+beside] - sum[at+beside]
			step[to] += float64(n * rise / 2)
		}
	}
	divide(step, rows)
	return accumulate(step)
}
