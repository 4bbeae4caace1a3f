package criterion

// misclassification is the weight outside the largest class: with class weights w_k and W = sum of
// w_k,
//
//	I = W - max_k w_k
type misclassification struct{}

func newMisclassification(int) Criterion { return misclassification{} }

func (misclassification) Impurity(dst, stats, _ []float64) {
	k := width(dst, stats)
	for i := range dst {
		w, most := 0.0, 0.0
		for _, c := range stats[i*k : (i+1)*k] {
			w += c
			most = max(most, c)
		}
		dst[i] = w - most
	}
}

// Scan maximises the counts of the largest class of both sides, summed. The largest count of the
// first side only grows. That of the last side shrinks by one when the last class that has it loses
// a row; sizes counts the classes by size.
func (misclassification) Scan(c *Column, b *Best) {
	from, to := c.window()
	if b.At = 0; to < from {
		return
	}
	best := newSearcher()
	side := b.begin(c)
	b.sizes = resize(b.sizes, c.Node+1)
	clear(b.sizes)
	sizes := b.sizes
	most, rest := int64(0), int64(0)
	for j := range c.Total {
		t := side[c.class(j)]
		most, rest = max(most, t.first), max(rest, t.all-t.first)
		sizes[t.all-t.first]++
	}
	mask := uint32(1)<<c.Shift - 1
	rows, e := c.Rows, c.Known[0]
	for i, next := range c.Known[1:] {
		k, t := c.count(e), &side[e.Key&mask]
		n := t.all - t.first
		t.first += k
		most = max(most, t.first)
		sizes[n]--
		sizes[n-k]++
		for sizes[rest] == 0 {
			rest--
		}
		boundary := e.Key>>c.Shift != next.Key>>c.Shift
		e = next
		if rows += int(k); rows > to {
			break
		}
		if !boundary || rows < from {
			continue
		}
		if worth := float64(most + rest); best.better(worth, 1) {
			best.take(i+1, worth, 1, c.Tie)
		}
	}
	b.end(c, best.at)
}
