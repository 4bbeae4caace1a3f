package criterion

import "math"

// WeighedScanner is a criterion that can find the best split point of a column whose rows have
// weights, as Scanner does for counts.
type WeighedScanner interface {
	// ScanWeighed uses Column.Weight, whose signs distinguish two classes, and neither Classes nor
	// Whole. Of equal splits the lowest wins; b.At is 0 if there is none.
	ScanWeighed(c *Column, b *Best)
}

// ScanWeighed is scanGini2 with weights: W of all rows, K of those of class 1, and l of class 1
// among the n that go first. The gain is 2/W d^2 / (n (W - n)), where d = l W - n K. Of the two
// classes the lighter one is used, which keeps more digits.
func (g gini) ScanWeighed(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	zeros, ones := c.Start[0], c.Start[1]
	all := c.Total[0] + c.Total[1]
	light, other := c.Total[1], false
	if c.Total[0] < light {
		light, other = c.Total[0], true
	}
	tie := float64(c.Tie / 2 * all)
	weight, count, known := c.Weight, c.Count, c.Known
	bestZeros, bestOnes, bestRows := 0.0, 0.0, 0
	rows, e, shift := c.Rows, known[0], c.Shift
	for i, next := range known[1:] {
		w := weight[e.Pos]
		a := math.Abs(w)
		zeros += float64((a - w) / 2)
		ones += float64((a + w) / 2)
		if rows++; count != nil {
			rows += int(count[e.Pos]) - 1
		}
		boundary := (e.Key^next.Key)>>shift != 0
		e = next
		if !boundary || rows < from {
			continue
		}
		if rows > to {
			break
		}
		n := zeros + ones
		l := ones
		if other {
			l = zeros
		}
		d := float64(l*all) - float64(n*light)
		if num, den := float64(d*d), float64(n*(all-n)); den > 0 && best.better(num, den) {
			best.take(i+1, num, den, tie)
			bestZeros, bestOnes, bestRows = zeros, ones, rows
		}
	}
	b.At, b.Rows = best.at, bestRows
	b.First = append(b.First[:0], bestZeros, bestOnes)
}

// ScanWeighed is Scan with weights.
func (squaredError) ScanWeighed(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	first, sum, total, all := c.Start[0], c.Start[1], c.Total[0], c.Total[1]
	weight, count, known, y, origin := c.Weight, c.Count, c.Known, c.Y, c.Origin
	bestFirst, bestSum, bestRows := 0.0, 0.0, 0
	rows, e, shift := c.Rows, known[0], c.Shift
	for i, next := range known[1:] {
		w := weight[e.Pos]
		first += w
		sum += float64(w * (y[e.Pos] - origin))
		if rows++; count != nil {
			rows += int(count[e.Pos]) - 1
		}
		boundary := (e.Key^next.Key)>>shift != 0
		e = next
		if !boundary || rows < from {
			continue
		}
		if rows > to {
			break
		}
		m, last := total-first, all-sum
		num := float64(float64(sum*sum)*m) + float64(float64(last*last)*first)
		if den := float64(first * m); den > 0 && best.better(num, den) {
			best.take(i+1, num, den, c.Tie)
			bestFirst, bestSum, bestRows = first, sum, rows
		}
	}
	b.At, b.Rows = best.at, bestRows
	b.First = append(b.First[:0], bestFirst, bestSum)
}
