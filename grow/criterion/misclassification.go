package criterion

// misclassification is the weight outside the largest class: with class weights w_k and W = sum of w_k,
//
//	I = W - max_k w_k
type misclassification struct{ classes int }

func newMisclassification(classes int) Criterion { return misclassification{classes} }

func (m misclassification) Impurity(dst, stats, _ []float64) {
	k := m.classes
	for i := range dst {
		w, most := 0.0, 0.0
		for _, c := range stats[i*k : (i+1)*k] {
			w += c
			most = max(most, c)
		}
		dst[i] = w - most
	}
}

// Scan maximises the counts of the largest class of both sides, summed. The largest count of the first side only grows.
// That of the last side shrinks by one when the last class that has it loses a row; sizes counts the classes by size.
func (m misclassification) Scan(c *Column, b *Best) {
	from, to := c.window()
	best := newSearcher()
	first, last := b.sides(c)
	b.sizes = resize(b.sizes, c.Node+1)
	clear(b.sizes)
	sizes := b.sizes
	most, rest := int32(0), int32(0)
	for j, n := range last {
		most, rest = max(most, first[j]), max(rest, n)
		sizes[n]++
	}
	mask := uint32(1)<<c.Shift - 1
	known := c.Known
	for i := 0; i < to; i++ {
		key := known[i].Key
		class := key & mask
		first[class]++
		most = max(most, first[class])
		n := last[class]
		last[class] = n - 1
		sizes[n]--
		sizes[n-1]++
		if n == rest && sizes[n] == 0 {
			rest--
		}
		if key>>c.Shift == known[i+1].Key>>c.Shift || i+1 < from {
			continue
		}
		if worth := float64(most + rest); best.better(worth, 1) {
			best.take(i+1, worth, 1, c.Tie)
		}
	}
	b.At = best.at
	b.count(c)
}
