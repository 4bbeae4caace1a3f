package criterion

// squaredError is the sum of squared distances from the mean. With weight h and weighted sum g of the values,
//
//	sum w (y - g/h)^2 = sum w y^2 - g^2 / h
//
// of which the first term is the same for all ways to split one node and is left out. It is the Newton gain of
// boosting with gradient -g and hessian h, so regression trees and boosting share their statistics.
type squaredError struct{}

func newSquaredError(int) Criterion { return squaredError{} }

func (squaredError) Impurity(dst, stats []float64) {
	for i := range dst {
		h, g := stats[2*i], stats[2*i+1]
		if h > 0 {
			dst[i] = -float64(g*g) / h
		} else {
			dst[i] = 0
		}
	}
}

// Scan maximises g^2 / h summed over both sides.
func (squaredError) Scan(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	first, all := c.Start[1], c.Total[1]
	bestFirst := 0.0
	known, y, mean := c.Known, c.Y, c.Mean
	for i := 0; i < to; i++ {
		e := known[i]
		first += y[e.Pos] - mean
		if e.Key == known[i+1].Key || i+1 < from {
			continue
		}
		n := float64(c.Rows + i + 1)
		m, last := float64(c.Node)-n, all-first
		num := float64(float64(first*first)*m) + float64(float64(last*last)*n)
		if den := n * m; best.better(num, den) {
			best.take(i+1, num, den, c.Tie)
			bestFirst = first
		}
	}
	b.At = best.at
	b.First = append(b.First[:0], float64(c.Rows+best.at), bestFirst)
}
