package criterion

// squaredError is the sum of squared distances from the mean. With weight h and weighted sum g of
// the values,
//
//	sum w (y - g/h)^2 = sum w y^2 - g^2 / h
//
// of which the first term is the same for all ways to split one node and is left out. It is the
// Newton gain of boosting with gradient -g and hessian h, so regression trees and boosting use the
// same statistics.
type squaredError struct{}

func newSquaredError(int) Criterion { return squaredError{} }

func (squaredError) Impurity(dst, stats, _ []float64) {
	for i := range dst {
		h, g := stats[2*i], stats[2*i+1]
		if h > 0 {
			dst[i] = -float64(g*g) / h
		} else {
			dst[i] = 0
		}
	}
}

func (squaredError) Loss(y, value float64) float64 {
	d := y - value
	return float64(d * d)
}

// Describe finds the mean in two passes, the second correcting the rounding of the first, and sums
// squares around it: no digits are lost where values are large and their spread is small.
func (squaredError) Describe(stats []float64, s Sample) Node {
	origin := s.Y[0]
	h, g := 0.0, 0.0
	for i, y := range s.Y {
		w := s.weight(i)
		h += w
		g += float64(w * (y - origin))
	}
	n := Node{Value: origin + g/h}
	n.Origin = n.Value
	g = 0
	for i, y := range s.Y {
		w, d := s.weight(i), y-n.Value
		g += float64(w * d)
		n.Impurity += float64(w * float64(d*d))
	}
	stats[0], stats[1] = h, g
	return n
}

// Scan maximises g^2 / h summed over both sides.
func (squaredError) Scan(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	first, all := c.Start[1], c.Total[1]
	bestFirst := 0.0
	bestRows := 0
	y, origin := c.Y, c.Origin
	rows, e := c.Rows, c.Known[0]
	for i, next := range c.Known[1:] {
		k := c.count(e)
		first += float64(float64(k) * (y[e.Pos] - origin))
		boundary := e.Key != next.Key
		e = next
		if rows += int(k); rows > to {
			break
		}
		if !boundary || rows < from {
			continue
		}
		n := float64(rows)
		m, last := float64(c.Node)-n, all-first
		num := float64(float64(first*first)*m) + float64(float64(last*last)*n)
		if den := n * m; best.better(num, den) {
			best.take(i+1, num, den, c.Tie)
			bestFirst, bestRows = first, rows
		}
	}
	b.At, b.Rows = best.at, bestRows
	b.First = append(b.First[:0], float64(bestRows), bestFirst)
}
