package criterion

// gini is the Gini index: with class weights w_k and W = sum of w_k,
//
//	I = W sum_k p_k (1 - p_k) = W - sum_k w_k^2 / W
type gini struct{ classes int }

func newGini(classes int) Criterion { return gini{classes} }

func (g gini) Impurity(dst, stats, _ []float64) {
	if g.classes == 2 {
		for i := range dst {
			a, b := stats[2*i], stats[2*i+1]
			if w := a + b; w > 0 {
				dst[i] = 2 * a * b / w
			} else {
				dst[i] = 0
			}
		}
		return
	}
	k := width(dst, stats)
	for i := range dst {
		w, squares := 0.0, 0.0
		for _, c := range stats[i*k : (i+1)*k] {
			w += c
			squares += float64(c * c)
		}
		if w > 0 {
			dst[i] = w - squares/w
		} else {
			dst[i] = 0
		}
	}
}

// Scan maximises what a split point leaves of the parent's impurity out: with n rows on a side and
// s the sum of its squared class counts, s/n of both sides. Counts are integers, so sums are exact.
func (g gini) Scan(c *Column, b *Best) {
	if g.classes == 2 {
		scanGini2(c, b)
		return
	}
	scanGini(c, b)
}

// scanGini2 is scanGini for two classes. With N rows, K of them of class 1, and l of class 1 among
// the n that go first, the gain of a split point is
//
//	2/N d^2 / (n (N - n)),   d = l N - n K
//
// and d grows with every row by a number that depends on its class alone.
func scanGini2(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	all, ones := int64(c.Node), int64(c.Total[1])
	grows := [2]int64{-ones, all - ones}
	rows, d := int64(c.Rows), int64(c.Start[1])*all-int64(c.Rows)*ones
	tie := float64(float64(c.Tie/2) * float64(all))
	bestRows, bestD := int64(0), int64(0)
	count, known := c.Count, c.Known
	for i := range len(known) - 1 {
		e, k := known[i], int64(1)
		if count != nil {
			k = int64(count[e.Pos])
		}
		rows += k
		d += k * grows[e.Key&1]
		if (e.Key^known[i+1].Key)>>1 == 0 || rows < int64(from) {
			continue
		}
		if rows > int64(to) {
			break
		}
		f := float64(d)
		if num, den := f*f, float64(rows)*float64(all-rows); best.better(num, den) {
			best.take(i+1, num, den, tie)
			bestRows, bestD = rows, d
		}
	}
	b.At, b.Rows = best.at, int(bestRows)
	first := (bestD + bestRows*ones) / max(all, 1)
	b.First = append(b.First[:0], float64(bestRows-first), float64(first))
}

func scanGini(c *Column, b *Best) {
	from, to := c.window()
	if b.At = 0; to < from {
		return
	}
	best := newSearcher()
	scanSquares(c, b.begin(c), from, to, &best)
	b.end(c, best.at)
}

// scanSquares keeps the squares of the first side alone, which has n_k of the N_k rows of class k.
// The squares of the last side are sum (N_k - n_k)^2 = sum N_k^2 - 2 sum N_k n_k + sum n_k^2. The
// middle sum grows by N_k with every row of class k.
func scanSquares(c *Column, side []classCounts, from, to int, best *searcher) {
	squares, cross, all := int64(0), int64(0), int64(0)
	for j := range c.Total {
		t := side[c.class(j)]
		squares += t.first * t.first
		cross += t.first * t.all
		all += t.all * t.all
	}
	mask := uint32(1)<<c.Shift - 1
	rows, e := c.Rows, c.Known[0]
	for i, next := range c.Known[1:] {
		k, t := c.count(e), &side[e.Key&mask]
		squares += k * (2*t.first + k)
		cross += k * t.all
		t.first += k
		if rows += int(k); rows > to {
			return
		}
		if e.Key>>c.Shift != next.Key>>c.Shift && rows >= from {
			best.squares(c, i+1, rows, squares, all-2*cross+squares)
		}
		e = next
	}
}

// squares offers a split point with the sums of squared class counts of its sides.
func (s *searcher) squares(c *Column, at, rows int, first, last int64) {
	n := float64(rows)
	m := float64(c.Node) - n
	num := float64(float64(first)*m) + float64(float64(last)*n)
	if den := n * m; s.better(num, den) {
		s.take(at, num, den, c.Tie)
	}
}
